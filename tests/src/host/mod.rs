//! The first process of a host: it brings up the interface, plays the firmware, mounts the root,
//! starts the services, and takes everything with it when it ends.

mod dhcp;
mod firmware;
mod http;
mod interface;
mod ipxe;
mod root;
mod run;
mod services;

pub(crate) use root::write_system;
pub(crate) use run::run;
