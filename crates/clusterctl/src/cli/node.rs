//! `clusterctl node …`

use clap::Subcommand;

/// Nodes of the inventory and their groups.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum NodeCommand {
    /// The nodes that an expression names, as one folded set.
    Select {
        /// The expression, in place of -n.
        expression: Option<String>,
        /// One node a line.
        #[arg(short = 'e', long, conflicts_with = "count")]
        expand: bool,
        /// How many they are.
        #[arg(short = 'c', long)]
        count: bool,
    },
    /// The inventory.
    List {
        /// The nodes, in place of -n; all without any.
        nodeset: Option<String>,
    },
    /// The attributes there are, their values and who has them.
    Attrs {
        /// One attribute.
        key: Option<String>,
    },
    /// The racks and who stands in them.
    Rack {
        /// A rack, or a node for its place.
        rack: Option<String>,
    },
    /// The groups there are, or those of one node.
    Groups {
        /// The node.
        node: Option<String>,
    },
    /// Host names of nodes.
    Fqdn {
        /// The nodes, in place of -n; all without any.
        nodeset: Option<String>,
        /// Names of service processors.
        #[arg(short = 'b', long)]
        bmc: bool,
    },
    /// Everything that is known of one node.
    Describe {
        /// The node.
        node: String,
    },
}
