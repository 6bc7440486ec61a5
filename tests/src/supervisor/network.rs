//! Namespaces, bridges and links of the site, all inside the lab's own network namespace.

use crate::command;
use crate::error::Error;
use crate::plan::{Host, Networks, Plan, Role};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Name of the namespace that holds the service processors' addresses.
pub(super) const BMC: &str = "bmc";
/// Ports a Linux bridge can have are 1024; one per host, and some to other bridges.
const PORTS: usize = 1000;

/// Builds the network: a chain of bridges as the admin and management network, one bridge as the
/// inner network, one namespace a host.
pub(super) fn build(plan: &Plan) -> Result<(), Error> {
    let mut batch = String::from("link set lo up\nlink add inner type bridge\nlink set inner up\n");
    for bridge in 0..=plan.hosts.len() / PORTS {
        let _ = write!(batch, "link add admin{bridge} type bridge\nlink set admin{bridge} up\n");
        if bridge > 0 {
            let _ = writeln!(batch, "link add down{bridge} type veth peer name up{bridge}");
            let _ = writeln!(batch, "link set down{bridge} master admin{} up", bridge - 1);
            let _ = writeln!(batch, "link set up{bridge} master admin{bridge} up");
        }
    }
    for (index, host) in plan.hosts.iter().enumerate() {
        let bridge = match host.role {
            Role::Fabric => "inner".to_owned(),
            _ => format!("admin{}", index / PORTS),
        };
        let Host { name, hardware, .. } = host;
        connect(&mut batch, name, "eth0", Some(&hardware.to_string()), &bridge);
        if host.role == Role::Gateway {
            let _ = writeln!(batch, "link add inner1 type veth peer name eth1 netns {name}");
            let _ = writeln!(batch, "link set inner1 master inner up");
        }
    }
    connect(&mut batch, BMC, "eth0", None, "admin0");
    command::run_with_input(Command::new("ip").args(["-batch", "-"]), &batch)?;

    let mut batch = String::from("link set lo up\nlink set eth0 up\n");
    for address in plan.machines().filter_map(|host| host.bmc_address) {
        let _ = writeln!(batch, "addr add {address}/{} dev eth0", Networks::PREFIX);
    }
    inside(BMC, &batch)
}

fn connect(batch: &mut String, name: &str, interface: &str, hardware: Option<&str>, bridge: &str) {
    let port = port(name);
    let address = hardware.map(|hardware| format!("address {hardware} ")).unwrap_or_default();
    let _ = writeln!(batch, "netns add {name}");
    let _ =
        writeln!(batch, "link add {port} type veth peer name {interface} {address}netns {name}");
    let _ = writeln!(batch, "link set {port} master {bridge} up");
}

/// The bridge's end of a host's link; names of interfaces have at most 15 characters.
fn port(host: &str) -> String {
    format!("p-{host}")
}

/// Takes a host's link down or up.
pub(super) fn link(host: &str, up: bool) -> Result<(), Error> {
    let state = if up { "up" } else { "down" };
    command::run(Command::new("ip").args(["link", "set", &port(host), state])).map(drop)
}

/// Takes a service processor's address away or gives it back.
pub(super) fn bmc_reachable(host: &Host, on: bool) -> Result<(), Error> {
    let Some(address) = host.bmc_address else { return Ok(()) };
    let verb = if on { "replace" } else { "del" };
    inside(BMC, &format!("addr {verb} {address}/{} dev eth0\n", Networks::PREFIX))
}

/// A machine without power has no address.
pub(super) fn silence(host: &str) -> Result<(), Error> {
    inside(host, "addr flush dev eth0\nlink set eth0 down\n")
}

fn inside(namespace: &str, batch: &str) -> Result<(), Error> {
    let mut command = Command::new("nsenter");
    command.arg(format!("--net=/run/netns/{namespace}")).args(["ip", "-batch", "-"]);
    command::run_with_input(&mut command, batch).map(drop)
}

/// The file that stands for a namespace.
pub(super) fn file(namespace: &str) -> std::path::PathBuf {
    Path::new("/run/netns").join(namespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ports_fit_the_kernel() {
        assert!(Plan::new(9999).hosts.iter().all(|host| port(&host.name).len() <= 15));
    }
}
