//! `ipmipower` of FreeIPMI: its words, and what it says. Texts are those of FreeIPMI 1.6.

use std::time::Duration;

use redfish::PowerState;

use super::error::{IpmiError, IpmiErrorKind};
use super::reply::Reply;
use super::script;
use super::suite::Suite;
use super::verb::{Control, Verb};
use crate::config::kinds::IpmiSpec;

/// After that long without an answer nobody is there (FreeIPMI's own default).
const SESSION: Duration = Duration::from_secs(20);

/// The command without its hosts; `None` for what ipmipower has no option for.
pub(super) fn command(
    settings: &IpmiSpec,
    suite: Suite,
    verb: Verb,
    width: usize,
) -> Option<Vec<String>> {
    let option = match verb {
        Verb::PowerState => "--stat",
        Verb::Power(Control::On) => "--on",
        Verb::Power(Control::Off) => "--off",
        Verb::Power(Control::Soft) => "--soft",
        Verb::Power(Control::Cycle) => "--cycle",
        Verb::Power(Control::Reset) => "--reset",
        Verb::Power(Control::Nmi) => "--pulse",
        Verb::BootFlags | Verb::KeepBootFlags | Verb::SetBoot(_) => return None,
    };
    let session = settings.timeout.min(SESSION).as_millis().max(1);
    let mut words = vec![
        settings.ipmipower_path.clone(),
        format!("--config-file={}", script::SECRET),
        format!("--driver-type={}", settings.driver.word()),
        "--privilege-level=OPERATOR".to_owned(),
        "--always-prefix".to_owned(),
        format!("--fanout={width}"),
        format!("--session-timeout={session}"),
    ];
    if !verb.is_idempotent() {
        // One datagram: what is sent again could be done twice.
        words.push(format!("--retransmission-timeout={session}"));
    }
    words.extend(suite.id().map(|id| format!("--cipher-suite-id={id}")));
    if !settings.workaround_flags.is_empty() {
        words.push(format!("--workaround-flags={}", settings.workaround_flags.join(",")));
    }
    words.push(option.to_owned());
    Some(words)
}

/// The answer of the service processor at this address among all lines, or why there is none. Only
/// one line that is known word for word is an answer.
pub(super) fn reply(verb: Verb, address: &str, lines: &[String]) -> Result<Reply, IpmiError> {
    let mut said = lines
        .iter()
        .filter_map(|line| line.strip_prefix(address)?.strip_prefix(": "))
        .map(str::trim_end);
    match (said.next(), said.next()) {
        (None, _) => Err(unknown(verb, "ipmipower says nothing about it".to_owned())),
        (Some(text), None) => said_of_one(verb, text),
        (Some(one), Some(other)) => {
            Err(unknown(verb, format!("ipmipower says several things: {one} / {other}")))
        }
    }
}

fn said_of_one(verb: Verb, text: &str) -> Result<Reply, IpmiError> {
    match (verb, text) {
        (Verb::PowerState, "on") => return Ok(Reply::State(PowerState::On)),
        (Verb::PowerState, "off") => return Ok(Reply::State(PowerState::Off)),
        (Verb::Power(_), "ok") => return Ok(Reply::Done),
        _ => {}
    }
    // Before the session stands, nothing else was sent.
    let before = |kind| Err(IpmiError::not_sent(kind, text));
    match text {
        "invalid hostname" => before(IpmiErrorKind::Unresolved),
        "connection timeout" | "not discovered" | "bad connection" => {
            before(IpmiErrorKind::Unreachable)
        }
        "ipmi 2.0 unavailable" => before(IpmiErrorKind::Unsupported),
        "cipher suite id unavailable" | "password verification timeout" => {
            before(IpmiErrorKind::CipherSuite)
        }
        "username invalid"
        | "password invalid"
        | "password length invalid"
        | "k_g invalid"
        | "privilege level insufficient"
        | "privilege level cannot be obtained for this user"
        | "authentication type unavailable for attempted privilege level" => {
            before(IpmiErrorKind::Unauthorized)
        }
        // Where a service processor does not say which part of a suite it lacks. A session that
        // never came to its end is the same, of one that does not answer to a suite it lacks.
        "BMC error" | "session timeout" if verb.is_read() => before(IpmiErrorKind::CipherSuite),
        "BMC busy" | "BMC error" | "operation invalid" => {
            Err(IpmiError::perhaps_sent(IpmiErrorKind::Refused, text))
        }
        "session timeout" => Err(IpmiError::perhaps_sent(IpmiErrorKind::Unknown, text)),
        other => Err(unknown(verb, format!("ipmipower says something unknown: {other}"))),
    }
}

