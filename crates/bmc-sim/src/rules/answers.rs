//! The shape of answers, and sessions.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a request that was done is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// 200 with the resource; for an action 200 with a success message.
    Resource,
    /// 204.
    NoContent,
    /// 200 without a body.
    Empty,
    /// 200 with an `error` object whose code is `Success`.
    Message,
    /// 202 with the `Location` of a task that is finished already.
    Task,
}

/// The form of a refusal's body (DSP0266, "Error responses").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorShape {
    /// `error` with a list `@Message.ExtendedInfo`.
    Standard,
    /// `@Message.ExtendedInfo` is the message itself, not a list.
    Object,
    /// No `error`: `Messages` at the top, each with a `MessageID`.
    Messages,
}

/// Status and `MessageId` of a refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// HTTP status.
    pub status: u16,
    /// What the error's `MessageId` says.
    pub message_id: String,
}

impl Refusal {
    /// A refusal with this status and `MessageId`.
    pub fn new(status: u16, message_id: &str) -> Self {
        Self { status, message_id: message_id.to_owned() }
    }
}

/// What `Location` of a new session holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionLocation {
    /// A path.
    Path,
    /// A URL with a host name that only the BMC knows.
    Absolute,
    /// The header is missing: the body's `@odata.id` counts.
    Absent,
}

/// Refusal after wrong passwords (`AccountService`'s `AccountLockoutThreshold`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lockout {
    /// Wrong passwords in a row that lock.
    pub failures: u32,
    /// How long it stays locked.
    pub duration: Duration,
}
