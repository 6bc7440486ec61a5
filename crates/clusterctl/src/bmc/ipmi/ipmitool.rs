//! `ipmitool`: its words, and what it says. Texts are those of ipmitool 1.8.18 and 1.8.19.

use redfish::PowerState;

use super::boot_flags::BootFlags;
use super::error::{IpmiError, IpmiErrorKind};
use super::record::Told;
use super::reply::Reply;
use super::script;
use super::suite::Suite;
use super::verb::{Control, Verb};

/// The words before the host. `-v` has a failure say its cause, on standard error.
pub(super) fn options<'a>(path: &'a str, user: &'a str, suite: Suite, verb: Verb) -> Vec<&'a str> {
    let interface = if suite == Suite::Version15 { "lan" } else { "lanplus" };
    let mut words = vec![path, "-v", "-I", interface, "-L", "OPERATOR", "-U", user];
    words.extend(["-f", script::SECRET]);
    if let Some(id) = suite.id() {
        words.extend(["-C", id]);
    }
    if !verb.is_idempotent() {
        // One datagram, and time for its answer: what is sent again could be done twice.
        words.extend(["-R", "1", "-N", "5"]);
    }
    words
}

/// The words after the host.
pub(super) fn command(verb: Verb) -> Vec<&'static str> {
    match verb {
        Verb::PowerState => vec!["chassis", "power", "status"],
        Verb::Power(control) => vec!["chassis", "power", word(control)],
        Verb::BootFlags => vec!["chassis", "bootparam", "get", "5"],
        Verb::KeepBootFlags => vec!["raw", "0x00", "0x08", "0x03", "0x08"],
        Verb::SetBoot(wish) => {
            let mut words = vec!["chassis", "bootdev", wish.device.word()];
            words.extend(match (wish.persistent, wish.legacy) {
                (false, false) => Some("options=efiboot"),
                (true, false) => Some("options=persistent,efiboot"),
                (false, true) => None,
                (true, true) => Some("options=persistent"),
            });
            words
        }
    }
}

fn word(control: Control) -> &'static str {
    match control {
        Control::On => "on",
        Control::Off => "off",
        Control::Soft => "soft",
        Control::Cycle => "cycle",
        Control::Reset => "reset",
        Control::Nmi => "diag",
    }
}

/// What ipmitool says when the chassis took the command.
fn confirmation(control: Control) -> &'static str {
    match control {
        Control::On => "Up/On",
        Control::Off => "Down/Off",
        Control::Soft => "Soft",
        Control::Cycle => "Cycle",
        Control::Reset => "Reset",
        Control::Nmi => "Diag",
    }
}

/// The answer, or why there is none. Only what is known word for word is an answer.
pub(super) fn reply(verb: Verb, told: &Told) -> Result<Reply, IpmiError> {
    match told.status {
        Some(0) => success(verb, told),
        Some(status) => Err(failure(verb, status, told)),
        None => Err(no_answer(verb, "it was not asked to the end")),
    }
}

fn success(verb: Verb, told: &Told) -> Result<Reply, IpmiError> {
    let lines: Vec<&str> = told.stdout.iter().map(|line| line.trim_end()).collect();
    let reply = match (verb, lines.as_slice()) {
        (Verb::PowerState, ["Chassis Power is on"]) => Some(Reply::State(PowerState::On)),
        (Verb::PowerState, ["Chassis Power is off"]) => Some(Reply::State(PowerState::Off)),
        (Verb::Power(control), [line]) => line
            .strip_prefix("Chassis Power Control: ")
            .filter(|said| *said == confirmation(control))
            .map(|_| Reply::Done),
        (Verb::BootFlags, lines) => boot_flags(lines).map(Reply::Flags),
        (Verb::SetBoot(wish), [line]) => line
            .strip_prefix("Set Boot Device to ")
            .filter(|said| *said == wish.device.word())
            .map(|_| Reply::Done),
        (Verb::KeepBootFlags, lines) if lines.iter().all(|line| line.is_empty()) => {
            Some(Reply::Done)
        }
        _ => None,
    };
    reply.ok_or_else(|| {
        let text = match lines.as_slice() {
            [] => "ipmitool says nothing".to_owned(),
            lines => format!("ipmitool says something unknown: {}", lines.join(" / ")),
        };
        unknown(verb, text)
    })
}