fn unknown(verb: Verb, text: String) -> IpmiError {
    if verb.is_read() {
        IpmiError::not_sent(IpmiErrorKind::Unknown, text)
    } else {
        IpmiError::perhaps_sent(IpmiErrorKind::Unknown, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(verb: Verb, text: &str) -> Result<Reply, IpmiError> {
        reply(verb, "10.0.0.1", &[format!("10.0.0.1: {text}"), "10.0.0.11: off".to_owned()])
    }

    const RESET: Verb = Verb::Power(Control::Reset);

    #[test]
    fn what_ipmipower_says_of_a_success_is_known_word_for_word() {
        assert_eq!(of(Verb::PowerState, "on"), Ok(Reply::State(PowerState::On)));
        assert_eq!(of(Verb::PowerState, "off"), Ok(Reply::State(PowerState::Off)));
        assert_eq!(of(RESET, "ok"), Ok(Reply::Done));
        let lines = ["fe80::1: on".to_owned()];
        assert_eq!(reply(Verb::PowerState, "fe80::1", &lines), Ok(Reply::State(PowerState::On)));
    }

    #[test]
    fn ip02_ip03_nothing_said_and_anything_else_is_no_state_and_no_success() {
        for text in ["ok", "On", "", "on, more", "unknown", "on: off"] {
            let error = of(Verb::PowerState, text).unwrap_err();
            assert_eq!(error.kind(), IpmiErrorKind::Unknown, "{text}");
            assert!(error.to_string().contains(text) && !error.allows_another_way());
        }
        for text in ["on", "off", "OK", "session timeout", "whatever"] {
            assert!(of(RESET, text).unwrap_err().leaves_outcome_open(), "{text}");
        }
        for lines in [&[][..], &["10.0.0.2: on".to_owned()], &["ipmipower: 10.0.0.1".to_owned()]] {
            let error = reply(Verb::PowerState, "10.0.0.1", lines).unwrap_err();
            assert!(error.to_string().contains("says nothing"));
            assert!(reply(RESET, "10.0.0.1", lines).unwrap_err().leaves_outcome_open());
        }
        let twice = ["10.0.0.1: on".to_owned(), "10.0.0.1: off".to_owned()];
        assert!(reply(Verb::PowerState, "10.0.0.1", &twice).is_err());
    }

    #[test]
    fn failures_are_told_apart() {
        use IpmiErrorKind::{CipherSuite, Refused, Unauthorized, Unreachable, Unsupported};
        for (text, kind, goes_on) in [
            ("connection timeout", Unreachable, true),
            ("ipmi 2.0 unavailable", Unsupported, true),
            ("cipher suite id unavailable", CipherSuite, true),
            ("password invalid", Unauthorized, false),
            ("username invalid", Unauthorized, false),
            ("privilege level cannot be obtained for this user", Unauthorized, false),
            ("BMC busy", Refused, false),
        ] {
            for verb in [Verb::PowerState, RESET] {
                let error = of(verb, text).unwrap_err();
                assert_eq!((error.kind(), error.allows_another_way()), (kind, goes_on), "{text}");
                assert!(!error.leaves_outcome_open(), "{text}");
            }
        }
        // ipmi_sim's answer to suite 17.
        assert_eq!(of(Verb::PowerState, "BMC error").unwrap_err().kind(), CipherSuite);
        assert_eq!(of(RESET, "BMC error").unwrap_err().kind(), Refused);
    }

    #[test]
    fn only_what_may_happen_twice_is_sent_again() {
        let settings = IpmiSpec::default();
        let words = |verb| command(&settings, Suite::Sha256, verb, 8).unwrap().join(" ");
        assert!(words(RESET).contains("--retransmission-timeout=20000"));
        assert!(!words(Verb::Power(Control::Off)).contains("--retransmission-timeout"));
        assert!(words(Verb::PowerState).contains("--cipher-suite-id=17"));
        assert_eq!(command(&settings, Suite::Sha1, Verb::BootFlags, 8), None);
    }
}
