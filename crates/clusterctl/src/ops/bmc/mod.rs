//! `bmc`: power and boot source of machines over Redfish.

mod boot;
pub(crate) mod fan_out;
mod power;
mod status;

pub(crate) use boot::words;
pub use boot::{set, show, unset};
pub use power::{PowerOptions, power};
pub use status::status;
