//! What a lab is started with.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// How a site differs from the usual one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Number of compute nodes, from 1; `wlm01` comes on top.
    pub nodes: u16,
    /// How the PXE service arranges its links.
    pub layout: Layout,
    /// Whether slurmctld and slurmd run.
    pub slurm: bool,
    /// How long an installation takes beyond what it needs.
    pub install_time: Duration,
    /// A recording that every service processor answers with; none: the simulator's own.
    pub recording: Option<PathBuf>,
    /// Whether `ipmi_sim` answers beside every service processor, and the configuration uses it
    /// where Redfish does not answer.
    pub ipmi: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            nodes: 16,
            layout: Layout::Suffix,
            slurm: true,
            install_time: Duration::ZERO,
            recording: None,
            ipmi: false,
        }
    }
}

/// Where the PXE service looks for a node's links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// `<root>/<ip>` once, `<root>/<ip>.static` always.
    Suffix,
    /// `<root>/once/<ip>` and `<root>/static/<ip>`, as upstream pxesrv.
    Directories,
}

impl Layout {
    /// What `services.pxesrv.staticSuffix` is set to in the suffix layout.
    pub const SUFFIX: &'static str = ".static";

    /// The path of the link that one request consumes, relative to the service's root.
    pub fn once(self, address: &str) -> String {
        match self {
            Layout::Suffix => address.to_owned(),
            Layout::Directories => format!("once/{address}"),
        }
    }

    /// The path of the link that stays, relative to the service's root.
    pub fn persistent(self, address: &str) -> String {
        match self {
            Layout::Suffix => format!("{address}{}", Layout::SUFFIX),
            Layout::Directories => format!("static/{address}"),
        }
    }
}
