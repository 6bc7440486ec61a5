//! `dhcpd.conf(5)` of the installer, written as sites write it: includes, groups, comments, options
//! in any order, braces on any line.

use crate::error::{Doing, Error};
use crate::plan::{HardwareAddress, Host, Networks, Plan, Role, node_offset};
use std::fmt::Write;
use std::fs;
use std::net::Ipv4Addr;
use std::path::Path;

/// Writes the main file and the files it includes into the installer's disk (`upper`).
pub(crate) fn write_dhcpd(plan: &Plan, upper: &Path) -> Result<(), Error> {
    let directory = upper.join("etc/dhcp");
    fs::create_dir_all(directory.join("hosts.d")).doing(|| "creating hosts.d".to_owned())?;
    for (name, text) in [
        ("dhcpd.conf", main(plan)),
        ("hosts.d/infra.conf", infra(plan)),
        ("hosts.d/exe.conf", compute(plan)),
        ("hosts.d/exe-ib.conf", infiniband(plan)),
    ] {
        fs::write(directory.join(name), text).doing(|| format!("writing {name}"))?;
    }
    Ok(())
}

fn main(plan: &Plan) -> String {
    let installer = plan.role(Role::Installer).map_or(Ipv4Addr::UNSPECIFIED, |host| host.address);
    let (admin, infiniband) = (Networks::ADMIN, Networks::INFINIBAND);
    format!(
        "\
# DHCP of the example site. Hosts are in hosts.d, one file a class.
authoritative;
ddns-update-style none;
default-lease-time 86400; max-lease-time 604800;
deny unknown-clients;
option domain-name \"{}\"; # the search list is set by the installation

shared-network cluster {{
  subnet {admin} netmask 255.255.0.0 {{
    next-server {installer};
  }}
}}

# IP over InfiniBand: declared here, served by the fabric's own relay.
subnet {infiniband} netmask 255.255.0.0 {{ }}

include \"/etc/dhcp/hosts.d/infra.conf\";
include \"/etc/dhcp/hosts.d/exe.conf\";
include \"/etc/dhcp/hosts.d/exe-ib.conf\";
",
        Plan::DOMAIN
    )
}

fn infra(plan: &Plan) -> String {
    let mut text = String::from("# Machines that are not compute nodes.\n");
    for Host { name, hardware, address, .. } in plan.machines().filter(|host| host.number.is_none())
    {
        let _ = write!(
            text,
            "host {name} {{\n\tfixed-address {address};\n\thardware ethernet {hardware};\n\tfilename \"/srv/pxesrv/boot/{name}/ipxe.net2\"; }}\n"
        );
    }
    // A comment that names a node says nothing about that node's address.
    text.push_str("# spare board, was in exe0002 until its exchange\nhost spare01 { hardware ethernet aa:bb:cc:ff:01:01; }\n");
    text
}

fn compute(plan: &Plan) -> String {
    let installer = plan.role(Role::Installer).map_or(Ipv4Addr::UNSPECIFIED, |host| host.address);
    let mut text = format!("# Compute nodes, Ethernet.\ngroup {{\n  next-server {installer};\n\n");
    for Host { name, hardware, address, .. } in plan.nodes() {
        let _ = writeln!(
            text,
            "  host {name} {{ hardware ethernet {hardware}; fixed-address {address}; filename \"/srv/pxesrv/boot/exe/ipxe.net2\"; }}"
        );
    }
    text.push_str("}\n");
    text
}

fn infiniband(plan: &Plan) -> String {
    let mut text = String::from(
        "# Compute nodes, InfiniBand. The boot file is the group's.\ngroup {\n  filename \"/srv/pxesrv/boot/exe/ipxe.ib0\";\n\n",
    );
    for (host, number) in plan.nodes().filter_map(|host| Some((host, host.number?))) {
        let address = Networks::address(Networks::INFINIBAND, node_offset(number));
        let _ = writeln!(
            text,
            "  host {}-ib {{\n    fixed-address {address};\n    hardware ethernet {};\n  }}",
            host.name,
            HardwareAddress::of_infiniband(number)
        );
    }
    text.push_str("}\n");
    text
}
