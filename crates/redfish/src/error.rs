//! What went wrong.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use crate::{
    BootSource, CertificateProblem, Delivery, Endpoint, Message, ResetType, ResourcePath,
    TransportError, TransportErrorKind,
};

/// An operation on a BMC that failed.
///
/// Prints the endpoint and what failed on one line; the cause below it is its
/// [`source`](StdError::source).
pub struct Error(Box<Failure>);

struct Failure {
    endpoint: Endpoint,
    kind: ErrorKind,
    delivery: Delivery,
    status: Option<u16>,
    messages: Vec<Message>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The kinds of failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The host name has no address.
    Unresolved,
    /// No connection: refused, no route, or no answer to the attempt.
    Unreachable,
    /// The connection broke.
    ConnectionLost,
    /// No answer in time.
    Timeout,
    /// The deadline of the operation passed.
    Deadline,
    /// No common TLS version or cipher, or not TLS at all.
    Tls,
    /// The certificate is not the one expected. No credentials were sent.
    Certificate(CertificateProblem),
    /// The transport does not send this (rehearsal, interrupt).
    NotPermitted,
    /// 401: user or password are wrong, or the session is not accepted.
    Unauthorized,
    /// The password has to be changed before the account is of use.
    PasswordChangeRequired {
        /// The account, where the BMC names it.
        account: Option<ResourcePath>,
    },
    /// The BMC refused; [`Error::messages`] says why.
    Refused,
    /// The BMC refuses for now (starting, or the machine is in its power-on self test).
    Busy {
        /// The wait the BMC asks for.
        retry_after: Option<Duration>,
    },
    /// The resource does not exist (404).
    NotFound {
        /// What was asked for.
        path: ResourcePath,
    },
    /// The BMC redirects a request that must not follow, too often, or to another host.
    Redirected {
        /// Where to.
        target: String,
    },
    /// The answer is not what the protocol says.
    Malformed {
        /// What it is instead.
        found: String,
    },
    /// The service has no system.
    NoSystem,
    /// The configured system is not there.
    NoSuchSystem {
        /// What was asked for.
        wanted: String,
        /// The ids there are.
        offered: Vec<String>,
    },
    /// Several systems, and none is named.
    SeveralSystems {
        /// Their ids.
        offered: Vec<String>,
    },
    /// The system has no reset action.
    NoReset,
    /// The system has no boot override.
    NoBootOverride,
    /// The type of reset is not offered.
    ResetTypeNotOffered {
        /// What was asked for.
        wanted: ResetType,
        /// What there is.
        offered: Vec<ResetType>,
        /// The profile that says so; otherwise the BMC does.
        profile: Option<String>,
    },
    /// The boot source is not offered.
    BootSourceNotOffered {
        /// What was asked for.
        wanted: BootSource,
        /// What there is.
        offered: Vec<BootSource>,
    },
    /// The mode or the lifetime of a boot override is not offered.
    BootSettingNotOffered {
        /// What was asked for.
        wanted: &'static str,
        /// What there is.
        offered: Vec<String>,
    },
    /// The BMC has no such thing.
    NotOffered {
        /// What was asked for.
        what: &'static str,
    },
    /// No slot for virtual media has this id.
    NoSuchMedia {
        /// What was asked for.
        wanted: String,
        /// The ids there are.
        offered: Vec<String>,
    },
    /// Another image is in the slot.
    MediaInUse {
        /// The slot.
        slot: String,
    },
    /// No slot is free for the kind of the image.
    NoFreeMedia {
        /// The slots there are.
        slots: Vec<String>,
    },
    /// Several slots have something in them, and none is named.
    SeveralMedia {
        /// These.
        slots: Vec<String>,
    },
    /// Refused, and the machine is off: it cannot be reset or interrupted.
    MachineIsOff,
    /// A power cycle switched the machine off and could not switch it on again.
    LeftOff,
}

impl Error {
    pub(crate) fn new(endpoint: &Endpoint, kind: ErrorKind, delivery: Delivery) -> Self {
        let (status, messages, source) = (None, Vec::new(), None);
        Self(Box::new(Failure {
            endpoint: endpoint.clone(),
            kind,
            delivery,
            status,
            messages,
            source,
        }))
    }

    pub(crate) fn answered(mut self, status: http::StatusCode, messages: Vec<Message>) -> Self {
        self.0.status = Some(status.as_u16());
        self.0.messages = messages;
        self
    }

    pub(crate) fn caused_by(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(cause.into());
        self
    }