/// The bytes, beside the words that are made of them.
fn boot_flags(lines: &[&str]) -> Option<BootFlags> {
    let ["Boot parameter version: 1", "Boot parameter 5 is valid/unlocked", data, ..] = lines
    else {
        return None;
    };
    BootFlags::from_hex(data.strip_prefix("Boot parameter data: ")?)
}

/// Ends of ipmitool's messages when a session could not be set up: nothing else was sent then.
const NO_SESSION: [&str; 2] = [
    "Error: Unable to establish IPMI v2 / RMCP+ session",
    "Error: Unable to establish LAN session",
];

/// What open session and RAKP messages say of the suite (IPMI 2.0 table 13-15).
const SUITE: [&str; 6] = [
    "invalid authentication algorithm",
    "no matching authentication algorithm",
    "invalid integrity algorithm",
    "no matching integrity payload",
    "invalid confidentiality algorithm",
    "no matching cipher suite",
];

/// And of the account.
const ACCOUNT: [&str; 5] = [
    "unauthorized name",
    "unauthorized role requested",
    "invalid role",
    "invalid name length",
    "invalid integrity check value",
];

/// Completion codes of a service processor that does not let the account do this.
const PRIVILEGE: &str = "Insufficient privilege level";

fn failure(verb: Verb, status: u32, told: &Told) -> IpmiError {
    let lines: Vec<&str> = told.stderr.iter().chain(&told.stdout).map(|line| line.trim()).collect();
    let says = |text: &str| lines.iter().find(|line| line.contains(text)).copied();
    if lines.iter().any(|line| NO_SESSION.contains(line)) {
        return no_session(&says, &lines);
    }
    // `timeout` and the shell, of a program that they cannot start.
    if matches!(status, 126 | 127) {
        let text = lines.last().copied().unwrap_or("ipmitool cannot be started");
        return IpmiError::not_sent(IpmiErrorKind::Unsupported, text);
    }
    if matches!(status, 124 | 137 | 143) {
        return no_answer(verb, "no answer in time");
    }
    let refusals = [
        "Set Chassis Power Control to ",
        "Get Chassis Power Status failed: ",
        "Set Chassis Boot Parameter ",
        "Get Chassis Boot Parameter ",
        "Unable to send RAW command ",
    ];
    let refusal = lines.iter().find(|line| {
        refusals.iter().any(|start| line.starts_with(start))
            && (line.contains(" failed: ") || line.contains("rsp=0x"))
    });
    if let Some(text) = refusal {
        let kind = if text.contains(PRIVILEGE) {
            IpmiErrorKind::Unauthorized
        } else {
            IpmiErrorKind::Refused
        };
        return IpmiError::perhaps_sent(kind, *text);
    }
    let silences = ["Unable to ", "Error setting Chassis", "Error Getting Chassis"];
    if let Some(text) =
        lines.iter().find(|line| silences.iter().any(|start| line.starts_with(start)))
    {
        return no_answer(verb, text);
    }
    match lines.last() {
        Some(text) => unknown(verb, format!("ipmitool ended with {status}: {text}")),
        None => unknown(verb, format!("ipmitool ended with {status} and says nothing")),
    }
}

fn no_session<'l>(says: &impl Fn(&str) -> Option<&'l str>, lines: &[&'l str]) -> IpmiError {
    if let Some(text) = says("RAKP 2 HMAC is invalid") {
        let text = format!("user or password are wrong ({})", text.trim_start_matches("> "));
        return IpmiError::not_sent(IpmiErrorKind::Unauthorized, text);
    }
    if let Some(line) = says(" message indicates an error : ")
        .or_else(|| says("Error in open session response message : "))
    {
        let why = line.rsplit(" : ").next().unwrap_or_default().trim();
        let kind = if SUITE.contains(&why) {
            IpmiErrorKind::CipherSuite
        } else if ACCOUNT.contains(&why) {
            IpmiErrorKind::Unauthorized
        } else {
            IpmiErrorKind::Refused
        };
        return IpmiError::not_sent(kind, line);
    }
    let kinds = [
        ("Address lookup for ", IpmiErrorKind::Unresolved),
        ("Unsupported cipher suite ID", IpmiErrorKind::CipherSuite),
        // One that answers with the suite it has (pyghmi).
        (" is not what we requested ", IpmiErrorKind::CipherSuite),
        ("no response from RAKP", IpmiErrorKind::CipherSuite),
        ("no response from open session", IpmiErrorKind::CipherSuite),
        ("Get Auth Capabilities error", IpmiErrorKind::Unreachable),
        ("Get Channel Authentication Capabilities", IpmiErrorKind::Unreachable),
    ];
    for (text, kind) in kinds {
        if let Some(line) = says(text) {
            return IpmiError::not_sent(kind, line);
        }
    }
    let text = lines.iter().find(|line| line.starts_with("Error")).copied().unwrap_or_default();
    IpmiError::not_sent(IpmiErrorKind::Unknown, text)
}

