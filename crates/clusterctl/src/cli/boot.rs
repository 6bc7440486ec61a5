//! `clusterctl boot …`

use clap::{Args, Subcommand};

/// Boot links on the PXE host.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum BootCommand {
    /// The boot links of nodes.
    Status {
        /// The nodes, in place of -n; all links without any.
        nodeset: Option<String>,
    },
    /// Set the boot link of nodes.
    Set(BootSetArgs),
    /// Remove the boot links of nodes.
    Unset {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// The boot files there are.
    List,
    /// The PXE service's log.
    Log {
        /// How many lines of the end.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        lines: u32,
    },
}

/// How boot links are set.
#[derive(Debug, Clone, Default, Args)]
pub struct BootSetArgs {
    /// The nodes, in place of -n; an argument that begins with a slash is the path.
    pub nodeset: Option<String>,
    /// The file on the PXE host, in place of the cluster's rules.
    pub path: Option<String>,
    /// Keep the link after the first request.
    #[arg(long)]
    pub persistent: bool,
}

impl BootSetArgs {
    /// The node set and the path, whichever of the two arguments they are.
    pub fn split(&self) -> (Option<&str>, Option<&str>) {
        match (self.nodeset.as_deref(), self.path.as_deref()) {
            (Some(path), None) if path.starts_with('/') => (None, Some(path)),
            both => both,
        }
    }
}
