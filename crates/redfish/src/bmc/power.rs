//! Power and reset.

use std::time::Duration;

use http::Method;
use serde_json::json;

use super::Bmc;
use super::exchange::Run;
use crate::known::ResetRoute;
use crate::plan::reset::{ResetPlan, plan, plan_without_list};
use crate::plan::tag::IfMatch;
use crate::system::action_info_types;
use crate::{Delivery, Error, ErrorKind, PowerAction, PowerState, ResetType, Transport, quirk};

/// Between two reads of a state that is waited for.
const POLL: Duration = Duration::from_secs(2);
/// Between two attempts to switch on a machine that was switched off just now.
const SWITCH_ON: Duration = Duration::from_secs(10);

/// What a BMC says to an action it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a BMC may answer before it has acted"]
pub enum Accepted {
    /// It says it is done.
    Done,
    /// It works on it (202); the task's monitor, where it names one.
    Task(Option<crate::ResourcePath>),
}

/// What became of a power action.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a BMC may answer before it has acted"]
#[non_exhaustive]
pub enum PowerOutcome {
    /// The machine is in that state already.
    Already(PowerState),
    /// Sent and taken.
    Sent {
        /// What was sent last.
        reset: ResetType,
        /// What the BMC said to it.
        accepted: Accepted,
    },
}

impl<T: Transport> Bmc<T> {
    /// Posts a reset, exactly once. What became of it is told apart by
    /// [`Error::delivery`]: not sent, refused (`Answered`), or unknown (`PerhapsCarriedOut`: read
    /// the power state, do not send it again).
    ///
    /// A type that the profile does not name, or that the BMC lists types without, is refused
    /// before anything is sent. Where the list is elsewhere it is read only after a refusal.
    pub fn reset(&self, kind: &ResetType) -> Result<Accepted, Error> {
        let run = self.begin();
        let route = self.reset_route(&run)?;
        self.post_reset(&run, &route, kind)
    }

    /// Brings about what an administrator wants of the power, with the reset types the BMC offers.
    ///
    /// `on`, `off` and `soft` succeed where the machine is in that state already, as its power
    /// state says. Each reset type is sent at most once; a second one only after the BMC refused
    /// the first and turned out not to offer it, or for a cycle that is an off and an on.
    pub fn power(&self, action: PowerAction) -> Result<PowerOutcome, Error> {
        let run = self.begin();
        let is_known = self.state().known.reset.is_some();
        let was_on = self.state().power == Some(PowerState::On);
        // A machine last seen on that is off by now refuses the reset, and is switched on then. One
        // last seen off may be on by now, where switching on would do nothing.
        let depends_on_state = match action {
            PowerAction::Cycle => true,
            PowerAction::ResetOrOn => !was_on,
            _ => false,
        };
        let mut state = None;
        if !is_known || depends_on_state {
            state = Some(self.read_system(&run)?.power_state());
        }
        if let (Some(state), Some(goal)) = (&state, action.goal())
            && *state == goal
        {
            return Ok(PowerOutcome::Already(goal));
        }
        let off_means_on = matches!(action, PowerAction::Cycle | PowerAction::ResetOrOn);
        if state == Some(PowerState::Off) && off_means_on {
            return self.carry_out(&run, PowerAction::On);
        }
        self.carry_out(&run, action)
    }

    /// Reads the power state until it is this one or the time is up; gives the last one read.
    pub fn wait_for(&self, state: &PowerState, time: Duration) -> Result<PowerState, Error> {
        let mut run = self.begin();
        run.deadline = self.clock.now() + time;
        if let Some(until) = self.until {
            run.deadline = run.deadline.min(until);
        }
        self.poll(&run, state)
    }

    fn carry_out(&self, run: &Run, action: PowerAction) -> Result<PowerOutcome, Error> {
        let mut route = self.reset_route(run)?;
        let allowed = self.profile.reset_types.clone();
        let mut next = plan(action, allowed.as_deref().or(route.types.as_deref()));
        if next == ResetPlan::ReadTypes {
            route.types = self.look_up_types(run, &route)?;
            next = match &route.types {
                Some(types) => plan(action, Some(types)),
                None => plan_without_list(action),
            };
        }
        let kind = match next {
            ResetPlan::OffThenOn => return self.off_then_on(run, &route),
            ResetPlan::NotOffered(wanted) => return Err(self.not_offered(&route, wanted)),
            ResetPlan::Send(kind) => kind,
            // Answered above, and a plan with a list never asks for one.
            ResetPlan::ReadTypes => ResetType::GracefulShutdown,
        };
        let refused = match self.post_reset(run, &route, &kind) {
            Ok(accepted) => return Ok(PowerOutcome::Sent { reset: kind, accepted }),
            Err(error) if error.delivery() == Delivery::Answered && is_refusal(&error) => error,
            Err(error) if matches!(error.kind(), ErrorKind::ResetTypeNotOffered { .. }) => error,
            Err(error) => return Err(error),
        };
        self.after_refusal(run, action, &kind, refused)
    }

