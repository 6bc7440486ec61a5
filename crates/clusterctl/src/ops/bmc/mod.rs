//! `bmc`: power and boot source of machines over Redfish.

mod boot;
mod change;
pub(crate) mod fan_out;
mod forget;
mod power;
mod resource;
mod status;
mod web;

pub(crate) use boot::words;
pub use boot::{BootOptions, set, show, unset};
pub use forget::{Whose, forget};
pub use power::{PowerOptions, power};
pub use resource::{get, info, post};
pub use status::status;
pub use web::web;
