//! The site's host key file: who vouches for whom, and how it changes.
//!
//! One file in the format of sshd(8), `SSH_KNOWN_HOSTS FILE FORMAT`, vouches for every host.
//! [`KnownHosts`] answers what the file says of a host, as ssh matches it; [`HostKeyFile`] changes
//! it whole or not at all.

mod entry;
mod file;
mod key;
mod known;
mod pattern;
mod removal;

pub use entry::{Entry, Marker};
pub use file::{HostKeyError, HostKeyFile};
pub use key::HostKey;
pub use known::{KnownHosts, Verdict, Vouched};
pub use pattern::HostName;
pub(crate) use pattern::wildcard;
pub use removal::Removed;
