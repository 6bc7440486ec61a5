//! The judge: `dhcpd -t` of ISC dhcpd, where it is installed.
//!
//! It executes `execute(…)` and `gethostbyname(…)` on the outermost level even with `-t`, so inputs
//! that hold those words are never handed to it.

use std::process::{Command, Stdio};

use crate::desk::Desk;

/// What a program says of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Accepted,
    Refused,
    /// It ended by a signal: no verdict.
    Crashed,
}

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Crashed => "crashed",
        }
    }
}

/// Which of its two modes dhcpd reads a configuration in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    V4,
    V6,
}

impl Family {
    /// The option of dhcpd and of keama.
    pub(crate) fn option(self) -> &'static str {
        match self {
            Self::V4 => "-4",
            Self::V6 => "-6",
        }
    }
}

/// What dhcpd says of the configuration on `desk`.
pub(crate) fn verdict(desk: &Desk, family: Family) -> Verdict {
    let mut dhcpd = desk.command("dhcpd");
    let dhcpd = dhcpd.args([family.option(), "-t", "-cf"]).arg(desk.main());
    match dhcpd.output().unwrap().status.code() {
        Some(0) => Verdict::Accepted,
        Some(_) => Verdict::Refused,
        None => Verdict::Crashed,
    }
}

/// Whether dhcpd accepts a text, for IPv4 or for IPv6; none where it crashes.
pub(crate) fn accepts(text: &[u8]) -> Option<bool> {
    let desk = Desk::new(text);
    let verdicts = [Family::V4, Family::V6].map(|family| verdict(&desk, family));
    let said = |verdict| verdicts.contains(&verdict);
    match (said(Verdict::Accepted), said(Verdict::Refused)) {
        (true, _) => Some(true),
        (false, refused) => refused.then_some(false),
    }
}

/// What dhcpd says of a text in one of its modes.
pub(crate) struct Judgement {
    pub(crate) accepted: bool,
    pub(crate) crashed: bool,
    /// The lines that name a place, or say what a declaration lacks.
    pub(crate) messages: Vec<String>,
}

/// What dhcpd says of a text, for IPv4 and for IPv6.
pub(crate) fn messages(text: &[u8]) -> Vec<Judgement> {
    let desk = Desk::new(text);
    let file = desk.main();
    let judge = |family| {
        let mut dhcpd = desk.command("dhcpd");
        let output = dhcpd.args([family, "-t", "-cf"]).arg(&file).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let (place, end) = (file.to_str().unwrap(), "Configuration file errors");
        let lines = text.lines().skip_while(|line| !line.starts_with("For info")).skip(1);
        let mut lines = lines.take_while(|line| !line.starts_with(end));
        let mut messages = Vec::new();
        while let Some(line) = lines.next() {
            messages.push(line.to_owned());
            if line.starts_with(place) {
                // The source line and the caret below it.
                lines.by_ref().take(2).for_each(drop);
            }
        }
        messages.retain(|line| !line.trim().is_empty() && !line.starts_with("Config file:"));
        Judgement {
            accepted: output.status.success(),
            crashed: output.status.code().is_none(),
            messages,
        }
    };
    vec![judge("-4"), judge("-6")]
}

/// Whether dhcpd is there. In CI it has to be.
pub(crate) fn is_present(test: &str) -> bool {
    is_installed("dhcpd", test)
}

/// Whether a program is there. In CI it has to be.
pub(crate) fn is_installed(program: &str, test: &str) -> bool {
    let version =
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let present = version.is_ok();
    if !present {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{test}: no {program} in CI");
        println!("SKIPPED {test}: no {program} on this machine");
    }
    present
}

/// Whether `text` may be given to the judge.
pub(crate) fn is_harmless(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let holds = |word: &[u8]| lower.windows(word.len()).any(|window| window == word);
    !holds(b"execute")
        && !holds(b"gethostby")
        && !holds(b"lease-file-name")
        && !holds(b"pid-file-name")
}
