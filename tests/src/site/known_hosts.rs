//! The site's host key file (sshd(8), its section on known hosts).

use crate::plan::Plan;
use std::collections::BTreeMap;
use std::fmt::Write;

/// One line a host: fully qualified name, short name and address, then the key.
pub(crate) fn known_hosts(plan: &Plan, keys: &BTreeMap<String, String>) -> String {
    let mut text = String::from("# Host keys of the example site.\n");
    for host in &plan.hosts {
        if let Some(key) = keys.get(&host.name) {
            let _ = writeln!(text, "{},{},{} {key}", host.fqdn(), host.name, host.address);
        }
    }
    text
}
