//! `clusterctl config …`

use clap::Subcommand;

/// The configuration.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum ConfigCommand {
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
