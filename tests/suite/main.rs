//! End-to-end tests: the program, run in a lab of real components.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends where it fails"
)]

mod config;
mod counts;
mod exec;
mod failures;
mod harness;
mod hostkey;
mod lab;
mod processes;
mod reinstall;
mod terminal;
mod transport;
