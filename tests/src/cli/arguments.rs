//! What can be typed.

use crate::options::{Layout, Options};
use crate::pxe::PxeService;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// A whole site on one machine, for trying and testing clusterctl. Needs root.
#[derive(Debug, Parser)]
#[command(name = "lab")]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Start a lab and keep it until interrupted
    Up(Site),
    /// Start a lab, run a command on its workstation, tear the lab down
    Run {
        #[command(flatten)]
        site: Site,
        /// The command; without one, a shell
        #[arg(trailing_var_arg = true)]
        command: Vec<String>,
    },
    /// Start a lab with a shell on its workstation, or open one in a running lab
    Shell {
        #[command(flatten)]
        site: Site,
        /// Join this running lab instead of starting one
        #[arg(long)]
        lab: Option<String>,
    },
    /// Run a command on a host of a running lab, past ssh
    On {
        /// The lab, where several run
        #[arg(long)]
        lab: Option<String>,
        /// The host, as in exe0001 or installer
        host: String,
        /// The command
        #[arg(trailing_var_arg = true, required = true)]
        command: Vec<String>,
    },
    /// Print the links, machines and host keys of a running lab as JSON
    Snapshot {
        /// The lab, where several run
        #[arg(long)]
        lab: Option<String>,
    },
    /// Start a lab and reinstall three nodes in it, saying what happens
    Demo(Site),
    /// Compare clusterctl with nodeset, pdsh and clush, and with other Redfish clients
    Bench {
        /// Only these comparisons: select, exec, bmc
        only: Vec<String>,
    },
    /// List running labs
    List,
    /// Remove what labs left whose owners died
    Sweep,
    #[command(hide = true)]
    Supervise { run: PathBuf },
    #[command(hide = true)]
    Host,
    #[command(hide = true)]
    Pxesrv(PxeService),
    #[command(hide = true)]
    Chassis {
        socket: PathBuf,
        node: String,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
}

/// How the site is made.
#[derive(Debug, Args)]
pub(super) struct Site {
    /// Number of compute nodes
    #[arg(long, short = 'n', default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=9999))]
    nodes: u16,
    /// Arrangement of the PXE service's links
    #[arg(long, value_enum, default_value = "suffix")]
    layout: Layout,
    /// Leave Slurm out
    #[arg(long)]
    no_slurm: bool,
    /// Seconds an installation takes
    #[arg(long, default_value_t = 0)]
    install_time: u64,
    /// Recording of a Redfish service that every service processor answers with
    #[arg(long)]
    recording: Option<PathBuf>,
    /// Have ipmi_sim answer beside every service processor
    #[arg(long)]
    ipmi: bool,
}

impl Site {
    pub(super) fn options(&self) -> Options {
        Options {
            nodes: self.nodes,
            layout: self.layout,
            slurm: !self.no_slurm,
            install_time: Duration::from_secs(self.install_time),
            recording: self.recording.clone(),
            ipmi: self.ipmi,
        }
    }
}