fn no_answer(verb: Verb, text: &str) -> IpmiError {
    if verb.is_read() {
        IpmiError::not_sent(IpmiErrorKind::Unreachable, text)
    } else {
        IpmiError::perhaps_sent(IpmiErrorKind::Unknown, text)
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
    use crate::bmc::ipmi::verb::Control::{Nmi, On, Reset};
    use crate::bmc::ipmi::{BootDevice, BootWish};

    fn told(status: u32, stdout: &str, stderr: &str) -> Told {
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        Told { status: Some(status), stdout: lines(stdout), stderr: lines(stderr), address: None }
    }

    const NOISE: &str = "Loading IANA PEN Registry...\n\
        Running Get VSO Capabilities my_addr 0x20, transit 0, target 0x20\n\
        Invalid completion code received: Invalid command\n\
        Discovered IPMB address 0x0\n";
    const PXE: Verb =
        Verb::SetBoot(BootWish { device: BootDevice::Pxe, persistent: false, legacy: false });

    #[test]
    fn what_ipmitool_says_of_a_success_is_known_word_for_word() {
        let on = reply(Verb::PowerState, &told(0, "Chassis Power is on", NOISE));
        assert_eq!(on, Ok(Reply::State(PowerState::On)));
        let off = reply(Verb::PowerState, &told(0, "Chassis Power is off", ""));
        assert_eq!(off, Ok(Reply::State(PowerState::Off)));
        let reset = reply(Verb::Power(Reset), &told(0, "Chassis Power Control: Reset", NOISE));
        assert_eq!(reset, Ok(Reply::Done));
        let pxe = reply(PXE, &told(0, "Set Boot Device to pxe", NOISE));
        assert_eq!(pxe, Ok(Reply::Done));
        let flags = "Boot parameter version: 1\nBoot parameter 5 is valid/unlocked\n\
            Boot parameter data: a004000000\n Boot Flags :\n   - Boot Flag Valid\n";
        let expected = BootFlags::from_hex("a004000000").unwrap();
        assert_eq!(reply(Verb::BootFlags, &told(0, flags, NOISE)), Ok(Reply::Flags(expected)));
    }

    #[test]
    fn ip02_ip03_nothing_said_and_anything_else_is_no_state_and_no_success() {
        for stdout in [
            "",
            "Chassis Power is On",
            "Chassis Power is on\nChassis Power is off",
            "Chassis Power is unknown",
            "Chassis Power Control: Reset",
            "on",
        ] {
            let error = reply(Verb::PowerState, &told(0, stdout, "")).unwrap_err();
            assert_eq!(error.kind(), IpmiErrorKind::Unknown, "{stdout}");
            assert!(!error.allows_another_way(), "{stdout}");
            assert!(error.to_string().contains(stdout.lines().next().unwrap_or("nothing")));
            // Of a change it is not known whether it was carried out.
            if !stdout.contains("Control") {
                let error = reply(Verb::Power(Reset), &told(0, stdout, "")).unwrap_err();
                assert!(error.leaves_outcome_open(), "{stdout}");
            }
        }
        let other = reply(Verb::Power(Reset), &told(0, "Chassis Power Control: Cycle", ""));
        assert!(other.unwrap_err().leaves_outcome_open());
        for locked in ["Boot parameter 5 is invalid/locked", "Boot parameter 5 is invalid/unlocked"]
        {
            let flags =
                format!("Boot parameter version: 1\n{locked}\nBoot parameter data: a004000000");
            assert!(reply(Verb::BootFlags, &told(0, &flags, "")).is_err(), "{locked}");
        }
    }

    #[test]
    fn a_session_that_was_never_set_up_has_carried_nothing() {
        use IpmiErrorKind::{CipherSuite, Refused, Unauthorized, Unknown, Unreachable, Unresolved};
        let cases = [
            ("> RAKP 2 HMAC is invalid", Unauthorized),
            ("RAKP 2 message indicates an error : unauthorized name", Unauthorized),
            ("RAKP 2 message indicates an error : unauthorized role requested", Unauthorized),
            ("RAKP 4 message indicates an error : invalid integrity check value", Unauthorized),
            (
                "Error in open session response message : invalid authentication algorithm\n",
                CipherSuite,
            ),
            ("Error in open session response message : no matching cipher suite\n", CipherSuite),
            (
                "Error in open session response message : insufficient resources for session",
                Refused,
            ),
            ("> Error: no response from RAKP 1 message", CipherSuite),
            ("Authentication algorithm 0x01 is not what we requested 0x03", CipherSuite),
            (
                "Get Auth Capabilities error\nError issuing Get Channel Authentication Capabilities request",
                Unreachable,
            ),
            ("Address lookup for nosuch.example failed\nCould not open socket!", Unresolved),
            ("", Unknown),
        ];
        for (stderr, kind) in cases {
            let all = format!(
                "Loading IANA PEN Registry...\n{stderr}\nError: Unable to establish IPMI v2 / RMCP+ session"
            );
            for verb in [Verb::PowerState, Verb::Power(Reset), PXE] {
                let error = reply(verb, &told(1, "", &all)).unwrap_err();
                assert_eq!(error.kind(), kind, "{stderr}");
                assert!(!error.leaves_outcome_open(), "{stderr}");
                let may = matches!(kind, CipherSuite | Unreachable | Unresolved);
                assert_eq!(error.allows_another_way(), may, "{stderr}");
            }
        }
    }

    #[test]
    fn a_refusal_is_an_answer_and_silence_is_none() {
        let refused = "Set Chassis Power Control to Diag failed: Invalid data field in request";
        let error =
            reply(Verb::Power(Nmi), &told(1, "", &format!("{NOISE}{refused}"))).unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (IpmiErrorKind::Refused, refused.to_owned()));
        assert!(!error.leaves_outcome_open() && error.is_answer());

        let not_allowed = "Set Chassis Power Control to Up/On failed: Insufficient privilege level";
        let error = reply(Verb::Power(On), &told(1, "", not_allowed)).unwrap_err();
        assert_eq!(error.kind(), IpmiErrorKind::Unauthorized);

        for (status, stderr) in [
            (1, "Unable to set Chassis Power Control to Reset"),
            (124, ""),
            (137, ""),
            (1, "Segmentation fault"),
            (1, ""),
        ] {
            let error = reply(Verb::Power(Reset), &told(status, "", stderr)).unwrap_err();
            assert!(error.leaves_outcome_open() && !error.allows_another_way(), "{stderr}");
        }
        let error = reply(Verb::Power(Reset), &Told::default()).unwrap_err();
        assert!(error.leaves_outcome_open());
        let error = reply(Verb::PowerState, &told(124, "", "")).unwrap_err();
        assert_eq!(error.kind(), IpmiErrorKind::Unreachable);

        let absent =
            "timeout: failed to run command '/usr/bin/ipmitool': No such file or directory";
        let error = reply(Verb::Power(Reset), &told(127, "", absent)).unwrap_err();
        assert!(!error.leaves_outcome_open() && error.kind() == IpmiErrorKind::Unsupported);
    }

    #[test]
    fn only_what_may_happen_twice_is_sent_again() {
        let words = |verb| options("ipmitool", "admin", Suite::Sha256, verb).join(" ");
        for control in [Reset, Control::Cycle, Control::Soft, Nmi] {
            assert!(words(Verb::Power(control)).ends_with("-C 17 -R 1 -N 5"));
        }
        for verb in [Verb::PowerState, Verb::Power(On), Verb::BootFlags, PXE] {
            assert!(words(verb).ends_with("-C 17"));
        }
        let old = options("ipmitool", "admin", Suite::Version15, Verb::PowerState);
        assert!(old.contains(&"lan") && !old.contains(&"-C"));
    }
}
