//! Why an answer cannot be read.

use thiserror::Error;

/// The output is not what the question asked for. Nothing of it is used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// A record is cut off or has other fields than were asked for.
    #[error("Slurm's answer breaks off or is not in the form that was asked for")]
    Form,
    /// The commands did not all run to their end.
    #[error("Slurm's answer ends before everything was asked")]
    Incomplete,
    /// A field that is a number or a list of nodes holds something else.
    #[error("Slurm reports {value:?} as {field}")]
    Field {
        /// Which field, as `sinfo(1)` and `squeue(1)` call it.
        field: &'static str,
        /// What it holds.
        value: String,
    },
}
