//! Every host of the site with its names, addresses and job.

use super::{HardwareAddress, Networks, node_offset};
use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;

/// What a host is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Where the administrator sits: the machine's own files with a private `/etc`.
    Workstation,
    /// DHCP, TFTP, the PXE service, syslog and the boot files.
    Installer,
    /// Slurm's controller and clients.
    Login,
    /// The jump host to the inner network.
    Gateway,
    /// The InfiniBand host, reached through the gateway only.
    Fabric,
    /// A machine with a service processor: compute nodes and `wlm01`.
    Node,
}

/// One host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Short name, also the host's own host name.
    pub name: String,
    /// What it is there for.
    pub role: Role,
    /// Its address on its first interface.
    pub address: Ipv4Addr,
    /// Hardware address of that interface.
    pub hardware: HardwareAddress,
    /// For machines: the address of the service processor.
    pub bmc_address: Option<Ipv4Addr>,
    /// For compute nodes: the number in the name.
    pub number: Option<u16>,
}

impl Host {
    /// The fully qualified name.
    pub fn fqdn(&self) -> String {
        format!("{}.{}", self.name, Plan::DOMAIN)
    }

    /// The name of the service processor; only machines have one.
    pub fn bmc_name(&self) -> Option<String> {
        self.bmc_address.map(|_| format!("{}.{}", self.name, Plan::MANAGEMENT_DOMAIN))
    }
}

/// All hosts of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Roles first, then `wlm01`, then the compute nodes in order.
    pub hosts: Vec<Host>,
}

impl Plan {
    /// Domain of hosts and nodes.
    pub const DOMAIN: &'static str = "hpc.example.org";
    /// Domain of the service processors.
    pub const MANAGEMENT_DOMAIN: &'static str = "mgmt.hpc.example.org";
    /// Port of the PXE service, as upstream pxesrv has it.
    pub const PXE_PORT: u16 = 4567;
    /// The machine that nobody resets.
    pub const PROTECTED: &'static str = "wlm01";
    /// Addresses the workstation has: admin and management network.
    pub const WORKSTATION: [Ipv4Addr; 2] =
        [Ipv4Addr::new(10, 0, 0, 10), Ipv4Addr::new(10, 2, 0, 10)];
    /// The login host's address in the management network, in a lab with IPMI.
    pub const LOGIN_MANAGEMENT: Ipv4Addr = Ipv4Addr::new(10, 2, 0, 2);
    /// The gateway's second interface, towards the inner network.
    pub const GATEWAY_INNER: Ipv4Addr = Ipv4Addr::new(10, 3, 0, 1);

    /// A site with this many compute nodes.
    pub fn new(nodes: u16) -> Plan {
        let role = |name: &str, role, index, address| Host {
            name: name.to_owned(),
            role,
            address,
            hardware: HardwareAddress::of_role(index),
            bmc_address: None,
            number: None,
        };
        let admin = |fourth| Networks::address(Networks::ADMIN, (0, fourth));
        let mut hosts = vec![
            role("workstation", Role::Workstation, 1, Plan::WORKSTATION[0]),
            role("installer", Role::Installer, 2, admin(1)),
            role("login", Role::Login, 3, admin(2)),
            role("gateway", Role::Gateway, 4, admin(3)),
            role("fabric", Role::Fabric, 5, Networks::address(Networks::INNER, (0, 2))),
            Host {
                bmc_address: Some(Networks::address(Networks::MANAGEMENT, (1, 1))),
                ..role(Plan::PROTECTED, Role::Node, 6, Networks::address(Networks::ADMIN, (1, 1)))
            },
        ];
        hosts.extend((1..=nodes).map(|number| Host {
            name: Plan::node_name(number),
            role: Role::Node,
            address: Networks::address(Networks::ADMIN, node_offset(number)),
            hardware: HardwareAddress::of_node(number),
            bmc_address: Some(Networks::address(Networks::MANAGEMENT, node_offset(number))),
            number: Some(number),
        }));
        Plan { hosts }
    }

    /// The name of compute node `number`, as in `exe0007`.
    pub fn node_name(number: u16) -> String {
        format!("exe{number:04}")
    }

    /// The host of this name.
    pub fn host(&self, name: &str) -> Option<&Host> {
        self.hosts.iter().find(|host| host.name == name)
    }

    /// The one host with this role, for roles that only one host has.
    pub fn role(&self, role: Role) -> Option<&Host> {
        self.hosts.iter().find(|host| host.role == role)
    }

    /// The machines: `wlm01` and every compute node.
    pub fn machines(&self) -> impl Iterator<Item = &Host> {
        self.hosts.iter().filter(|host| host.role == Role::Node)
    }

    /// The compute nodes.
    pub fn nodes(&self) -> impl Iterator<Item = &Host> {
        self.hosts.iter().filter(|host| host.number.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_and_addresses_are_unique() {
        let plan = Plan::new(600);
        let names: HashSet<_> = plan.hosts.iter().map(|host| &host.name).collect();
        let mut addresses: Vec<_> = plan.hosts.iter().map(|host| host.address).collect();
        addresses.extend(plan.hosts.iter().filter_map(|host| host.bmc_address));
        addresses.push(Plan::WORKSTATION[1]);
        addresses.push(Plan::LOGIN_MANAGEMENT);
        addresses.push(Plan::GATEWAY_INNER);
        assert_eq!(names.len(), plan.hosts.len());
        assert_eq!(addresses.iter().collect::<HashSet<_>>().len(), addresses.len());
    }
}
