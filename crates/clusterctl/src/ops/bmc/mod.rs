//! `bmc`: what service processors know and do. Power and boot source go over Redfish or IPMI, all
//! else over Redfish.

mod boot;
mod change;
mod doctor;
mod events;
pub(crate) mod fan_out;
mod firmware;
mod forget;
mod led;
mod listing;
mod media;
mod ping;
mod power;
mod resource;
mod sensors;
mod status;
pub(crate) mod ways;
mod web;

pub(crate) use boot::words;
pub use boot::{BootOptions, set, show, unset};
pub use doctor::doctor;
pub use events::{clear_events, events};
pub use firmware::firmware;
pub use forget::{Whose, forget};
pub use led::{led, led_action, led_status};
pub use media::{eject_media, insert_media, media_status};
pub use ping::ping;
pub use power::{PowerOptions, power};
pub use resource::{get, info, post};
pub use sensors::{SensorOptions, sensors};
pub use status::status;
pub use web::web;
