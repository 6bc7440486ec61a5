//! YAML documents as trees whose every value knows its place.
//!
//! The rules are narrower than YAML's: numbers are decimal or begin with `0x`, `0o`, `0b`; what
//! another reader might take for a number, a date or a boolean is text; aliases, infinities and
//! NaN are refused; keys are text. `docs/adr/0004-yaml.md` says why.

#[cfg(test)]
mod agreement;
mod lines;
mod node;
mod one_line;
mod plain;
mod reader;
mod scalar;

pub use node::{Key, Node, Value};
pub use reader::{YamlError, read, read_value};
