//! `clusterctl hostkey …`

use clap::Subcommand;

/// Keys of hosts in the site's host key file.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum HostkeyCommand {
    /// The entries of the file.
    List,
    /// The keys that nodes show.
    Scan {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Whether nodes show the keys of the file.
    Verify {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Put the keys that nodes show into the file, in place of their old ones.
    Refresh {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Forget the keys of nodes.
    Remove {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
}
