//! The DHCP server's configuration and what it says of nodes.

mod address;
mod capture;
mod check;
mod config;
mod fetch;
mod file;
mod hosts;
mod matching;

pub use address::{AddressError, BootAddresses};
pub use capture::capture;
pub use check::{check, check_files};
pub use config::{config, schema};
pub use fetch::{FetchError, fetch};
pub use file::must_read as read_file;
pub use hosts::{Wanted, hosts};
pub use matching::{Declaration, Declarations, Match};
