//! The DHCP server's configuration and what it says of nodes.

mod address;
mod fetch;
mod hosts;
mod matching;

pub use address::{AddressError, BootAddresses};
pub use fetch::{FetchError, fetch};
pub use hosts::hosts;
pub use matching::{Declaration, Declarations, Match};
