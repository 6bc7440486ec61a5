//! The file's grammar, with real shells as judges.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on fails, and says what it skips"
)]

mod grammar;
mod shells;
mod values;
