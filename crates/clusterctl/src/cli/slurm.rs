//! `clusterctl slurm …`

use clap::Subcommand;

/// Slurm.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum SlurmCommand {
    /// Nodes.
    #[command(subcommand)]
    Node(SlurmNodeCommand),
}

/// Nodes in Slurm.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum SlurmNodeCommand {
    /// The state of nodes.
    List {
        /// The nodes, in place of -n; all without any.
        nodeset: Option<String>,
        /// A group of states (alloc, idle, drain, down, defect) or Slurm's own words.
        #[arg(long)]
        state: Option<String>,
    },
    /// Let no more jobs onto nodes.
    Drain {
        /// Why, in one word or in quotation marks.
        reason: String,
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Let jobs onto nodes again.
    Resume {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
}
