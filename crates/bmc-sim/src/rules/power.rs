//! Resets that the machine's state does not allow.

use serde::{Deserialize, Serialize};

/// What becomes of such a reset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Precondition {
    /// Answered with success. A repeated one does nothing; a restart of an off machine powers it on.
    Accept,
    /// Refused.
    Refuse {
        /// HTTP status, 400 or 409.
        status: u16,
        /// What the error's `MessageId` says.
        message_id: String,
    },
}

impl Precondition {
    /// Refused with this status and `MessageId`.
    pub fn refuse(status: u16, message_id: &str) -> Self {
        Self::Refuse { status, message_id: message_id.to_owned() }
    }
}
