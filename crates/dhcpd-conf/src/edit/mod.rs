//! Changes that leave every other byte as it is.

mod change;
mod editable;
mod error;
mod insertion;
mod lines;
mod snippet;
mod splice;

pub use change::Edit;
pub use editable::{ChangedFile, Editable};
pub use error::EditError;
pub(crate) use lines::{newline, step};
pub use snippet::quoted;
