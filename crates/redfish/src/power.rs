//! Power states and resets, in the words of the schema.

use std::fmt;
use std::str::FromStr;

/// `PowerState` of a system.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PowerState {
    /// `On`.
    On,
    /// `Off`.
    Off,
    /// `PoweringOn`.
    PoweringOn,
    /// `PoweringOff`.
    PoweringOff,
    /// `Paused`.
    Paused,
    /// A word outside the schema, as the BMC says it (`Reset` and `Starting` were seen).
    Other(String),
    /// Missing or null. Never read as any other state.
    Unknown,
}

impl PowerState {
    pub(crate) fn read(value: Option<&serde_json::Value>) -> Self {
        match value.and_then(serde_json::Value::as_str) {
            None | Some("") => Self::Unknown,
            Some("On") => Self::On,
            Some("Off") => Self::Off,
            Some("PoweringOn") => Self::PoweringOn,
            Some("PoweringOff") => Self::PoweringOff,
            Some("Paused") => Self::Paused,
            Some(other) => Self::Other(crate::excerpt::one_line(other, 40)),
        }
    }
}

impl fmt::Display for PowerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::On => "On",
            Self::Off => "Off",
            Self::PoweringOn => "PoweringOn",
            Self::PoweringOff => "PoweringOff",
            Self::Paused => "Paused",
            Self::Other(word) => word,
            Self::Unknown => "unknown",
        })
    }
}

/// `ResetType` of the reset action.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ResetType {
    /// Switch on.
    On,
    /// Switch on, whatever the state.
    ForceOn,
    /// Cut the power.
    ForceOff,
    /// Ask the operating system to shut down.
    GracefulShutdown,
    /// Ask the operating system to restart.
    GracefulRestart,
    /// Reset at once.
    ForceRestart,
    /// Cut the power, then switch on.
    PowerCycle,
    /// Press the button: its effect depends on the state.
    PushPowerButton,
    /// Raise a non-maskable interrupt.
    Nmi,
    /// A word of the service (`Off` on Cray EX means a graceful shutdown).
    Other(String),
}

impl ResetType {
    /// The word of the schema.
    pub fn as_str(&self) -> &str {
        match self {
            Self::On => "On",
            Self::ForceOn => "ForceOn",
            Self::ForceOff => "ForceOff",
            Self::GracefulShutdown => "GracefulShutdown",
            Self::GracefulRestart => "GracefulRestart",
            Self::ForceRestart => "ForceRestart",
            Self::PowerCycle => "PowerCycle",
            Self::PushPowerButton => "PushPowerButton",
            Self::Nmi => "Nmi",
            Self::Other(word) => word,
        }
    }
}

impl fmt::Display for ResetType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&str> for ResetType {
    /// Any word; those of the schema are recognised in any case.
    fn from(word: &str) -> Self {
        [
            Self::On,
            Self::ForceOn,
            Self::ForceOff,
            Self::GracefulShutdown,
            Self::GracefulRestart,
            Self::ForceRestart,
            Self::PowerCycle,
            Self::PushPowerButton,
            Self::Nmi,
        ]
        .into_iter()
        .find(|known| known.as_str().eq_ignore_ascii_case(word))
        .unwrap_or_else(|| Self::Other(word.to_owned()))
    }
}

/// What an administrator wants of a machine's power. Each is mapped to a [`ResetType`] the BMC
/// offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PowerAction {
    /// Switch on. Never the power button, which toggles.
    On,
    /// Cut the power.
    Off,
    /// Ask the operating system to shut down.
    Soft,
    /// Off, and on again once it is off. A machine that is off is switched on.
    Cycle,
    /// Reset at once. A machine that is off is not switched on.
    Reset,
    /// Reset at once; switch on a machine that is off.
    ResetOrOn,
    /// Raise a non-maskable interrupt.
    Nmi,
}

impl PowerAction {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::On, Self::Off, Self::Soft, Self::Cycle, Self::Reset, Self::ResetOrOn, Self::Nmi];

    /// The word on a command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Soft => "soft",
            Self::Cycle => "cycle",
            Self::Reset => "reset",
            Self::ResetOrOn => "reset-or-on",
            Self::Nmi => "nmi",
        }
    }

    /// The state in which the action has nothing to do.
    pub(crate) fn goal(self) -> Option<PowerState> {
        match self {
            Self::On => Some(PowerState::On),
            Self::Off | Self::Soft => Some(PowerState::Off),
            _ => None,
        }
    }
}

impl fmt::Display for PowerAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for PowerAction {
    type Err = PowerActionError;

    fn from_str(word: &str) -> Result<Self, PowerActionError> {
        Self::ALL
            .into_iter()
            .find(|action| action.as_str() == word)
            .ok_or_else(|| PowerActionError { word: word.to_owned() })
    }
}

/// The word is no power action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is no power action: on, off, soft, cycle, reset, reset-or-on or nmi")]
pub struct PowerActionError {
    word: String,
}
