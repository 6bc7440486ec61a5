#![doc = include_str!("../README.md")]

mod bmc;
mod boot;
mod builder;
mod connection;
mod core;
mod error;
mod fault;
mod http;
mod identity;
mod machine;
mod record;
mod rules;
mod running;
mod service;
mod state;
mod timer;
mod tree;
mod vendor;

pub use bmc::Bmc;
pub use boot::{BootOverride, BootSource, OverrideEnabled};
pub use builder::Builder;
pub use error::Error;
pub use fault::{Answer, Effect, Fault, FaultId, FaultTextError, When};
pub use identity::Identity;
pub use machine::{Action, Machine, MemoryMachine, Power};
pub use record::{Auth, RequestRecord};
pub use rules::{
    BootMode, BootWrites, Disabling, ErrorShape, IfMatch, Lockout, PartialUpdates, Precondition,
    ReadBack, Refusal, Reply, Rules, SessionLocation, TagRules, TagShape,
};
pub use running::Running;
pub use service::Role;
pub use state::{State, SystemState};
pub use tree::Tree;
pub use vendor::{Make, VendorRule, vendor_rules};
