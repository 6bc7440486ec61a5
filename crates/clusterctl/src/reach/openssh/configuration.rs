//! The configuration that `ssh` gets.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::reach::Settings;
use crate::reach::directory::Hop;

/// Writes the configuration for a way into the private state directory.
pub(super) fn write(
    settings: &Settings,
    known_hosts: &Path,
    way: &[Hop],
) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&settings.state_directory)?;
    // tempfile makes it 0600.
    let mut file =
        tempfile::Builder::new().prefix("ssh_config-").tempfile_in(&settings.state_directory)?;
    file.write_all(text(settings, known_hosts, way).as_bytes())?;
    Ok(file)
}

/// Its text: a block a hop, then what holds for all, then the person's own files. The first value
/// of a keyword counts, so that nothing of a person's can widen the trust.
fn text(settings: &Settings, known_hosts: &Path, way: &[Hop]) -> String {
    let mut text = String::new();
    for (index, hop) in way.iter().enumerate() {
        let login = &hop.login;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "Host {}", quoted(&hop.target.host));
        let _ = writeln!(text, "  HostName {}", quoted(&login.host));
        let _ = writeln!(text, "  Port {}", login.port);
        let _ = writeln!(text, "  User {}", quoted(&login.user));
        if let Some(jump) = way.get(index + 1) {
            let _ = writeln!(text, "  ProxyJump {}", jump.target.host);
        }
        for (keyword, value) in &hop.target.options {
            let _ = writeln!(text, "  {keyword} {value}");
        }
    }
    let _ = writeln!(text, "Host *");
    let known = quoted(&known_hosts.display().to_string());
    if settings.strict {
        let _ = writeln!(text, "  UserKnownHostsFile {known}\n  GlobalKnownHostsFile none");
        text.push_str("  StrictHostKeyChecking yes\n");
    } else {
        // New hosts are let in, changed and revoked keys are not: `no` would let changed ones in.
        // What ssh learns goes nowhere, and it says so on standard error unless it is told not to.
        let _ = writeln!(text, "  UserKnownHostsFile /dev/null\n  GlobalKnownHostsFile {known}");
        text.push_str("  StrictHostKeyChecking accept-new\n  LogLevel ERROR\n");
    }
    text.push_str("  KnownHostsCommand none\n  VerifyHostKeyDNS no\n  UpdateHostKeys no\n");
    text.push_str("  BatchMode yes\n  ControlMaster no\n  ControlPath none\n  RequestTTY no\n");
    text.push_str("  ForwardAgent no\n  ForwardX11 no\n  PermitLocalCommand no\n");
    let _ = writeln!(text, "  ConnectTimeout {}", seconds(settings.connect_timeout).max(1));
    let _ = writeln!(text, "  ConnectionAttempts {}", settings.connection_attempts.max(1));
    let _ = writeln!(text, "  ServerAliveInterval {}", seconds(settings.keepalive));
    let _ = writeln!(text, "  ServerAliveCountMax {}", settings.keepalive_count);
    for (keyword, value) in &settings.options {
        let _ = writeln!(text, "  {keyword} {value}");
    }
    if !settings.legacy_key_types.is_empty() {
        let legacy = settings.legacy_key_types.join(",");
        let _ = writeln!(text, "  HostKeyAlgorithms +{legacy}");
        let _ = writeln!(text, "  PubkeyAcceptedAlgorithms +{legacy}");
    }
    for identity in &settings.identities {
        let _ = writeln!(text, "  IdentityFile {}", quoted(&identity.display().to_string()));
    }
    for include in &settings.include {
        let _ = writeln!(text, "Match all\n  Include {}", quoted(&include.display().to_string()));
    }
    text
}

/// Whole seconds, rounded up: ssh takes a 0 for "never".
fn seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

/// A value in quotation marks where it holds a blank.
fn quoted(value: &str) -> String {
    if value.contains([' ', '\t']) { format!("\"{value}\"") } else { value.to_owned() }
}
