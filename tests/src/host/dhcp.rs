//! Asking the lab's dhcpd with the real `dhclient(8)`.

use crate::command;
use crate::error::{Doing, Error};
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The `dhclient-script(8)` of the lab: sets the address and writes down the lease.
const SCRIPT: &str = r#"#!/bin/sh
case $reason in
PREINIT) ip link set "$interface" up ;;
BOUND|RENEW|REBIND|REBOOT)
  ip addr replace "$new_ip_address/$new_subnet_mask" dev "$interface"
  printf '%s %s\n' "$new_ip_address" "$new_next_server" > "$lease_file" ;;
EXPIRE|FAIL|RELEASE|STOP) ip -4 addr flush dev "$interface" ;;
esac
"#;

/// What the lab reads of a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lease {
    /// The address that was leased.
    pub address: Ipv4Addr,
    /// `siaddr`, which `next-server` sets: where the boot files are.
    pub next_server: Ipv4Addr,
}

/// Longest wait for an answer. Real clients wait for a minute.
const PATIENCE: Duration = Duration::from_secs(4);

/// Leases an address for `eth0`; the client's files go to `directory`.
///
/// The script is written beside them: a system that has been entered does not see the lab's own
/// files any more.
pub(super) fn lease(directory: &Path) -> Result<Lease, Error> {
    std::fs::create_dir_all(directory).doing(|| format!("creating {}", directory.display()))?;
    let script = directory.join("script");
    std::fs::write(&script, SCRIPT).doing(|| format!("writing {}", script.display()))?;
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))
        .doing(|| format!("making {} a program", script.display()))?;
    let note = directory.join("lease");
    let configuration = directory.join("client.conf");
    // `timeout` is how long the client tries; -1 makes it give up then.
    std::fs::write(&configuration, format!("timeout {};\nretry 1;\n", PATIENCE.as_secs()))
        .doing(|| format!("writing {}", configuration.display()))?;
    let mut client = Command::new("dhclient");
    client.args(["-4", "-1", "-q", "-cf"]).arg(&configuration);
    client.arg("-lf").arg(directory.join("leases"));
    client.arg("-pf").arg(directory.join("pid"));
    client.arg("-sf").arg(&script);
    client.arg("-e").arg(format!("lease_file={}", note.display()));
    command::run(client.arg("eth0"))?;
    let text = std::fs::read_to_string(&note).doing(|| "reading the lease".to_owned())?;
    let mut words = text.split_whitespace().map(str::parse);
    match (words.next(), words.next()) {
        (Some(Ok(address)), Some(Ok(next_server))) => Ok(Lease { address, next_server }),
        _ => Err(Error::Refused(format!("the lease is not complete: {}", text.trim_end()))),
    }
}

/// Ends the client that holds the lease, as the firmware does before the system starts.
pub(super) fn forget(directory: &Path) {
    let pid = std::fs::read_to_string(directory.join("pid")).unwrap_or_default();
    if let Some(pid) = pid.trim().parse().ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}
