//! What a BMC can do, and what operations would send to it.

use http::Method;
use serde_json::Value;

use crate::quirk::Observation;
use crate::{
    BootOverride, BootSource, Error, ErrorKind, Manager, PowerAction, ResetType, ResourcePath,
    Service, System,
};

/// A request that an operation would send.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Planned {
    /// The method.
    pub method: Method,
    /// Where to.
    pub path: ResourcePath,
    /// The body.
    pub body: Value,
    /// `If-Match`, where it carries one.
    pub if_match: Option<String>,
}

/// What was found out about a BMC without changing anything.
#[derive(Debug)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The service root, which needs no credentials.
    pub service: Service,
    /// The machine behind the BMC; the error where it cannot be told or the BMC does not show it.
    pub machine: Result<MachineDiagnosis, Error>,
}

/// What was found out about a machine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MachineDiagnosis {
    /// The system operations act on.
    pub system: System,
    /// The BMC itself, where it shows itself.
    pub manager: Option<Manager>,
    /// The quirks that apply to its firmware, with what was observed.
    pub quirks: Vec<&'static Observation>,
    /// Boot overrides; nothing where the machine has none.
    pub boot: Option<BootDiagnosis>,
    /// The reset types that are listed, inline or in the `ActionInfo`; nothing where none are.
    pub reset_types: Option<Vec<ResetType>>,
    /// What each power action would send now: nothing where the machine is in that state already,
    /// two requests for an off and an on; the error where it is refused before anything is sent.
    pub power: Vec<(PowerAction, Result<Vec<Planned>, ErrorKind>)>,
    /// Whether each request gets a connection of its own.
    pub closes_connections: bool,
}

/// What was found out about boot overrides.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BootDiagnosis {
    /// The resource that takes the write.
    pub resource: ResourcePath,
    /// The one that is tried when that one is read-only.
    pub other: Option<ResourcePath>,
    /// The override it shows.
    pub shown: BootOverride,
    /// The sources that are listed.
    pub sources: Option<Vec<BootSource>>,
    /// Whether the mode is sent along although nobody asks for one.
    pub sends_mode: bool,
    /// `If-Match` of the first write, and of the next ones as long as each is refused; a later one
    /// reads the tag anew. `None` stands for no header.
    pub if_match: Vec<Option<String>>,
    /// What one boot from the network would send, or why it is refused before.
    pub pxe_once: Result<Planned, ErrorKind>,
}
