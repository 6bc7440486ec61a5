//! The four steps, in the order that puts what cannot be undone last, and the way back.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::cause::Cause;
use crate::exit::ExitClass;
use crate::interrupt::Interrupt;
use crate::ops::reinstall::outcome::{Actions, Machine, Once, Remove, Reset, Write};
use crate::ops::reinstall::progress::{LinkState, OnceState, Progress, ResetState};
use crate::pool;

/// How the steps are carried out.
#[derive(Debug, Clone)]
pub(crate) struct Pace {
    /// How many BMCs are asked at a time (`bmc.redfish.maxConcurrent`).
    pub(crate) width: NonZeroUsize,
    /// How many machines are reset together at most (`safety.powerOnBatch`).
    pub(crate) batch: NonZeroUsize,
    /// The pause between two batches (`safety.powerOnStagger`).
    pub(crate) stagger: Duration,
    /// Whether the host key file is left alone.
    pub(crate) keep_host_keys: bool,
    /// Whether the machines are left for somebody else to reset.
    pub(crate) no_reset: bool,
}

/// The step that ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    BootLink,
    BootOnce,
    HostKeys,
    Reset,
}

impl Step {
    /// What the step does, for `… failed`.
    pub(crate) fn doing(self) -> &'static str {
        match self {
            Step::BootLink => "writing the boot links",
            Step::BootOnce => "setting the machines to boot from the network once",
            Step::HostKeys => "forgetting the host keys",
            Step::Reset => "resetting the machines",
        }
    }
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Run {
    /// Every machine, in the order of the selection.
    pub(crate) machines: Vec<Progress>,
    /// The step that failed, if one did.
    pub(crate) failed: Option<Step>,
    /// Why, where no single machine is to blame.
    pub(crate) shared: Option<Cause>,
    /// Whether the person interrupted.
    pub(crate) interrupted: bool,
    /// Why host keys of machines that were not reset could not be put back.
    pub(crate) keys_lost: Option<Cause>,
}

/// Carries the steps out. A failed step, or Ctrl-C before the resets, disarms every machine that
/// was not reset.
pub(crate) fn run(
    machines: &[Machine],
    pace: &Pace,
    actions: &dyn Actions,
    interrupt: &Interrupt,
    watch: &(dyn Fn(&str, &str, &str) + Sync),
) -> Run {
    let mut run = Run {
        machines: machines.iter().cloned().map(Progress::new).collect(),
        failed: None,
        shared: None,
        interrupted: false,
        keys_lost: None,
    };
    let mut keys_forgotten = false;
    let outcome = (|| {
        run.interruption(interrupt, Step::BootLink)?;
        run.write_links(machines, actions, watch)?;
        run.interruption(interrupt, Step::BootOnce)?;
        run.boot_once(pace, actions, interrupt, watch)?;
        run.interruption(interrupt, Step::HostKeys)?;
        if !pace.keep_host_keys {
            actions.forget_host_keys(machines).map_err(|cause| {
                run.shared = Some(cause);
                Step::HostKeys
            })?;
            keys_forgotten = true;
        }
        run.interruption(interrupt, Step::Reset)?;
        if pace.no_reset { Ok(()) } else { run.reset(pace, actions, interrupt, watch) }
    })();
    if let Err(step) = outcome {
        run.failed = Some(step);
        run.look_for_consumed_links(actions);
        run.disarm(pace, actions, watch);
        if keys_forgotten {
            run.restore_host_keys(actions);
        }
    }
    run
}

impl Run {
    fn interruption(&mut self, interrupt: &Interrupt, next: Step) -> Result<(), Step> {
        if interrupt.is_raised() {
            self.interrupted = true;
            return Err(next);
        }
        Ok(())
    }

    fn write_links(
        &mut self,
        machines: &[Machine],
        actions: &dyn Actions,
        watch: &(dyn Fn(&str, &str, &str) + Sync),
    ) -> Result<(), Step> {
        let outcomes = actions.write_links(machines);
        let mut outcomes = outcomes.into_iter();
        for progress in &mut self.machines {
            // An outcome that is missing says nothing: the link may be there.
            progress.link = match outcomes.next() {
                Some(Write::Written) => LinkState::Set,
                Some(Write::Failed(cause)) => LinkState::Failed(cause),
                Some(Write::Unknown(cause)) => LinkState::Unknown(cause),
                None => LinkState::Unknown(not_reported()),
            };
            watch(&progress.machine.node, "boot link", progress.link_cell());
        }
        let all_set = self.machines.iter().all(|progress| progress.link == LinkState::Set);
        if all_set { Ok(()) } else { Err(Step::BootLink) }
    }

    fn boot_once(
        &mut self,
        pace: &Pace,
        actions: &dyn Actions,
        interrupt: &Interrupt,
        watch: &(dyn Fn(&str, &str, &str) + Sync),
    ) -> Result<(), Step> {
        let outcomes = pool::run(&self.machines, pace.width, interrupt, |progress| {
            actions.boot_once(&progress.machine)
        });
        for (progress, outcome) in self.machines.iter_mut().zip(outcomes) {
            progress.once = match outcome {
                Some(Once::Set(warning)) => OnceState::Set(warning),
                Some(Once::NotSent(cause)) => OnceState::NotSent(cause),
                Some(Once::Refused(cause)) => OnceState::Refused(cause),
                Some(Once::Unknown(cause)) => OnceState::Unknown(cause),
                None => OnceState::NotTried,
            };
            watch(&progress.machine.node, "boot once", progress.once_cell());
        }
        let all_set =
            self.machines.iter().all(|progress| matches!(progress.once, OnceState::Set(_)));
        if interrupt.is_raised() {
            self.interrupted = true;
        }
        if all_set { Ok(()) } else { Err(Step::BootOnce) }
    }

