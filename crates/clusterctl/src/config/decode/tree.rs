//! The entrance: a tree in, a typed document out.

use serde::de::DeserializeOwned;

use crate::config::decode::deserializer::NodeDeserializer;
use crate::config::decode::error::DecodeError;
use crate::config::yaml::Node;

/// The typed form of a tree.
pub fn decode<T: DeserializeOwned>(node: &Node) -> Result<T, DecodeError> {
    T::deserialize(NodeDeserializer::new(node))
}
