//! Service processors over Redfish: one place that builds the client of a node.

mod announced;
mod cause;
mod connections;
mod line;

pub use cause::cause_of;
pub use connections::{BmcError, Connections};
pub use line::Line;
