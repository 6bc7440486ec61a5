//! The journal of changing runs: one private file a run, one JSON object a line.
//!
//! It holds what was done to which node, never a secret and never an argument vector. A run that
//! was killed leaves what it had done; the newest run is what `@last` selects from.

mod directory;
mod event;
mod last;
mod run;

pub use directory::JournalError;
pub use last::{Last, LastGroup};
pub use run::Journal;
