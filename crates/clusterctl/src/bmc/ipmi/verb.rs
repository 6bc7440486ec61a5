//! What is asked of a service processor over IPMI.

use super::boot_flags::BootWish;

/// A chassis control, as IPMI 2.0 section 28.3 has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Control {
    On,
    Off,
    Soft,
    Cycle,
    Reset,
    Nmi,
}

/// One command for a service processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Verb {
    /// Whether the machine is on.
    PowerState,
    /// Switches it.
    Power(Control),
    /// The boot flags.
    BootFlags,
    /// Has boot flags stay for longer than the 60 seconds after which they are void (IPMI 2.0
    /// table 28-14, parameter 3).
    KeepBootFlags,
    /// Sets or clears them.
    SetBoot(BootWish),
}

impl Verb {
    /// Whether it changes nothing.
    pub(super) fn is_read(self) -> bool {
        matches!(self, Verb::PowerState | Verb::BootFlags)
    }

    /// Whether a datagram that was lost may be sent again: twice is the same as once.
    pub(super) fn is_idempotent(self) -> bool {
        match self {
            Verb::Power(control) => matches!(control, Control::On | Control::Off),
            _ => true,
        }
    }
}
