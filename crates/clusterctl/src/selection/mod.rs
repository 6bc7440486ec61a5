//! Which nodes a command is about: node sets, groups, and what they name.

mod error;
mod fold;
mod groups;
mod select;
mod sources;

pub use error::SelectError;
pub use fold::fold;
pub use groups::{GroupCommands, GroupError, NoGroupsYet};
pub use select::{Selection, exclude, select, select_hostfile};
pub use sources::Sources;
