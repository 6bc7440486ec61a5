//! What is wrong with a configuration that is written well.

mod blocks;
mod check;
mod failover;
mod finding;
mod identities;
mod options;
mod references;
mod subnets;
mod syntax;
mod text;

pub(crate) use check::check;
pub use finding::{Finding, FindingKind, Severity, Site};
