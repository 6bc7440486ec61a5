//! End-to-end tests: the program, run in a lab of real components.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends where it fails"
)]

mod bmc;
mod boot;
mod config;
mod counts;
mod dhcp;
mod exec;
mod failures;
mod harness;
mod hostkey;
mod ipmi;
mod ipmi_boot;
mod ipmi_ways;
mod lab;
mod node;
mod power;
mod processes;
mod protected;
mod reinstall;
mod scaffold;
mod slurm;
mod terminal;
mod transport;
