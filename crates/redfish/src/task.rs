//! Tasks of a BMC.

use std::fmt;

/// What is known of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TaskState {
    /// It is done.
    Completed,
    /// It ended without success.
    Failed,
    /// It was not finished when time was up.
    Running,
    /// The BMC does not know it any more; what became of it only the resource it changed shows.
    Gone,
}

impl fmt::Display for TaskState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Running => "running",
            Self::Gone => "gone",
        })
    }
}
