//! The tree.

use crate::config::place::Place;

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it begins.
    pub place: Place,
}

/// A key of a mapping and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// The key.
    pub text: String,
    /// Where it begins.
    pub place: Place,
}

/// What a value can be.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "YAML's kinds of nodes")]
pub enum Value {
    /// Nothing, `~` or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A decimal number.
    Float(f64),
    /// Everything else that is written in one piece.
    Text(String),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys and values, in their order; no key twice.
    Mapping(Vec<(Key, Node)>),
}

impl Node {
    /// The value of a key, if this is a mapping that has it.
    pub fn child(&self, key: &str) -> Option<&Node> {
        let Value::Mapping(entries) = &self.value else { return None };
        entries.iter().find(|(known, _)| known.text == key).map(|(_, node)| node)
    }

    /// The node at a path, or the deepest one on the way to it that was written: keys of mappings,
    /// numbers of items.
    pub fn nearest<W: AsRef<str>>(&self, words: &[W]) -> &Node {
        let mut node = self;
        for word in words {
            let word = word.as_ref();
            let below = match &node.value {
                Value::Sequence(items) => word.parse().ok().and_then(|at: usize| items.get(at)),
                _ => node.child(word),
            };
            match below {
                Some(below) => node = below,
                None => break,
            }
        }
        node
    }

    /// The text, if this is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What kind of value this is, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "a boolean",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Text(_) => "text",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }

    /// This tree with every value below moved to a layer.
    pub(crate) fn set_layer(&mut self, layer: crate::config::place::Layer) {
        self.place.layer = layer;
        match &mut self.value {
            Value::Sequence(items) => items.iter_mut().for_each(|item| item.set_layer(layer)),
            Value::Mapping(entries) => {
                for (key, node) in entries {
                    key.place.layer = layer;
                    node.set_layer(layer);
                }
            }
            _ => {}
        }
    }
}
