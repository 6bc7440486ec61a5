//! How far one machine came, and what that means.

use crate::cause::Cause;
use crate::exit::ExitClass;
use crate::ops::reinstall::outcome::Machine;

/// The boot link of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LinkState {
    NotTried,
    Failed(Cause),
    Unknown(Cause),
    /// It was not known whether it was written; it is proven that there is none now.
    UnknownThenGone(Cause),
    Set,
    Removed,
    /// It was there and is no longer: the machine has fetched it, or somebody removed it.
    Consumed,
    /// It was to be removed, and may still be there.
    NotRemoved(Cause),
}

/// The boot override of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OnceState {
    NotTried,
    NotSent(Cause),
    Refused(Cause),
    Unknown(Cause),
    Set(Option<String>),
    /// Cleared; with why it was not known to be set, where that is so.
    Cleared(Option<Cause>),
    /// It was to be cleared, and may still be set.
    NotCleared(Cause),
    /// As `NotCleared`, where it was not even known to be set: why that is, and why not cleared.
    StillUnknown(Cause, Cause),
}

/// The reset of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResetState {
    NotTried,
    NotSent(Cause),
    Refused(Cause),
    Unknown(Cause),
    Sent,
}

/// What became of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    NotArmed,
    Disarmed,
    Armed,
    Unknown,
    Reinstalling,
}

/// One machine and how far it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) machine: Machine,
    pub(crate) link: LinkState,
    pub(crate) once: OnceState,
    pub(crate) reset: ResetState,
}

impl Progress {
    pub(crate) fn new(machine: Machine) -> Progress {
        Progress {
            machine,
            link: LinkState::NotTried,
            once: OnceState::NotTried,
            reset: ResetState::NotTried,
        }
    }

    /// Whether a boot link may be there.
    pub(crate) fn link_may_be_set(&self) -> bool {
        matches!(self.link, LinkState::Set | LinkState::Unknown(_) | LinkState::NotRemoved(_))
    }

    /// Whether an override may be set.
    pub(crate) fn once_may_be_set(&self) -> bool {
        matches!(
            self.once,
            OnceState::Set(_)
                | OnceState::Unknown(_)
                | OnceState::NotCleared(_)
                | OnceState::StillUnknown(..)
        )
    }

    /// Whether the reset went out, or may have.
    pub(crate) fn may_be_reset(&self) -> bool {
        matches!(self.reset, ResetState::Sent | ResetState::Unknown(_))
    }

    pub(crate) fn state(&self) -> State {
        match &self.reset {
            ResetState::Sent => State::Reinstalling,
            ResetState::Unknown(_) if self.link == LinkState::Consumed => State::Reinstalling,
            ResetState::Unknown(_) => State::Unknown,
            _ if self.link_may_be_set() || self.once_may_be_set() => State::Armed,
            _ => match self.link {
                LinkState::NotTried | LinkState::Failed(_) | LinkState::UnknownThenGone(_) => {
                    State::NotArmed
                }
                LinkState::Consumed => State::Unknown,
                _ => State::Disarmed,
            },
        }
    }

    pub(crate) fn link_cell(&self) -> &str {
        match &self.link {
            LinkState::NotTried => "-",
            LinkState::Failed(cause) => &cause.short,
            LinkState::Unknown(_) | LinkState::UnknownThenGone(_) => "unknown",
            LinkState::Set | LinkState::NotRemoved(_) => "set",
            LinkState::Removed => "removed",
            LinkState::Consumed => "none",
        }
    }

    pub(crate) fn once_cell(&self) -> &str {
        match &self.once {
            OnceState::NotTried => "-",
            OnceState::NotSent(cause) => &cause.short,
            OnceState::Refused(_) => "refused",
            OnceState::Unknown(_) | OnceState::StillUnknown(..) => "unknown",
            OnceState::Set(None) | OnceState::NotCleared(_) => "set",
            OnceState::Set(Some(warning)) => warning,
            OnceState::Cleared(_) => "cleared",
        }
    }

    pub(crate) fn reset_cell(&self) -> &str {
        match &self.reset {
            ResetState::NotTried => "-",
            ResetState::NotSent(cause) => &cause.short,
            ResetState::Refused(_) => "refused",
            ResetState::Unknown(_) => "unknown",
            ResetState::Sent => "sent",
        }
    }

    pub(crate) fn state_cell(&self) -> &'static str {
        match self.state() {
            State::NotArmed => "not armed",
            State::Disarmed => "disarmed",
            State::Armed => "armed",
            State::Unknown => "unknown",
            State::Reinstalling => "reinstalling",
        }
    }

    /// Why a step failed on this machine.
    pub(crate) fn step_causes(&self) -> impl Iterator<Item = &Cause> {
        let reset = match &self.reset {
            ResetState::NotSent(cause)
            | ResetState::Refused(cause)
            | ResetState::Unknown(cause) => Some(cause),
            ResetState::NotTried | ResetState::Sent => None,
        };
        let once = match &self.once {
            OnceState::NotSent(cause)
            | OnceState::Refused(cause)
            | OnceState::Unknown(cause)
            | OnceState::Cleared(Some(cause))
            | OnceState::StillUnknown(cause, _) => Some(cause),
            _ => None,
        };
        let link = match &self.link {
            LinkState::Failed(cause)
            | LinkState::Unknown(cause)
            | LinkState::UnknownThenGone(cause) => Some(cause),
            _ => None,
        };
        [reset, once, link].into_iter().flatten()
    }

    /// Why something could not be undone on this machine.
    pub(crate) fn undo_causes(&self) -> impl Iterator<Item = (&'static str, &Cause)> {
        let once = match &self.once {
            OnceState::NotCleared(cause) | OnceState::StillUnknown(_, cause) => {
                Some(("its boot override could not be cleared", cause))
            }
            _ => None,
        };
        let link = match &self.link {
            LinkState::NotRemoved(cause) => Some(("its boot link could not be removed", cause)),
            _ => None,
        };
        [once, link].into_iter().flatten()
    }

    /// Everything that went wrong on this machine, the step's own cause first.
    pub(crate) fn causes(&self) -> impl Iterator<Item = &Cause> {
        self.step_causes().chain(self.undo_causes().map(|(_, cause)| cause))
    }

    /// The class this machine adds to the exit code.
    pub(crate) fn class(&self) -> ExitClass {
        ExitClass::worst(self.causes().map(|cause| cause.class))
    }
}
