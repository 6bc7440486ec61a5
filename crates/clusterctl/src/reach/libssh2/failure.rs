//! What can go wrong below a request, before it is known what that means for the request.

use std::io;

use crate::reach::{Delivery, ReachError, ReachErrorKind};

/// A failed step of a connection.
#[derive(Debug)]
pub(in crate::reach) enum Failure {
    /// The person interrupted.
    Interrupted,
    /// The time was up.
    TimedOut,
    /// A socket failed.
    Socket(io::Error),
    /// libssh2 failed.
    Protocol(ssh2::Error),
    /// The two sides have no algorithm in common; ssh knows more of them.
    NoCommon(String),
    /// A failure that is worded already.
    Worded(ReachError),
}

impl Failure {
    /// The error of a host: what was being done, as a phrase, and what is known of the request.
    pub(in crate::reach) fn at(
        self,
        kind: ReachErrorKind,
        delivery: Delivery,
        doing: &str,
    ) -> ReachError {
        match self {
            Failure::Worded(error) => error,
            Failure::Interrupted => {
                ReachError::new(ReachErrorKind::Interrupted, delivery, "interrupted")
            }
            Failure::NoCommon(why) => ReachError::new(kind, delivery, format!("{doing}: {why}")),
            Failure::TimedOut => ReachError::new(kind, delivery, format!("{doing}: timed out")),
            Failure::Socket(error) => {
                ReachError::new(kind, delivery, format!("{doing}: {}", plain(&error)))
            }
            Failure::Protocol(error) => {
                ReachError::new(kind, delivery, format!("{doing}: {}", error.message()))
            }
        }
    }
}

impl From<ReachError> for Failure {
    fn from(error: ReachError) -> Failure {
        Failure::Worded(error)
    }
}

/// The system's words without the number that Rust appends.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
