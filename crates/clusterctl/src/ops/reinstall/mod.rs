//! `provision reinstall`: boot link, boot once, host keys, reset, and the way back.
//!
//! [`reinstall`] is the spine. Everything is resolved before anybody is asked, the steps run in
//! the order that puts what cannot be undone last, and a failure disarms every machine that was
//! not reset.

mod actions;
mod facts;
mod outcome;
mod progress;
mod report;
mod run;
#[cfg(test)]
mod simulation;
mod spine;

pub use spine::{Options, reinstall};
