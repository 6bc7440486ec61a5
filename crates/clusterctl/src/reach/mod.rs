//! Reaching hosts over ssh: the only place that connects to a host or spawns `ssh`.
//!
//! A [`Request`] is an argument vector or a POSIX script; a [`Target`] says where it runs. Two
//! transports carry it behind [`Reach`]: libssh2 in process and the system's `ssh`; a recorder
//! serves tests. `docs/adr/0001-transport.md` says why there are two.

mod answer;
mod directory;
mod error;
mod keyscan;
mod libssh2;
mod login;
mod openssh;
mod quote;
mod request;
mod settings;
mod ssh_config;
mod target;
mod transports;
mod wire;

use crate::hostkeys::HostKey;

pub use answer::{Answer, Ended};
pub use error::{Delivery, ReachError, ReachErrorKind};
pub use quote::{line as quote_line, word as quote_word};
pub use request::{Program, Request, Tap};
pub use settings::{Settings, Transport};
pub use ssh_config::{RefusedOption, check_option};
pub use target::Target;
pub use transports::{Choice, Transports};
pub(crate) use wire::mark;

/// Carries requests to hosts.
pub trait Reach: Send + Sync {
    /// Runs one request on one host and waits for its end.
    ///
    /// An answer is what the host said, also when the command failed there; an error means the
    /// host was not reached, or the connection broke: [`ReachError::delivery`] tells which.
    fn run(&self, target: &Target, request: &Request) -> Result<Answer, ReachError>;

    /// The keys that a host proves to hold. Nobody logs in, and nothing vouches for them yet.
    fn host_keys(&self, target: &Target) -> Result<Vec<HostKey>, ReachError>;
}
