//! `clusterctl exec …`

use std::time::Duration;

use clap::Args;

use crate::config::decode::parse_duration;

/// Run a command on nodes, side by side.
#[derive(Debug, Clone, Args)]
pub struct ExecArgs {
    /// The nodes, in place of -n.
    pub nodeset: Option<String>,
    /// As root.
    #[arg(short = 'r', long, conflicts_with = "user")]
    pub root: bool,
    /// As this account.
    #[arg(short = 'u', long, value_name = "USER")]
    pub user: Option<String>,
    /// Nodes with the same answer together, the answer once.
    #[arg(short = 'b', long)]
    pub dedup: bool,
    /// A POSIX script in place of a command; words after -- become its parameters.
    #[arg(long, value_name = "TEXT")]
    pub script: Option<String>,
    /// Hand standard input to the command on every node.
    #[arg(long, conflicts_with = "script")]
    pub stdin: bool,
    /// Ask first.
    #[arg(long)]
    pub confirm: bool,
    /// How long the command may run on a node.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// The command and its words.
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}
