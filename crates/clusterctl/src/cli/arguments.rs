//! The whole command line.

use clap::{Parser, Subcommand};

use crate::cli::{
    BmcCommand, BootCommand, ConfigCommand, DhcpCommand, ExecArgs, Global, HostkeyCommand,
    NodeCommand, ProvisionCommand, SlurmCommand,
};

/// Administers HPC clusters from a workstation.
#[derive(Debug, Parser)]
#[command(name = "clusterctl", version, arg_required_else_help = true)]
#[command(infer_subcommands = false, max_term_width = 100)]
pub struct Arguments {
    /// Flags that every command takes.
    #[command(flatten)]
    pub global: Global,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The nouns.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum Command {
    /// Reinstall nodes and watch them come back.
    #[command(subcommand)]
    Provision(ProvisionCommand),
    /// What nodes boot from the network.
    #[command(subcommand)]
    Boot(BootCommand),
    /// Service processors: power, boot source, state.
    #[command(subcommand)]
    Bmc(BmcCommand),
    /// The DHCP server's view of nodes.
    #[command(subcommand)]
    Dhcp(DhcpCommand),
    /// Nodes in Slurm.
    #[command(subcommand)]
    Slurm(SlurmCommand),
    /// Nodes of the inventory and their groups.
    #[command(subcommand)]
    Node(NodeCommand),
    /// Keys of hosts in the site's host key file.
    #[command(subcommand)]
    Hostkey(HostkeyCommand),
    /// Run a command on nodes, side by side.
    Exec(ExecArgs),
    /// The configuration and where it comes from.
    #[command(subcommand)]
    Config(ConfigCommand),
}
