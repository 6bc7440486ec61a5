//! What an action means for a machine in the state that was just read.

use redfish::{PowerAction, PowerState};

use super::error::{IpmiError, IpmiErrorKind};
use super::verb::Control;

/// What became of a power action.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an action is sent or has nothing to do")]
pub enum Powered {
    /// The service processor took it.
    Sent,
    /// The machine was in this state already; nothing was sent.
    Already(PowerState),
}

/// What to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Send(Control),
    Nothing(PowerState),
}

/// The command for a machine in this state. A reset of a machine that is off is refused here, since
/// the specification leaves open whether it switches on (IPMI 2.0 section 28.3).
pub(super) fn step(action: PowerAction, state: &PowerState) -> Result<Step, IpmiError> {
    let is_off = *state == PowerState::Off;
    Ok(match action {
        PowerAction::On if *state == PowerState::On => Step::Nothing(PowerState::On),
        PowerAction::Off | PowerAction::Soft if is_off => Step::Nothing(PowerState::Off),
        PowerAction::Cycle | PowerAction::ResetOrOn if is_off => Step::Send(Control::On),
        PowerAction::Reset | PowerAction::Nmi if is_off => {
            let kind = IpmiErrorKind::Refused;
            return Err(IpmiError::not_sent(kind, "not sent, for the machine is off"));
        }
        PowerAction::On => Step::Send(Control::On),
        PowerAction::Off => Step::Send(Control::Off),
        PowerAction::Soft => Step::Send(Control::Soft),
        PowerAction::Cycle => Step::Send(Control::Cycle),
        PowerAction::Reset | PowerAction::ResetOrOn => Step::Send(Control::Reset),
        PowerAction::Nmi => Step::Send(Control::Nmi),
        other => {
            let text = format!("IPMI has no power action {other}");
            return Err(IpmiError::not_sent(IpmiErrorKind::Unsupported, text));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_is_off_is_switched_on_by_a_cycle_and_never_by_a_reset() {
        let off = PowerState::Off;
        assert_eq!(step(PowerAction::Cycle, &off), Ok(Step::Send(Control::On)));
        assert_eq!(step(PowerAction::Off, &off), Ok(Step::Nothing(PowerState::Off)));
        assert_eq!(step(PowerAction::Soft, &off), Ok(Step::Nothing(PowerState::Off)));
        for action in [PowerAction::Reset, PowerAction::Nmi] {
            let error = step(action, &off).unwrap_err();
            assert!(!error.leaves_outcome_open() && !error.allows_another_way());
        }
        assert_eq!(step(PowerAction::On, &PowerState::On), Ok(Step::Nothing(PowerState::On)));
        assert_eq!(step(PowerAction::Reset, &PowerState::On), Ok(Step::Send(Control::Reset)));
    }
}
