//! `ComputerSystem.Reset`: which types are taken, and what they mean for the machine.

use std::time::Duration;

use serde_json::{Map, Value};

use super::message::{parameter_missing, parameter_not_in_list, parameter_unknown, refusal};
use super::state::{Outcome, Service};
use crate::http::Response;
use crate::rules::Precondition;
use crate::{Action, BootOverride, BootSource, Power};

const ACTION: &str = "ComputerSystem.Reset";

/// What must happen to a machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deed {
    /// Which system.
    pub(crate) system: usize,
    pub(crate) kind: ResetKind,
    /// How long after the reply.
    pub(crate) delay: Duration,
}

/// An [`Action`] before its boot source is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResetKind {
    On,
    ForceOff,
    GracefulShutdown,
    ForceRestart,
    GracefulRestart,
    PowerCycle,
    Nmi,
}

impl ResetKind {
    fn boots(self) -> bool {
        !matches!(self, Self::ForceOff | Self::GracefulShutdown | Self::Nmi)
    }
}

impl Service {
    pub(super) fn reset(
        &mut self,
        owner: &str,
        action: &Value,
        parameters: &Map<String, Value>,
        powers: &[Option<Power>],
    ) -> Result<Outcome, Response> {
        if let Some(unknown) = parameters.keys().find(|name| *name != "ResetType") {
            return Err(parameter_unknown(ACTION, unknown));
        }
        let wanted =
            parameters.get("ResetType").ok_or_else(|| parameter_missing(ACTION, "ResetType"))?;
        let not_in_list = || parameter_not_in_list(ACTION, "ResetType", wanted);
        let word = wanted.as_str().ok_or_else(not_in_list)?;
        if self.tree.allowed(action, "ResetType").is_some_and(|it| !it.iter().any(|it| it == word))
        {
            return Err(not_in_list());
        }
        let system = self.systems.iter().position(|system| system.path == owner);
        let system = system.ok_or_else(not_in_list)?;
        let power = powers.get(system).copied().flatten().ok_or_else(not_in_list)?;
        let is_on = self.systems[system].pending.unwrap_or(power).is_on();
        let kind = match meaning(word, is_on).ok_or_else(not_in_list)? {
            Meaning::Do(kind) => Some(kind),
            Meaning::Repeated => {
                check(&self.rules.repeated_power, is_on)?;
                None
            }
            Meaning::NeedsPower(otherwise) => {
                check(&self.rules.restart_when_off, is_on)?;
                otherwise
            }
        };
        let delay = self.rules.power_delay;
        let deed = kind.map(|kind| Deed { system, kind, delay });
        if let Some(deed) = deed
            && !delay.is_zero()
            && deed.kind != ResetKind::Nmi
        {
            let pending = if deed.kind.boots() { Power::PoweringOn } else { Power::PoweringOff };
            self.systems[system].pending = Some(pending);
        }
        Ok(Outcome { response: self.reply(self.rules.action_reply, None), deed })
    }

    /// The action to be done now: a boot consumes the override.
    pub(crate) fn begin(&mut self, deed: Deed) -> Action {
        if let Some(system) = self.systems.get_mut(deed.system) {
            system.pending = None;
        }
        let boot = if deed.kind.boots() { self.boot(deed.system) } else { BootSource::default() };
        match deed.kind {
            ResetKind::On => Action::On(boot),
            ResetKind::ForceOff => Action::ForceOff,
            ResetKind::GracefulShutdown => Action::GracefulShutdown,
            ResetKind::ForceRestart => Action::ForceRestart(boot),
            ResetKind::GracefulRestart => Action::GracefulRestart(boot),
            ResetKind::PowerCycle => Action::PowerCycle(boot),
            ResetKind::Nmi => Action::Nmi,
        }
    }

    /// What a booting system boots from; its `Once` override is gone afterwards.
    pub(crate) fn boot(&mut self, system: usize) -> BootSource {
        let Some(system) = self.systems.get_mut(system) else {
            return BootSource::default();
        };
        let source = system.boot.as_mut().map(BootOverride::consume).unwrap_or_default();
        if system.active != system.boot {
            system.active.clone_from(&system.boot);
        }
        if source.target.is_some() {
            system.touch(&mut self.tree);
        }
        source
    }

    /// Sets the override past all rules, where the system has one.
    pub(crate) fn set_boot(&mut self, system: usize, boot: BootOverride) {
        if let Some(system) = self.systems.get_mut(system)
            && system.boot.is_some()
        {
            system.boot = Some(boot);
            system.touch(&mut self.tree);
        }
    }
}

enum Meaning {
    Do(ResetKind),
    /// The machine is there already.
    Repeated,
    /// The machine is off; where the BMC takes it all the same, this happens.
    NeedsPower(Option<ResetKind>),
}

fn meaning(word: &str, is_on: bool) -> Option<Meaning> {
    use ResetKind as Kind;
    let running =
        |kind| if is_on { Meaning::Do(kind) } else { Meaning::NeedsPower(Some(Kind::On)) };
    Some(match word {
        "On" | "ForceOn" if is_on => Meaning::Repeated,
        "PushPowerButton" if is_on => Meaning::Do(Kind::GracefulShutdown),
        "On" | "ForceOn" | "PushPowerButton" => Meaning::Do(Kind::On),
        "ForceOff" | "GracefulShutdown" | "Off" if !is_on => Meaning::Repeated,
        "ForceOff" => Meaning::Do(Kind::ForceOff),
        "GracefulShutdown" | "Off" => Meaning::Do(Kind::GracefulShutdown),
        "ForceRestart" => running(Kind::ForceRestart),
        "GracefulRestart" => running(Kind::GracefulRestart),
        "PowerCycle" => running(Kind::PowerCycle),
        "Nmi" if is_on => Meaning::Do(Kind::Nmi),
        "Nmi" => Meaning::NeedsPower(None),
        _ => return None,
    })
}

fn check(rule: &Precondition, is_on: bool) -> Result<(), Response> {
    match rule {
        Precondition::Accept => Ok(()),
        Precondition::Refuse { status, message_id } => {
            let power = if is_on { "on" } else { "off" };
            let message = format!("The operation is not possible: the power is {power}.");
            Err(refusal(*status, message_id, &message, &[power]))
        }
    }
}
