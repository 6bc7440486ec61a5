//! What is typed: the command line as clap reads it, one file a noun.
//!
//! Nothing here knows what a command does; `front_door` hands the arguments to the operations.

mod arguments;
mod bmc;
mod boot;
mod config;
mod dhcp;
mod exec;
mod global;
mod hostkey;
mod node;
mod one_place;
mod provision;
mod slurm;

pub use arguments::{Arguments, Command};
pub use bmc::{
    BmcBootCommand, BmcCommand, EventsCommand, MediaCommand, Mode, PowerArgs, RedfishCommand,
};
pub use boot::{BootCommand, BootSetArgs};
pub use config::{ConfigCommand, Init};
pub use dhcp::DhcpCommand;
pub use exec::ExecArgs;
pub use global::{Global, NodeSet};
pub use hostkey::HostkeyCommand;
pub use node::NodeCommand;
pub use provision::{ProvisionCommand, ReinstallArgs};
pub use slurm::{SlurmCommand, SlurmNodeCommand};