    /// A refusal may mean that the machine is in that state already (409 on Dell, 400 on iLO), or
    /// that the type is not offered, in which case another one may be.
    fn after_refusal(
        &self,
        run: &Run,
        action: PowerAction,
        sent: &ResetType,
        refused: Error,
    ) -> Result<PowerOutcome, Error> {
        if let ErrorKind::ResetTypeNotOffered { offered, .. } = refused.kind() {
            return match plan(action, Some(offered)) {
                ResetPlan::Send(other) if other != *sent && refused.status().is_some() => {
                    let route = self.reset_route(run)?;
                    let accepted = self.post_reset(run, &route, &other)?;
                    Ok(PowerOutcome::Sent { reset: other, accepted })
                }
                ResetPlan::OffThenOn => {
                    let route = self.reset_route(run)?;
                    self.off_then_on(run, &route)
                }
                _ => Err(refused),
            };
        }
        let Ok(system) = self.read_system(run) else { return Err(refused) };
        let state = system.power_state();
        match action.goal() {
            Some(goal) if state == goal => Ok(PowerOutcome::Already(goal)),
            _ if action == PowerAction::On
                && state == PowerState::Off
                && quirk::is_too_soon(refused.status(), refused.messages())
                && self.wait(run, SWITCH_ON) =>
            {
                let route = self.reset_route(run)?;
                self.switch_on(run, &route)
            }
            _ if action == PowerAction::ResetOrOn && state == PowerState::Off => {
                self.carry_out(run, PowerAction::On)
            }
            _ if matches!(action, PowerAction::Reset | PowerAction::Nmi)
                && state == PowerState::Off =>
            {
                Err(refused.with_kind(ErrorKind::MachineIsOff))
            }
            _ => Err(refused),
        }
    }

    /// Off, wait until it is off, on. An error after the off says that the machine was left off.
    fn off_then_on(&self, run: &Run, route: &ResetRoute) -> Result<PowerOutcome, Error> {
        // The outcome of the off shows in the state that is waited for.
        let _taken: Accepted = self.post_reset(run, route, &ResetType::ForceOff)?;
        let left_off = |cause: Error| {
            self.failure(ErrorKind::LeftOff)
                .with_delivery(Delivery::PerhapsCarriedOut)
                .caused_by(cause)
        };
        match self.poll(run, &PowerState::Off) {
            Ok(PowerState::Off) => {}
            Ok(_) => return Err(left_off(self.failure(ErrorKind::Deadline))),
            Err(error) => return Err(left_off(error)),
        }
        self.switch_on(run, route).map_err(left_off)
    }

    /// Switches on. iDRAC 10 refuses that for up to a minute after an off; each refusal is waited
    /// out and said at the end of the time.
    fn switch_on(&self, run: &Run, route: &ResetRoute) -> Result<PowerOutcome, Error> {
        loop {
            match self.post_reset(run, route, &ResetType::On) {
                Ok(accepted) => return Ok(PowerOutcome::Sent { reset: ResetType::On, accepted }),
                Err(refused) if is_refused_for_now(&refused) && self.wait(run, SWITCH_ON) => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn poll(&self, run: &Run, goal: &PowerState) -> Result<PowerState, Error> {
        loop {
            let state = self.read_system(run)?.power_state();
            if state == *goal || !self.wait(run, POLL) {
                return Ok(state);
            }
        }
    }

    /// Remembers the power state a resource shows.
    pub(super) fn see_power(&self, resource: Option<&serde_json::Value>) {
        if let Some(shown) = resource.and_then(|resource| resource.get("PowerState")) {
            self.state().power = Some(PowerState::read(Some(shown)));
        }
    }

    pub(super) fn reset_route(&self, run: &Run) -> Result<ResetRoute, Error> {
        if let Some(route) = self.state().known.reset.clone() {
            return Ok(route);
        }
        self.read_system(run)?;
        let route = self.state().known.reset.clone();
        route.ok_or_else(|| self.failure(ErrorKind::NoReset))
    }

    fn post_reset(
        &self,
        run: &Run,
        route: &ResetRoute,
        kind: &ResetType,
    ) -> Result<Accepted, Error> {
        let listed = self.profile.reset_types.as_ref().or(route.types.as_ref());
        if listed.is_some_and(|types| !types.contains(kind)) {
            return Err(self.not_offered(route, kind.clone()));
        }
        let body = json!({ "ResetType": kind.as_str() });
        let answer = self.change(run, &Method::POST, &route.target, &body, &IfMatch::Absent)?;
        let refused = match self.accepted(&answer, &route.target) {
            Err(error) if error.status() == Some(400) && *error.kind() == ErrorKind::Refused => {
                error
            }
            result => return result,
        };
        match self.look_up_types(run, route) {
            Ok(Some(types)) if !types.contains(kind) => {
                let messages = refused.messages().to_vec();
                let route = ResetRoute { types: Some(types), ..route.clone() };
                let error = self.not_offered(&route, kind.clone());
                Err(error.with_delivery(Delivery::Answered).answered(answer.status, messages))
            }
            _ => Err(refused),
        }
    }

    /// Reads the types from the `ActionInfo` and remembers them.
    pub(super) fn look_up_types(
        &self,
        run: &Run,
        route: &ResetRoute,
    ) -> Result<Option<Vec<ResetType>>, Error> {
        if route.types.is_some() {
            return Ok(route.types.clone());
        }
        let Some(path) = &route.action_info else { return Ok(None) };
        let types = self.resource(run, path)?.resource().and_then(action_info_types);
        if let Some(known) = &mut self.state().known.reset {
            known.types.clone_from(&types);
        }
        Ok(types)
    }

    pub(super) fn not_offered(&self, route: &ResetRoute, wanted: ResetType) -> Error {
        let (offered, profile) = match &self.profile.reset_types {
            Some(types) => (types.clone(), Some(self.profile.name.clone())),
            None => (route.types.clone().unwrap_or_default(), None),
        };
        self.failure(ErrorKind::ResetTypeNotOffered { wanted, offered, profile })
    }
}

fn is_refusal(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Refused | ErrorKind::ResetTypeNotOffered { .. })
}

fn is_refused_for_now(error: &Error) -> bool {
    error.delivery() == Delivery::Answered
        && (error.status() == Some(409) || matches!(error.kind(), ErrorKind::Busy { .. }))
}
