//! What the lab's processes say to each other: one JSON value a line.

mod control;
mod host;
mod state;

pub use control::ChassisFault;
pub(crate) use control::{Answer, BmcRequest, IpmiRequest, Request};
pub(crate) use host::{Address, Boot, Event, HostCommand, HostSpec, LinkSpace, Order, Service};
pub use state::{
    BootOutcome, BootRecord, Directories, HostState, LinkState, NodeState, Overview, Snapshot,
    Stage,
};
