//! The site on paper: names, addresses and hardware addresses. Nothing here touches the machine.

mod addresses;
mod hardware;
mod hosts;

pub use addresses::{Networks, node_offset};
pub use hardware::HardwareAddress;
pub use hosts::{Host, Plan, Role};
