//! Plans, and the scripts under real shells in real directories.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on fails, and says what it skips"
)]

mod arming;
mod disarming;
mod grub;
mod host;
mod properties;
mod reading;
