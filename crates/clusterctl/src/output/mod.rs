//! What a command prints, as a value; rendering is one step at the end.
//!
//! An operation gives an [`Outcome`]: the result for standard output, notes for standard error,
//! and what makes the command fail. Every target is in the result in every format.

pub mod escape;
mod format;
mod jq;
mod live_table;
mod outcome;
pub mod plural;
mod table;
mod yaml;

pub use format::{Format, FormatError};
pub use jq::{JqError, Program};
pub use live_table::{Live, LiveTable, PATIENCE};
pub use outcome::{Outcome, Output};
pub use table::{Column, Table};
pub use yaml::document as yaml_document;