    fn reset(
        &mut self,
        pace: &Pace,
        actions: &dyn Actions,
        interrupt: &Interrupt,
        watch: &(dyn Fn(&str, &str, &str) + Sync),
    ) -> Result<(), Step> {
        let size = pool::batch_size(self.machines.len(), pace.batch);
        let mut failed = false;
        for (index, batch) in self.machines.chunks_mut(size).enumerate() {
            let stopped = failed || interrupt.is_raised();
            if stopped || (index > 0 && interrupt.sleep(pace.stagger)) {
                let short = if failed { "not tried" } else { "not sent" };
                for progress in batch {
                    let class = if failed { ExitClass::Success } else { ExitClass::Interrupted };
                    progress.reset =
                        ResetState::NotSent(Cause::new(class, short, "it was not tried"));
                }
                continue;
            }
            let outcomes = pool::run(batch, pace.width, interrupt, |progress| {
                watch(&progress.machine.node, "reset", "sending");
                actions.reset(&progress.machine)
            });
            for (progress, outcome) in batch.iter_mut().zip(outcomes) {
                progress.reset = match outcome {
                    Some(Reset::Sent) => ResetState::Sent,
                    Some(Reset::NotSent(cause)) => ResetState::NotSent(cause),
                    Some(Reset::Refused(cause)) => ResetState::Refused(cause),
                    Some(Reset::Unknown(cause)) => ResetState::Unknown(cause),
                    None => ResetState::NotSent(Cause::interrupted()),
                };
                watch(&progress.machine.node, "reset", progress.reset_cell());
                failed |= progress.reset != ResetState::Sent;
            }
        }
        self.interrupted |= interrupt.is_raised();
        let all_sent = self.machines.iter().all(|progress| progress.reset == ResetState::Sent);
        if all_sent { Ok(()) } else { Err(Step::Reset) }
    }

    /// A machine whose reset is unknown and whose link is gone has fetched it: it reinstalls.
    fn look_for_consumed_links(&mut self, actions: &dyn Actions) {
        let unknown = |progress: &&mut Progress| {
            matches!(progress.reset, ResetState::Unknown(_)) && !progress.machine.persistent
        };
        let mut asked: Vec<&mut Progress> = self.machines.iter_mut().filter(unknown).collect();
        if asked.is_empty() {
            return;
        }
        let machines: Vec<Machine> =
            asked.iter().map(|progress| progress.machine.clone()).collect();
        let present = actions.links_present(&machines.iter().collect::<Vec<_>>());
        for (progress, present) in asked.iter_mut().zip(present) {
            if present == Some(false) {
                progress.link = LinkState::Consumed;
            }
        }
    }

    /// Clears overrides and removes links of every machine that was certainly not reset.
    fn disarm(
        &mut self,
        pace: &Pace,
        actions: &dyn Actions,
        watch: &(dyn Fn(&str, &str, &str) + Sync),
    ) {
        // The way back is not interrupted: a second Ctrl-C ends the process itself.
        let never = Interrupt::new();
        let cleared = pool::run(&self.machines, pace.width, &never, |progress| {
            let needed = progress.once_may_be_set() && !progress.may_be_reset();
            needed.then(|| actions.clear_boot_once(&progress.machine))
        });
        for (progress, cleared) in self.machines.iter_mut().zip(cleared) {
            let Some(Some(cleared)) = cleared else { continue };
            progress.once = match (cleared, &progress.once) {
                (Ok(()), OnceState::Unknown(first)) => OnceState::Cleared(Some(first.clone())),
                (Ok(()), _) => OnceState::Cleared(None),
                (Err(cause), OnceState::Unknown(first)) => {
                    OnceState::StillUnknown(first.clone(), cause)
                }
                (Err(cause), _) => OnceState::NotCleared(cause),
            };
            watch(&progress.machine.node, "undo boot once", progress.once_cell());
        }
        let needed =
            |progress: &&mut Progress| progress.link_may_be_set() && !progress.may_be_reset();
        let mut undone: Vec<&mut Progress> = self.machines.iter_mut().filter(needed).collect();
        if undone.is_empty() {
            return;
        }
        let machines: Vec<Machine> =
            undone.iter().map(|progress| progress.machine.clone()).collect();
        let outcomes = actions.remove_links(&machines.iter().collect::<Vec<_>>());
        let mut outcomes = outcomes.into_iter();
        for progress in &mut undone {
            let outcome = outcomes.next().unwrap_or_else(|| Remove::Failed(not_reported()));
            progress.link = match (&progress.link, outcome) {
                (LinkState::Unknown(cause), Remove::Removed | Remove::Absent) => {
                    LinkState::UnknownThenGone(cause.clone())
                }
                (LinkState::Unknown(cause), Remove::Failed(_)) => LinkState::Unknown(cause.clone()),
                (_, Remove::Removed) => LinkState::Removed,
                (_, Remove::Absent) => LinkState::Consumed,
                (_, Remove::Failed(cause)) => LinkState::NotRemoved(cause),
            };
            watch(&progress.machine.node, "undo boot link", progress.link_cell());
        }
    }

    fn restore_host_keys(&mut self, actions: &dyn Actions) {
        let kept: Vec<&Machine> = self
            .machines
            .iter()
            .filter(|progress| !progress.may_be_reset())
            .map(|progress| &progress.machine)
            .collect();
        if !kept.is_empty() {
            self.keys_lost = actions.restore_host_keys(&kept).err();
        }
    }
}

fn not_reported() -> Cause {
    Cause::new(ExitClass::Unreachable, "unknown", "the host stopped before it reported this link")
}
