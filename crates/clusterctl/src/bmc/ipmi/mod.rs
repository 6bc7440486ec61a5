//! IPMI over LAN, through `ipmipower` (FreeIPMI) or `ipmitool` on the host of the role
//! `bmc.ipmi.via`.
//!
//! Many service processors are asked in one ssh request. Command lines and the reading of what the
//! programs print are pure; [`Ipmi`] alone reaches a host.

mod boot_flags;
mod chunk;
mod client;
mod error;
mod exchange;
mod ipmipower;
mod ipmitool;
mod power;
mod record;
mod reply;
mod script;
mod secret;
mod suite;
mod verb;

pub use boot_flags::{BootDevice, BootFlags, BootWish, UnknownDevice};
pub use client::{Ipmi, Peer};
pub use error::{IpmiError, IpmiErrorKind};
pub use power::Powered;
pub use secret::SecretError;
