//! `clusterctl dhcp …`

use std::path::PathBuf;

use clap::Subcommand;

/// The DHCP server's view.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum DhcpCommand {
    /// The declarations of nodes.
    Hosts {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// A file of this machine, in place of the server's configuration; needs no site.
        #[arg(long, value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Every declaration; with -o json all that the configuration says.
    Config {
        /// A file of this machine, in place of the server's configuration; needs no site.
        #[arg(long, value_name = "FILE", conflicts_with = "schema")]
        file: Option<PathBuf>,
        /// The JSON Schema of what -o json prints.
        #[arg(long)]
        schema: bool,
    },
    /// What is wrong with the server's configuration, or with files of this machine.
    Check {
        /// Files of this machine, each a configuration with all it includes; need no site.
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// What the DHCP server wrote into its log.
    Log {
        /// How many lines of the end.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        lines: u32,
    },
    /// The DHCP packets that arrive at the server and leave it, as they do.
    Capture {
        /// Where to listen, in place of services.dhcp.interface.
        #[arg(short, long)]
        interface: Option<String>,
        /// How long.
        #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=86_400))]
        seconds: u32,
    },
}
