//! From trees to typed documents: serde over nodes, with a place on every error.

mod deserializer;
mod error;
mod suggestion;
mod text;
mod tree;

pub use error::DecodeError;
pub use suggestion::closest;
pub use text::{duration, optional_duration, parse_duration};
pub use tree::decode;
