//! `clusterctl dhcp …`

use clap::Subcommand;

/// The DHCP server's view.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum DhcpCommand {
    /// The declarations of nodes.
    Hosts {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// What the DHCP server wrote into its log.
    Log {
        /// How many lines of the end.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        lines: u32,
    },
}
