//! Why changes cannot be made.

use std::path::PathBuf;

use thiserror::Error;

use crate::error::ParseErrors;
use crate::load_error::LoadErrors;

/// Why changes cannot be made. Nothing has been changed.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum EditError {
    /// Two changes touch the same bytes.
    #[error("two changes touch the same bytes: make one of them, and the other in a second edit")]
    Overlap,
    /// A statement of another document was given.
    #[error("the statement belongs to another document than the edit")]
    Foreign,
    /// No file of the configuration has the path.
    #[error("the configuration has no file {}", .0.display())]
    NoFile(PathBuf),
    /// A text is not the one name, value or statement it has to be.
    #[error("`{0}` is not one {1}: text stands in quotes, and nothing may follow it")]
    NotOne(String, &'static str),
    /// The change gives a host the name of another.
    #[error("a host {0} is declared already: the server refuses a second one")]
    DuplicateHost(String),
    /// The changed source has syntax errors: a name or value is not fit for its place.
    #[error("the change would break the syntax")]
    Syntax(#[source] ParseErrors),
    /// The changed files are no configuration any more.
    #[error("the changed files cannot be read as a configuration")]
    Load(#[source] LoadErrors<String>),
}
