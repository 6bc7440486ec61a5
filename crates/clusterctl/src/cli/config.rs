//! `clusterctl config …`

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::site::HostName;

/// The configuration.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum ConfigCommand {
    /// The first documents of a site, to be edited.
    ///
    /// DIR has to be empty or absent. Without it they go where clusterctl looks for the user's
    /// documents, unless the machine has its own in /etc/clusterctl.
    Init(Init),
    /// Whether all documents are right.
    Validate,
    /// The settings, all layers merged.
    View {
        /// One line a value, with the layer and place it comes from.
        #[arg(long)]
        show_sources: bool,
    },
    /// One setting, and where it comes from.
    Explain {
        /// The path, such as fanout.max.
        path: String,
    },
    /// JSON Schema of a kind, or of all.
    Schema {
        /// Config, Site, Cluster, NodeInventory, Workstation or Secret.
        kind: Option<String>,
    },
    /// The contexts there are.
    Contexts,
    /// How to make a context the current one; nothing is edited.
    UseContext {
        /// The context.
        name: String,
    },
}

/// What the first documents hold.
#[derive(Debug, Args)]
#[expect(clippy::exhaustive_structs, reason = "the front door reads every option")]
pub struct Init {
    /// Where they are written.
    pub dir: Option<PathBuf>,
    /// The site's name.
    #[arg(long, value_name = "NAME", default_value = "site")]
    pub site: String,
    /// The name of its first cluster.
    #[arg(long, value_name = "NAME", default_value = "cluster1")]
    pub cluster: String,
    /// The domain of the nodes; their service processors are in bmc.DOMAIN.
    #[arg(long, default_value = "example.org")]
    pub domain: HostName,
    /// The account on hosts and nodes.
    #[arg(long, default_value = "root")]
    pub user: String,
    /// The host where Slurm's commands run [default: login.DOMAIN].
    #[arg(long, value_name = "HOST")]
    pub login: Option<HostName>,
}
