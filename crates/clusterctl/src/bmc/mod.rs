//! Service processors: one place that builds the Redfish client of a node, and IPMI from a role's
//! host.

mod announced;
mod cause;
mod connections;
pub mod ipmi;
mod line;
mod trust;

pub use cause::cause_of;
pub use connections::{BmcError, Connections};
pub use line::Line;
