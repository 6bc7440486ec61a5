//! `ComputerSystem.Reset`: which types are taken, and what they mean for the machine.

use std::time::{Duration, Instant};

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
        if !is_on && matches!(word, "On" | "ForceOn" | "PushPowerButton") {
            self.check_power_on(system, word)?;
        }
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

    /// Whether a machine that is off may be switched on now.
    fn check_power_on(&self, system: usize, word: &str) -> Result<(), Response> {
        let rest = self.rules.rest_after_off;
        let went_off = self.systems[system].went_off;
        if went_off.is_some_and(|off| off.elapsed() < rest) {
            let message = "The parameter ResetType conflicts with the state of the machine.";
            let args = ["ResetType", word];
            return Err(refusal(409, "ActionParameterValueConflict", message, &args));
        }
        if self.rules.power_needs_chassis && self.tree.has_chassis_off() {
            let message = "The chassis is off.";
            return Err(refusal(400, "ResourceInStandby", message, &[]));
        }
        Ok(())
    }

    /// `Chassis.Reset`: the enclosure itself, not the systems in it.
    pub(super) fn reset_chassis(
        &mut self,
        owner: &str,
        action: &Value,
        parameters: &Map<String, Value>,
    ) -> Result<(), Response> {
        let name = "Chassis.Reset";
        let wanted =
            parameters.get("ResetType").ok_or_else(|| parameter_missing(name, "ResetType"))?;
        let listed = self.tree.allowed(action, "ResetType");
        let power = match wanted.as_str() {
            Some(word) if listed.is_some_and(|it| !it.iter().any(|it| it == word)) => None,
            Some("On" | "ForceOn" | "ForceRestart" | "PowerCycle") => Some(Power::On),
            Some("ForceOff" | "Off" | "GracefulShutdown") => Some(Power::Off),
            _ => None,
        };
        let power = power.ok_or_else(|| parameter_not_in_list(name, "ResetType", wanted))?;
        if let Some(members) = self.tree.change(owner) {
            members.insert("PowerState".to_owned(), Value::from(power.as_str()));
        }
        Ok(())
    }

    /// What is to be done now, in this order: a boot consumes the override.
    pub(crate) fn begin(&mut self, deed: Deed) -> Vec<Action> {
        let had_job = self.systems.get_mut(deed.system).is_some_and(|system| {
            system.pending = None;
            deed.kind.boots() && std::mem::take(&mut system.job)
        });
        self.log_reset(deed);
        let boot = if deed.kind.boots() { self.boot(deed.system) } else { BootSource::default() };
        if matches!(deed.kind, ResetKind::ForceOff | ResetKind::GracefulShutdown)
            && let Some(system) = self.systems.get_mut(deed.system)
        {
            system.went_off = Some(Instant::now());
        }
        let action = match deed.kind {
            ResetKind::On if self.rules.power_on_falls_back => Action::ForceOff,
            ResetKind::On => Action::On(boot),
            ResetKind::ForceOff => Action::ForceOff,
            ResetKind::GracefulShutdown => Action::GracefulShutdown,
            ResetKind::GracefulRestart if self.rules.graceful_restart_is_forced => {
                Action::ForceRestart(boot)
            }
            ResetKind::ForceRestart => Action::ForceRestart(boot),
            ResetKind::GracefulRestart => Action::GracefulRestart(boot),
            ResetKind::PowerCycle if self.rules.power_cycle_stays_off => Action::ForceOff,
            ResetKind::PowerCycle => Action::PowerCycle(boot),
            ResetKind::Nmi => Action::Nmi,
        };
        // The job's boot has taken the override: the one after it follows the machine's own order.
        let again = had_job.then(|| Action::ForceRestart(BootSource::default()));
        [Some(action), again].into_iter().flatten().collect()
    }

    /// What a booting system boots from; its `Once` override is gone afterwards.
    pub(crate) fn boot(&mut self, system: usize) -> BootSource {
        let Some(system) = self.systems.get_mut(system) else {
            return BootSource::default();
        };
        system.booted = Some(Instant::now());
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
