//! Entries of the system event log.

use serde_json::Value;

use crate::ResourcePath;
use crate::excerpt::one_line;
use crate::property::{link, text};

const LONGEST_MESSAGE: usize = 500;

/// An entry (schema `LogEntry`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// `Id`.
    pub id: String,
    /// `Created` as the BMC says it. Clocks of BMCs are often not set.
    pub created: Option<String>,
    /// `Severity`.
    pub severity: Option<String>,
    /// `Message`; the `MessageId` or the name where it has none.
    pub message: String,
    /// `MessageId`.
    pub message_id: Option<String>,
}

impl Event {
    pub(crate) fn read(entry: &Value) -> Self {
        let id = link(entry).map(|path| path.id().to_owned());
        let message = entry.get("Message").and_then(Value::as_str);
        let message = message.map(|message| one_line(message, LONGEST_MESSAGE));
        let message_id = text(entry, "MessageId");
        Self {
            id: text(entry, "Id").or(id).unwrap_or_default(),
            created: text(entry, "Created").or_else(|| text(entry, "EventTimestamp")),
            severity: text(entry, "Severity"),
            message: message
                .filter(|message| !message.is_empty())
                .or_else(|| message_id.clone())
                .or_else(|| text(entry, "Name"))
                .unwrap_or_default(),
            message_id,
        }
    }
}

/// The system event log, or the first part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventLog {
    /// The log.
    pub log: ResourcePath,
    /// Its entries in the order of the BMC: the oldest or the newest first.
    pub events: Vec<Event>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// What became of clearing the system event log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "a BMC may answer before it has acted"]
pub struct EventsCleared {
    /// The log.
    pub log: ResourcePath,
    /// What the BMC said.
    pub accepted: crate::Accepted,
    /// Entries the log has now, where it could be read: many BMCs write one that says it was
    /// cleared.
    pub left: Option<u64>,
}
