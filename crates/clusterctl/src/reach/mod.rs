//! Reaching hosts over ssh: the only place that connects to a host or spawns `ssh`.
//!
//! A [`Request`] is an argument vector or a POSIX script; a [`Target`] says where it runs. Two
//! transports carry it behind [`Reach`]: libssh2 in process and the system's `ssh`; a recorder
//! serves tests. `docs/adr/0001-transport.md` says why there are two.

mod answer;
mod error;
mod request;
mod target;

pub use answer::{Answer, Ended};
pub use error::{Delivery, ReachError, ReachErrorKind};
pub use request::{Program, Request};
pub use target::Target;

/// Carries requests to hosts.
pub trait Reach: Send + Sync {
    /// Runs one request on one host and waits for its end.
    ///
    /// An answer is what the host said, also when the command failed there; an error means the
    /// host was not reached, or the connection broke: [`ReachError::delivery`] tells which.
    fn run(&self, target: &Target, request: &Request) -> Result<Answer, ReachError>;
}
