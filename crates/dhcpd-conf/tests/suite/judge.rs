//! The judge: `dhcpd -t` of ISC dhcpd, where it is installed.
//!
//! It executes `execute(…)` and `gethostbyname(…)` on the outermost level even with `-t`, so inputs
//! that hold those words are never handed to it.

use std::path::Path;
use std::process::{Command, Stdio};

/// What dhcpd says of `file`, tried for IPv4 and for IPv6; none where it crashed.
pub(crate) fn verdict(file: &Path) -> Option<bool> {
    let mut refused = None;
    for family in ["-4", "-6"] {
        let status = Command::new("dhcpd")
            .args([family, "-t", "-cf"])
            .arg(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        match status.code() {
            Some(0) => return Some(true),
            Some(_) => refused = Some(false),
            None => {}
        }
    }
    refused
}

/// As [`verdict`], for a text.
pub(crate) fn verdict_of(text: &[u8]) -> Option<bool> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dhcpd.conf");
    std::fs::write(&file, text).unwrap();
    verdict(&file)
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
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dhcpd.conf");
    std::fs::write(&file, text).unwrap();
    let judge = |family| {
        let mut dhcpd = Command::new("dhcpd");
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

/// Whether a judge is there. In CI it has to be.
pub(crate) fn is_present(test: &str) -> bool {
    let present = Command::new("dhcpd")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok();
    if !present {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{test}: no dhcpd in CI");
        println!("SKIPPED {test}: no dhcpd on this machine");
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
