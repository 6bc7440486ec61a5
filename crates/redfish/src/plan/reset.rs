//! Which reset a power action is.

use crate::{PowerAction, PowerState, ResetType};

/// How a power action is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResetPlan {
    Send(ResetType),
    /// Cut the power, wait until it is off, switch on.
    OffThenOn,
    /// The types the BMC offers decide; they have to be read.
    ReadTypes,
    NotOffered(ResetType),
}

/// The plan, from the types that are offered where they are known.
///
/// Without a list, the types every BMC but Cray EX offers are sent at once; a graceful shutdown is
/// looked up first. A cycle is an off that is waited for and an on: a native one leaves machines off
/// (powerman issue 148), and nothing shows that it took place.
pub(crate) fn plan(action: PowerAction, offered: Option<&[ResetType]>) -> ResetPlan {
    let (preferred, instead): (ResetType, &[ResetType]) = match action {
        PowerAction::On => (ResetType::On, &[ResetType::ForceOn]),
        PowerAction::Off => (ResetType::ForceOff, &[]),
        PowerAction::Soft => (ResetType::GracefulShutdown, &[]),
        PowerAction::Cycle => (ResetType::PowerCycle, &[]),
        PowerAction::Reset | PowerAction::ResetOrOn => {
            (ResetType::ForceRestart, &[ResetType::PowerCycle])
        }
        PowerAction::Nmi => (ResetType::Nmi, &[]),
    };
    let Some(offered) = offered else {
        return match action {
            PowerAction::Soft => ResetPlan::ReadTypes,
            PowerAction::Cycle => ResetPlan::OffThenOn,
            _ => ResetPlan::Send(preferred),
        };
    };
    let is_offered = |word: &str| offered.iter().any(|known| known.as_str() == word);
    let goes_off_and_on = is_offered("ForceOff") && is_offered("On");
    if action == PowerAction::Cycle && goes_off_and_on {
        return ResetPlan::OffThenOn;
    }
    if let Some(found) = std::iter::once(&preferred).chain(instead).find(|t| offered.contains(t)) {
        return ResetPlan::Send(found.clone());
    }
    match action {
        // Cray EX: `Off` is a graceful shutdown there.
        PowerAction::Soft if is_offered("Off") => ResetPlan::Send(ResetType::Other("Off".into())),
        PowerAction::Reset | PowerAction::ResetOrOn if goes_off_and_on => ResetPlan::OffThenOn,
        _ => ResetPlan::NotOffered(preferred),
    }
}

/// The reset type that would be needed and is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused(pub(crate) ResetType);

/// The resets that an action sends to a machine in this state.
pub(crate) fn steps(
    action: PowerAction,
    state: &PowerState,
    offered: Option<&[ResetType]>,
) -> Result<Vec<ResetType>, Refused> {
    if action.goal().as_ref() == Some(state) {
        return Ok(Vec::new());
    }
    let off_means_on = matches!(action, PowerAction::Cycle | PowerAction::ResetOrOn);
    let action = if off_means_on && *state == PowerState::Off { PowerAction::On } else { action };
    let plan = match offered {
        None => plan_without_list(action),
        offered => plan(action, offered),
    };
    match plan {
        ResetPlan::Send(kind) => Ok(vec![kind]),
        ResetPlan::OffThenOn => Ok(vec![ResetType::ForceOff, ResetType::On]),
        ResetPlan::NotOffered(wanted) => Err(Refused(wanted)),
        // A plan with a list never asks for one, nor does the plan without.
        ResetPlan::ReadTypes => Ok(Vec::new()),
    }
}

/// The plan where the BMC lists its types nowhere.
pub(crate) fn plan_without_list(action: PowerAction) -> ResetPlan {
    match action {
        PowerAction::Soft => ResetPlan::Send(ResetType::GracefulShutdown),
        _ => plan(action, None),
    }
}
