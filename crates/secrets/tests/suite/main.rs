//! age and sops by hand, and with the real programs.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on fails, and says what it skips"
)]

mod age_files;
mod documents;
mod identities;
mod plaintext;
mod programs;
mod real_sops;
mod runner;
