//! A whole site on one machine: real components for the end-to-end tests.
//!
//! [`Lab::start`] brings up an administrator's workstation, the role hosts of a site and its compute
//! nodes, each in network, host name, mount and process namespaces of its own: real sshd, dhcpd,
//! tftpd, rsyslog and Slurm, a PXE service, and one simulated service processor a node. Power and
//! boots are played to the end: a node that is reset really goes down, asks DHCP and the PXE service,
//! and comes up with what the script it got says.
//!
//! ```no_run
//! use lab::{Lab, Options};
//!
//! let lab = Lab::start(&Options::default())?;
//! let output = lab.workstation().command("ssh").args(["exe0001", "hostname"]).output();
//! # Ok::<(), lab::Error>(())
//! ```
//!
//! Everything lives inside one process namespace. However the process that started a lab ends, the
//! kernel takes the lab's processes, namespaces and mounts back; [`sweep`] removes the directory.

mod bench;
mod cli;
mod command;
mod error;
mod host;
mod lab;
mod options;
mod plan;
mod pxe;
mod requirements;
mod site;
mod supervisor;
mod wire;

pub use crate::lab::{BmcHandle, IpmiHandle, Lab, Slurm, Workstation, running, sweep};
pub use cli::main;
pub use error::Error;
pub use options::{Layout, Options};
pub use plan::{HardwareAddress, Host, Networks, Plan, Role, node_offset};
pub use requirements::check;
pub use wire::{
    BootOutcome, BootRecord, ChassisFault, Directories, HostState, LinkState, NodeState, Overview,
    Snapshot, Stage,
};
