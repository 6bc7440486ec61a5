//! A host's interfaces, by `ip(8)`.

use crate::command;
use crate::error::Error;
use crate::plan::Networks;
use crate::wire::Address;
use std::fmt::Write;
use std::process::Command;

/// Sets the interfaces up. One with a fixed address gets it here, others by DHCP later.
pub(super) fn up(address: &Address) -> Result<(), Error> {
    let mut batch = String::from("link set lo up\n");
    match address {
        Address::Fixed(addresses) => {
            for (interface, address) in addresses {
                let _ =
                    writeln!(batch, "addr replace {address}/{} dev {interface}", Networks::PREFIX);
                let _ = writeln!(batch, "link set {interface} up");
            }
        }
        Address::Dhcp => {
            // What an earlier run of this machine left: the interface outlives a power-off.
            batch.push_str("addr flush dev eth0\nlink set eth0 up\n");
        }
    }
    ip(&batch)?;
    quicken_neighbours();
    Ok(())
}

/// Runs a batch of `ip` commands.
fn ip(batch: &str) -> Result<(), Error> {
    command::run_with_input(Command::new("ip").args(["-batch", "-"]), batch).map(drop)
}

/// An address nobody has is noticed after 0.6 s rather than 3 s. A convenience of the lab; where
/// the kernel does not offer it, tests only take longer.
fn quicken_neighbours() {
    for interface in ["default", "eth0", "eth1"] {
        let path = format!("/proc/sys/net/ipv4/neigh/{interface}/retrans_time_ms");
        let _ = std::fs::write(path, "200");
    }
}
