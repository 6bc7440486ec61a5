//! `clusterctl provision …`

use clap::{Args, Subcommand};

/// Reinstalling.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum ProvisionCommand {
    /// Point the PXE service at an installation, boot once from the network, forget host keys, reset.
    Reinstall(ReinstallArgs),
    /// Where nodes are on their way: boot link, power, ssh, uptime.
    Status {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
}

/// How nodes are reinstalled.
#[derive(Debug, Clone, Default, Args)]
pub struct ReinstallArgs {
    /// The nodes, in place of -n.
    pub nodeset: Option<String>,
    /// The file on the PXE host to boot, in place of the cluster's rules.
    #[arg(long, value_name = "PATH")]
    pub boot_path: Option<String>,
    /// Leave the host key file alone.
    #[arg(long)]
    pub keep_host_keys: bool,
    /// Prepare everything and reset nothing.
    #[arg(long)]
    pub no_reset: bool,
    /// Reset nodes that run jobs, or that Slurm cannot say about.
    #[arg(long)]
    pub lose_jobs: bool,
}
