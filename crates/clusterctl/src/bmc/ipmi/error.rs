//! Why a service processor did not do over IPMI what was asked.

use std::fmt;

use crate::cause::Cause;
use crate::exit::ExitClass;
use crate::reach::Delivery;

/// A question or change over IPMI without the answer that was hoped for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IpmiError {
    kind: IpmiErrorKind,
    delivery: Delivery,
    text: String,
}

/// The causes a caller may want to tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IpmiErrorKind {
    /// The role's host does not know the name.
    Unresolved,
    /// No session: nothing answers.
    Unreachable,
    /// The account is not accepted, or may not do this.
    Unauthorized,
    /// The cipher suite is not spoken.
    CipherSuite,
    /// This version of IPMI is not spoken, or the program is not there.
    Unsupported,
    /// The service processor said no.
    Refused,
    /// The write was taken, and reading back shows something else.
    NotTaken,
    /// The answer is none that is known, or there is none.
    Unknown,
    /// The person interrupted.
    Interrupted,
    /// The role's host was not reached.
    Host(ExitClass),
}

impl IpmiError {
    /// An error that nothing was sent for.
    pub(super) fn not_sent(kind: IpmiErrorKind, text: impl Into<String>) -> IpmiError {
        IpmiError { kind, delivery: Delivery::NotSent, text: text.into() }
    }

    /// An error after which nobody knows, or after an answer.
    pub(super) fn perhaps_sent(kind: IpmiErrorKind, text: impl Into<String>) -> IpmiError {
        IpmiError { kind, delivery: Delivery::PerhapsCarriedOut, text: text.into() }
    }

    /// The same, told of this service processor.
    pub(super) fn of(mut self, host: &str) -> IpmiError {
        self.text = format!("{host}: {}", self.text);
        self
    }

    /// The same, with what else is known.
    pub(super) fn because(mut self, why: &str) -> IpmiError {
        if !why.is_empty() {
            self.text = format!("{} ({why})", self.text);
        }
        self
    }

    /// Whether the service processor answered inside a session.
    pub(super) fn is_answer(&self) -> bool {
        self.kind == IpmiErrorKind::Refused && self.delivery == Delivery::PerhapsCarriedOut
    }

    /// The cause's kind.
    pub fn kind(&self) -> IpmiErrorKind {
        self.kind
    }

    /// Whether a change may have been carried out although no answer says so.
    pub fn leaves_outcome_open(&self) -> bool {
        self.delivery == Delivery::PerhapsCarriedOut
            && !matches!(
                self.kind,
                IpmiErrorKind::Refused | IpmiErrorKind::Unauthorized | IpmiErrorKind::NotTaken
            )
    }

    /// Whether another way to the service processor may be tried: nothing was sent, and nobody
    /// refused the account.
    pub fn allows_another_way(&self) -> bool {
        self.delivery == Delivery::NotSent
            && matches!(
                self.kind,
                IpmiErrorKind::Unresolved
                    | IpmiErrorKind::Unreachable
                    | IpmiErrorKind::CipherSuite
                    | IpmiErrorKind::Unsupported
                    | IpmiErrorKind::Host(ExitClass::Unreachable)
            )
    }

    /// Whether a read may be tried again with an older cipher suite.
    pub(super) fn asks_for_another_suite(&self) -> bool {
        self.kind == IpmiErrorKind::CipherSuite
    }

    /// The cause, in the words of tables.
    pub fn cause(&self) -> Cause {
        let (class, short) = match self.kind {
            IpmiErrorKind::Unresolved => (ExitClass::Unreachable, "unresolved"),
            IpmiErrorKind::Unreachable | IpmiErrorKind::CipherSuite => {
                (ExitClass::Unreachable, "unreachable")
            }
            IpmiErrorKind::Unauthorized => (ExitClass::Unreachable, "unauthorized"),
            IpmiErrorKind::Unsupported => (ExitClass::Failed, "not supported"),
            IpmiErrorKind::Refused => (ExitClass::Failed, "refused"),
            IpmiErrorKind::NotTaken => (ExitClass::Failed, "not taken"),
            IpmiErrorKind::Unknown => (ExitClass::Failed, "unknown"),
            IpmiErrorKind::Interrupted if self.delivery == Delivery::NotSent => {
                return Cause::interrupted();
            }
            IpmiErrorKind::Interrupted => (ExitClass::Interrupted, "interrupted"),
            IpmiErrorKind::Host(ExitClass::Usage) => (ExitClass::Usage, "not asked"),
            IpmiErrorKind::Host(class) => (class, "unreachable"),
        };
        Cause::new(class, short, self.text.clone())
    }
}

impl fmt::Display for IpmiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for IpmiError {}
