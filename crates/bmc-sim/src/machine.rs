//! What hangs on the BMC's power button.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::BootSource;

/// A machine whose power the BMC switches.
///
/// The simulator decides whether a request is allowed, maps Redfish's reset types to an [`Action`],
/// and consumes the boot override; the machine only does what it is told.
pub trait Machine: Send + Sync {
    /// The power as the BMC's sensor sees it now. Called for every request: answer at once, and do
    /// not call into the [`Bmc`](crate::Bmc).
    fn power(&self) -> Power;

    /// Does `action`. Called before the reply is sent, outside any lock of the simulator: it may
    /// call into the [`Bmc`](crate::Bmc), and what takes long belongs on a thread of the machine's own.
    fn act(&self, action: Action);
}

/// Redfish's `PowerState` (Resource schema).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Power {
    /// Powered on.
    On,
    /// Powered off.
    Off,
    /// On the way from off to on.
    PoweringOn,
    /// On the way from on to off.
    PoweringOff,
    /// Paused.
    Paused,
}

impl Power {
    /// The word of the schema.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::On => "On",
            Self::Off => "Off",
            Self::PoweringOn => "PoweringOn",
            Self::PoweringOff => "PoweringOff",
            Self::Paused => "Paused",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "On" => Self::On,
            "Off" => Self::Off,
            "PoweringOn" => Self::PoweringOn,
            "PoweringOff" => Self::PoweringOff,
            "Paused" => Self::Paused,
            _ => return None,
        })
    }

    /// On, or on the way there.
    pub(crate) fn is_on(self) -> bool {
        !matches!(self, Self::Off | Self::PoweringOff)
    }
}

/// What a machine is told. Where it boots as a result, the boot source comes along; a `Once`
/// override is consumed by then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Power up an off machine (`On`, `ForceOn`, `PushPowerButton` when off).
    On(BootSource),
    /// Cut the power.
    ForceOff,
    /// Ask the operating system to shut down (`GracefulShutdown`, Cray's `Off`, `PushPowerButton` when on).
    GracefulShutdown,
    /// Reset without asking (`ForceRestart`).
    ForceRestart(BootSource),
    /// Ask the operating system to reboot (`GracefulRestart`).
    GracefulRestart(BootSource),
    /// Cut the power and restore it (`PowerCycle`).
    PowerCycle(BootSource),
    /// Raise a non-maskable interrupt (`Nmi`).
    Nmi,
}

impl Action {
    /// The boot source, where the machine boots as a result of the action.
    pub fn boot(&self) -> Option<&BootSource> {
        match self {
            Self::On(boot)
            | Self::ForceRestart(boot)
            | Self::GracefulRestart(boot)
            | Self::PowerCycle(boot) => Some(boot),
            Self::ForceOff | Self::GracefulShutdown | Self::Nmi => None,
        }
    }
}

/// A machine in memory: changes state at once and keeps what it was told.
#[derive(Debug)]
pub struct MemoryMachine {
    memory: Mutex<Memory>,
}

#[derive(Debug)]
struct Memory {
    power: Power,
    actions: Vec<Action>,
}

impl MemoryMachine {
    /// A machine in this state.
    pub fn new(power: Power) -> Self {
        Self { memory: Mutex::new(Memory { power, actions: Vec::new() }) }
    }

    /// Everything it was told so far, oldest first.
    pub fn actions(&self) -> Vec<Action> {
        self.memory().actions.clone()
    }

    /// Changes the power behind the BMC's back.
    pub fn set_power(&self, power: Power) {
        self.memory().power = power;
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryMachine {
    fn default() -> Self {
        Self::new(Power::On)
    }
}

impl Machine for MemoryMachine {
    fn power(&self) -> Power {
        self.memory().power
    }

    fn act(&self, action: Action) {
        let mut memory = self.memory();
        match &action {
            Action::ForceOff | Action::GracefulShutdown => memory.power = Power::Off,
            Action::Nmi => {}
            _ => memory.power = Power::On,
        }
        memory.actions.push(action);
    }
}
