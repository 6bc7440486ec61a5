//! What a service processor answered.

use redfish::PowerState;

use super::boot_flags::BootFlags;
use super::error::{IpmiError, IpmiErrorKind};

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    /// To the question for the power state.
    State(PowerState),
    /// To the question for the boot flags.
    Flags(BootFlags),
    /// To a change: taken.
    Done,
}

/// One a service processor, in order.
pub(super) type Replies = Vec<Result<Reply, IpmiError>>;

impl Reply {
    pub(super) fn into_state(self) -> Result<PowerState, IpmiError> {
        match self {
            Reply::State(state) => Ok(state),
            _ => Err(IpmiError::not_sent(IpmiErrorKind::Unknown, OTHER)),
        }
    }

    pub(super) fn into_flags(self) -> Result<BootFlags, IpmiError> {
        match self {
            Reply::Flags(flags) => Ok(flags),
            _ => Err(IpmiError::not_sent(IpmiErrorKind::Unknown, OTHER)),
        }
    }

    pub(super) fn into_done(self) -> Result<(), IpmiError> {
        match self {
            Reply::Done => Ok(()),
            _ => Err(IpmiError::perhaps_sent(IpmiErrorKind::Unknown, OTHER)),
        }
    }
}

const OTHER: &str = "another question was answered";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bmc::ipmi::record;
    use crate::bmc::ipmi::verb::{Control, Verb};
    use crate::bmc::ipmi::{ipmipower, ipmitool};

    /// Text like the programs', and anything else.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("Chassis Power is "),
            Just("Chassis Power Control: "),
            Just("on"),
            Just("off"),
            Just("Reset"),
            Just("ok"),
            Just("10.0.0.1: "),
            Just("m 1 +"),
            Just("m 1 =0"),
            Just("\n"),
            Just(" "),
        ];
        prop_oneof![
            prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat()),
            any::<String>(),
        ]
    }

    proptest! {
        #[test]
        fn whatever_is_printed_is_a_state_only_if_it_is_one(text in text()) {
            let transcript = record::read(text.as_bytes(), "m", 1);
            let told = &transcript.told[0];
            if let Ok(reply) = ipmitool::reply(Verb::PowerState, told) {
                let word = if reply == Reply::State(PowerState::On) { "on" } else { "off" };
                prop_assert!(told.status == Some(0) && told.stdout.len() == 1);
                prop_assert_eq!(told.stdout[0].trim_end(), format!("Chassis Power is {word}"));
            }
            let lines = &transcript.lines;
            if let Ok(reply) = ipmipower::reply(Verb::PowerState, "10.0.0.1", lines) {
                let word = if reply == Reply::State(PowerState::On) { "on" } else { "off" };
                let said: Vec<_> = lines.iter().filter(|l| l.starts_with("10.0.0.1: ")).collect();
                let line = format!("10.0.0.1: {word}");
                prop_assert!(said.len() == 1 && said[0].trim_end() == line);
            }
            // A change is done, refused, not sent, or open; never a state.
            for reply in [
                ipmitool::reply(Verb::Power(Control::Reset), told),
                ipmipower::reply(Verb::Power(Control::Reset), "10.0.0.1", lines),
            ] {
                prop_assert!(!matches!(reply, Ok(Reply::State(_) | Reply::Flags(_))));
            }
        }
    }
}
