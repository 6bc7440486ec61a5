//! What a service processor answered.

use redfish::PowerState;

use super::boot_flags::BootFlags;
use super::error::{IpmiError, IpmiErrorKind};

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    /// To the question for the power state.
    State(PowerState),
    /// To the question for the boot flags.
    Flags(BootFlags),
    /// To a change: taken.
    Done,
}

/// One a service processor, in order.
pub(super) type Replies = Vec<Result<Reply, IpmiError>>;

impl Reply {
    pub(super) fn into_state(self) -> Result<PowerState, IpmiError> {
        match self {
            Reply::State(state) => Ok(state),
            _ => Err(IpmiError::not_sent(IpmiErrorKind::Unknown, OTHER)),
        }
    }

    pub(super) fn into_flags(self) -> Result<BootFlags, IpmiError> {
        match self {
            Reply::Flags(flags) => Ok(flags),
            _ => Err(IpmiError::not_sent(IpmiErrorKind::Unknown, OTHER)),
        }
    }

    pub(super) fn into_done(self) -> Result<(), IpmiError> {
        match self {
            Reply::Done => Ok(()),
            _ => Err(IpmiError::perhaps_sent(IpmiErrorKind::Unknown, OTHER)),
        }
    }
}

const OTHER: &str = "another question was answered";