    pub(crate) fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    pub(crate) fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.0.delivery = delivery;
        self
    }

    pub(crate) fn of_transport(endpoint: &Endpoint, error: TransportError) -> Self {
        let kind = match error.kind().clone() {
            TransportErrorKind::Unresolved => ErrorKind::Unresolved,
            TransportErrorKind::Unreachable => ErrorKind::Unreachable,
            TransportErrorKind::ConnectionLost => ErrorKind::ConnectionLost,
            TransportErrorKind::Timeout => ErrorKind::Timeout,
            TransportErrorKind::Tls => ErrorKind::Tls,
            TransportErrorKind::Certificate(problem) => ErrorKind::Certificate(problem),
            TransportErrorKind::NotPermitted => ErrorKind::NotPermitted,
            TransportErrorKind::Malformed => {
                ErrorKind::Malformed { found: "no HTTP answer of acceptable size".to_owned() }
            }
        };
        let delivery = error.delivery();
        let mut result = Self::new(endpoint, kind, delivery);
        result.0.source = error.into_source();
        result
    }

    /// The kind of failure.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// What is known about the change the operation was to make. A failed read changes nothing:
    /// it is [`Delivery::NotSent`].
    pub fn delivery(&self) -> Delivery {
        self.0.delivery
    }

    /// The BMC.
    pub fn endpoint(&self) -> &Endpoint {
        &self.0.endpoint
    }

    /// The HTTP status, where the BMC answered.
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// What the BMC says.
    pub fn messages(&self) -> &[Message] {
        &self.0.messages
    }

    /// Whether there was no conversation with the right BMC: no address, no connection, no answer
    /// in time, no TLS, another certificate.
    pub fn is_unreachable(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::Unresolved
                | ErrorKind::Unreachable
                | ErrorKind::ConnectionLost
                | ErrorKind::Timeout
                | ErrorKind::Deadline
                | ErrorKind::Tls
                | ErrorKind::Certificate(_)
        )
    }

    /// Whether the account was not accepted.
    pub fn is_unauthorized(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Unauthorized | ErrorKind::PasswordChangeRequired { .. })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.endpoint, self.0.kind)?;
        if let Some(status) = self.0.status {
            write!(f, " (HTTP {status})")?;
        }
        match self.0.messages.as_slice() {
            [] => Ok(()),
            [only] => write!(f, ": {only}"),
            [first, rest @ ..] => write!(f, ": {first}, and {} more", rest.len()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("endpoint", &self.0.endpoint)
            .field("kind", &self.0.kind)
            .field("delivery", &self.0.delivery)
            .field("status", &self.0.status)
            .field("messages", &self.0.messages)
            .field("source", &self.0.source)
            .finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unresolved => f.write_str("the name does not resolve"),
            Self::Unreachable => f.write_str("no connection"),
            Self::ConnectionLost => f.write_str("the connection was lost"),
            Self::Timeout => f.write_str("no answer in time"),
            Self::Deadline => f.write_str("not finished in time"),
            Self::Tls => f.write_str("no common TLS version or cipher"),
            Self::Certificate(problem) => problem.fmt(f),
            Self::NotPermitted => f.write_str("not sent: only reading is allowed"),
            Self::Unauthorized => f.write_str("the BMC does not accept user and password"),
            Self::PasswordChangeRequired { account: None } => {
                f.write_str("the BMC demands that the password be changed first")
            }
            Self::PasswordChangeRequired { account: Some(account) } => {
                write!(f, "the BMC demands that the password of {account} be changed first")
            }
            Self::Refused => f.write_str("refused by the BMC"),
            Self::Busy { retry_after: None } => f.write_str("refused for now by the BMC"),
            Self::Busy { retry_after: Some(wait) } => {
                write!(f, "refused for now by the BMC, which asks to wait {} s", wait.as_secs())
            }
            Self::NotFound { path } => write!(f, "{path} does not exist"),
            Self::Redirected { target } => write!(f, "redirected to {target}, not followed"),
            Self::Malformed { found } => write!(f, "unexpected answer: {found}"),
            Self::NoSystem => f.write_str("the BMC shows no system"),
            Self::NoSuchSystem { wanted, offered } => {
                write!(f, "no system {wanted:?}; there is {}", list(offered))
            }
            Self::SeveralSystems { offered } => {
                write!(f, "several systems, name one: {}", list(offered))
            }
            Self::NoReset => f.write_str("the system has no reset action"),
            Self::NoBootOverride => f.write_str("the system has no boot override"),
            Self::ResetTypeNotOffered { wanted, offered, profile } => {
                let by = profile.as_ref().map(|name| format!(" by profile {name}"));
                let by = by.unwrap_or_default();
                write!(f, "reset type {wanted} is not offered{by}; there is {}", list(offered))
            }
            Self::BootSourceNotOffered { wanted, offered } => {
                write!(f, "boot source {wanted} is not offered; there is {}", list(offered))
            }
            Self::BootSettingNotOffered { wanted, offered } => {
                write!(f, "a boot override {wanted} is not offered; there is {}", list(offered))
            }
            Self::NotOffered { what } => write!(f, "the BMC shows no {what}"),
            Self::NoSuchMedia { wanted, offered } => {
                write!(f, "no virtual media {wanted:?}; there is {}", list(offered))
            }
            Self::MediaInUse { slot } => {
                write!(f, "virtual media {slot} holds another image; eject it first")
            }
            Self::NoFreeMedia { slots } => {
                write!(f, "no virtual media is free for this image; there is {}", list(slots))
            }
            Self::SeveralMedia { slots } => {
                write!(f, "several virtual media hold an image, name one: {}", list(slots))
            }
            Self::MachineIsOff => f.write_str("refused by the BMC, for the machine is off"),
            Self::LeftOff => f.write_str("switched off, and not on again"),
        }
    }
}

fn list(items: &[impl ToString]) -> String {
    match items {
        [] => "none".to_owned(),
        items => items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}
