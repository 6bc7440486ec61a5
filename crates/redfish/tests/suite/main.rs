//! Every decision of the client, from outside: what it sends to which service, and what it makes of
//! the answer.
#![allow(missing_docs, reason = "tests are named by the property they hold")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests stop the test and say what they skip"
)]

mod boot;
mod diagnosis;
mod errors;
mod events;
mod firmware;
mod identity;
mod indicator;
mod media;
mod power;
mod presumed;
mod recordings;
mod reports_boot;
mod reports_connections;
mod reports_power;
mod requests;
mod sensors;
mod server;
mod service;
mod sessions;
mod simulated;
mod site;
mod tasks;
mod throttle;
mod tls;
