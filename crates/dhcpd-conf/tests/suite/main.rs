//! Tests of the crate from outside.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests fail and report as tests do"
)]

mod api;
mod augeas;
mod corpus;
mod desk;
mod edits;
mod errors;
mod hosts;
mod includes;
mod invariants;
mod judge;
mod keama;
mod layout;
mod limits;
mod lint;
mod lookups;
mod manifest;
mod networks;
mod properties;
mod reports;
mod reservations;
mod scopes;
#[cfg(feature = "schema")]
mod shape;
mod verdicts;
