//! Moving one request.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::{Method, Request, Response};

use crate::CertificateProblem;

/// Moves one request; never retries, never follows a redirect.
///
/// A transport honours the [`TimeLeft`] and [`FreshConnection`] extensions of a request. A program
/// that must stop sending (an interrupt, a rehearsal) wraps its transport and answers with
/// [`TransportErrorKind::NotPermitted`].
pub trait Transport: Send + Sync {
    /// Sends the request, whose URI is absolute, and gives the answer whatever its status.
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError>;
}

impl<T: Transport + ?Sized> Transport for &T {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        (**self).send(request)
    }
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        (**self).send(request)
    }
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        (**self).send(request)
    }
}

/// Request extension: what is left of the operation's time. The request ends by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft(pub Duration);

/// Request extension: the request must not use a connection that carried another one.
///
/// Observed: HPE iLO 5 and 6 reset a connection that is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreshConnection;

/// What is known about a request that changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Delivery {
    /// It never left, or the connection was not made.
    NotSent,
    /// It may have arrived; no answer says what became of it.
    PerhapsCarriedOut,
    /// The BMC answered it.
    Answered,
}

/// Why no answer came.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// The host name has no address.
    Unresolved,
    /// No connection: refused, no route, or no answer to the attempt.
    Unreachable,
    /// The connection broke.
    ConnectionLost,
    /// The time was up.
    Timeout,
    /// No common TLS version or cipher, or not TLS at all.
    Tls,
    /// The certificate is not the one expected; no credentials were sent.
    Certificate(CertificateProblem),
    /// The transport does not send this (rehearsal, interrupt).
    NotPermitted,
    /// The answer is no HTTP, or larger than the transport takes.
    Malformed,
}

/// A request without an answer.
#[derive(Debug)]
pub struct TransportError {
    kind: TransportErrorKind,
    delivery: Delivery,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl TransportError {
    /// A failure of this kind, with what is known about the request.
    pub fn new(kind: TransportErrorKind, delivery: Delivery) -> Self {
        Self { kind, delivery, source: None }
    }

    /// The same, with its cause.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.source = Some(cause.into());
        self
    }

    /// Why no answer came.
    pub fn kind(&self) -> &TransportErrorKind {
        &self.kind
    }

    /// What is known about the request.
    pub fn delivery(&self) -> Delivery {
        self.delivery
    }

    pub(crate) fn into_source(self) -> Option<Box<dyn StdError + Send + Sync>> {
        self.source
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl fmt::Display for TransportErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unresolved => f.write_str("the name does not resolve"),
            Self::Unreachable => f.write_str("no connection"),
            Self::ConnectionLost => f.write_str("the connection was lost"),
            Self::Timeout => f.write_str("no answer in time"),
            Self::Tls => f.write_str("no common TLS version or cipher"),
            Self::Certificate(problem) => problem.fmt(f),
            Self::NotPermitted => f.write_str("not sent: only reading is allowed"),
            Self::Malformed => f.write_str("the answer is no HTTP answer of acceptable size"),
        }
    }
}

/// A transport for rehearsals: reads go through, anything else fails as [`Delivery::NotSent`].
///
/// A session is something else too: rehearse with [`Authentication::Basic`](crate::Authentication).
#[derive(Clone, Debug)]
pub struct GetOnly<T>(T);

impl<T: Transport> GetOnly<T> {
    /// Wraps a transport.
    pub fn new(inner: T) -> Self {
        Self(inner)
    }
}

impl<T: Transport> Transport for GetOnly<T> {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        if request.method() == Method::GET {
            return self.0.send(request);
        }
        Err(TransportError::new(TransportErrorKind::NotPermitted, Delivery::NotSent))
    }
}
