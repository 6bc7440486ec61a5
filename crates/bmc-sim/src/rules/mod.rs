//! How a BMC of some make behaves: which writes it takes, and in which shape it answers.

mod answers;
mod boot;
mod power;
mod standing;
mod tags;

pub use answers::{ErrorShape, Lockout, Refusal, Reply, SessionLocation};
pub use boot::{BootMode, BootWrites, Disabling, PartialUpdates, ReadBack};
pub use power::Precondition;
pub use standing::Rules;
pub use tags::{IfMatch, TagRules, TagShape};
