//! Argument vectors and answers, by hand and with a real controller.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on fails, and says what it skips"
)]

mod answers;
mod cluster;
mod properties;
mod real;
mod reasons;
mod states;
