//! The program itself, in directories of its own and without any host.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends where it fails, and says what it skips"
)]

mod command_line;
mod dhcp_files;
mod documents;
mod groups;
mod inventory;
mod ipmi;
mod layers;
mod names;
mod naming;
mod node_sets;
mod paths;
mod safety;
mod scaffold;
mod ssh_settings;
mod trust;
mod workplace;
