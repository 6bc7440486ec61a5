//! Why a host was not reached, and what is known of the request.

use std::error::Error;
use std::fmt;

use crate::exit::{Classify, ExitClass};

/// What is known of a request whose answer did not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a request was handed over or not")]
pub enum Delivery {
    /// The host never got it.
    NotSent,
    /// The host may have carried it out, in whole or in part.
    PerhapsCarriedOut,
}

/// A host was not reached, or the connection broke.
#[derive(Debug)]
pub struct ReachError {
    kind: ReachErrorKind,
    delivery: Delivery,
    detail: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// The causes a caller may want to tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReachErrorKind {
    /// The name does not resolve.
    Resolve,
    /// No connection: refused, no route, timed out.
    Connect,
    /// The host's key is unknown, changed or revoked.
    HostKey,
    /// The host let nobody in.
    Authentication,
    /// An established connection broke or fell silent.
    Lost,
    /// The person interrupted.
    Interrupted,
    /// The configuration does not allow a connection, such as no host key file.
    Configuration,
}

impl ReachError {
    /// An error with the words that explain it.
    pub fn new(kind: ReachErrorKind, delivery: Delivery, detail: impl Into<String>) -> ReachError {
        ReachError { kind, delivery, detail: detail.into(), source: None }
    }

    /// The same with its cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> ReachError {
        self.source = Some(source.into());
        self
    }

    /// The cause's kind.
    pub fn kind(&self) -> ReachErrorKind {
        self.kind
    }

    /// What is known of the request.
    pub fn delivery(&self) -> Delivery {
        self.delivery
    }
}

impl fmt::Display for ReachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl Error for ReachError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

impl Classify for ReachError {
    fn exit_class(&self) -> ExitClass {
        match self.kind {
            ReachErrorKind::Interrupted => ExitClass::Interrupted,
            ReachErrorKind::Configuration => ExitClass::Usage,
            _ => ExitClass::Unreachable,
        }
    }
}
