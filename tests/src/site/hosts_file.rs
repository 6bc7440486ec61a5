//! `/etc/hosts` of every host.

use crate::plan::{Host, Plan, Role};
use std::fmt::Write;

/// The names one host knows. Those behind the gateway are known to the gateway only, so that
/// nobody else reaches them without a jump.
pub(crate) fn hosts_file(plan: &Plan, of: Role) -> String {
    let mut text = String::from("127.0.0.1 localhost\n::1 ip6-localhost\n");
    let visible =
        |host: &&Host| host.role != Role::Fabric || matches!(of, Role::Gateway | Role::Fabric);
    for host in plan.hosts.iter().filter(visible) {
        let _ = writeln!(text, "{} {} {}", host.address, host.fqdn(), host.name);
        if let (Some(address), Some(name)) = (host.bmc_address, host.bmc_name()) {
            let _ = writeln!(text, "{address} {name}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_gateway_knows_the_fabric_host() {
        let plan = Plan::new(2);
        assert!(hosts_file(&plan, Role::Gateway).contains("fabric.hpc.example.org"));
        assert!(!hosts_file(&plan, Role::Workstation).contains("fabric"));
        assert!(
            hosts_file(&plan, Role::Workstation)
                .contains("10.2.2.2 exe0002.mgmt.hpc.example.org\n")
        );
    }
}
