//! `clusterctl bmc …`

use std::time::Duration;

use clap::{Args, Subcommand};

use crate::config::decode::parse_duration;

/// Service processors.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum BmcCommand {
    /// Whether machines are on.
    Status {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Switch machines on or off, or reset them.
    Power(PowerArgs),
    /// The boot source of the next boot.
    #[command(subcommand)]
    Boot(BmcBootCommand),
}

/// A power action.
#[derive(Debug, Clone, Args)]
pub struct PowerArgs {
    /// on, off, soft, cycle, reset, nmi or status.
    pub action: String,
    /// The nodes, in place of -n.
    pub nodeset: Option<String>,
    /// Take machines that run jobs, or that Slurm cannot say about.
    #[arg(long)]
    pub lose_jobs: bool,
    /// How many machines at a time, for on, cycle and reset.
    #[arg(long, value_name = "N")]
    pub batch: Option<std::num::NonZeroUsize>,
    /// The pause between two batches, such as 5s; 0 for none.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub stagger: Option<Duration>,
}

/// The boot source of the next boot.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum BmcBootCommand {
    /// What machines boot next.
    Show {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Boot from a source, once.
    Set {
        /// The source, as Redfish calls it: Pxe, Hdd, Cd, BiosSetup and so on.
        target: String,
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// At every boot, not at the next one only.
        #[arg(long)]
        persistent: bool,
    },
    /// Boot as usual again.
    Unset {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
}
