//! The simulator as its clients see it: over TLS, on loopback.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests stop the test and say what they skip"
)]

mod accounts;
mod boot;
mod client;
mod curl;
mod emulators;
mod equipment;
mod faults;
mod peers;
mod peers_at_work;
mod peers_table;
mod power;
mod program;
mod python;
mod reading;
mod recordings;
mod serving;
mod tags;
mod updates;
mod validator;
mod vendor_client;
mod vendor_rules;
mod vendor_scenarios;
