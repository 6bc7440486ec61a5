//! What is wrong with a document, and where.

use std::fmt;

use crate::config::decode::suggestion::closest;
use crate::config::place::Place;

/// A value that does not fit its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    place: Option<Place>,
    message: String,
}

impl DecodeError {
    /// An error at a place.
    pub fn at(place: &Place, message: impl Into<String>) -> DecodeError {
        DecodeError { place: Some(place.clone()), message: message.into() }
    }

    /// The same with a place, unless a deeper one is known.
    #[must_use]
    pub fn or_at(mut self, place: &Place) -> DecodeError {
        self.place.get_or_insert_with(|| place.clone());
        self
    }

    /// What, without the place.
    pub fn into_message(self) -> String {
        self.message
    }

    /// Where.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for DecodeError {}

impl serde::de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> DecodeError {
        DecodeError { place: None, message: message.to_string() }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> DecodeError {
        Self::custom(unknown("field", field, expected))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> DecodeError {
        Self::custom(unknown("word", variant, expected))
    }

    fn missing_field(field: &'static str) -> DecodeError {
        Self::custom(format!("the field {field:?} is missing"))
    }

    fn duplicate_field(field: &'static str) -> DecodeError {
        Self::custom(format!("the field {field:?} stands here twice"))
    }
}

fn unknown(what: &str, found: &str, expected: &[&str]) -> String {
    match closest(found, expected.iter().copied()) {
        Some(meant) => format!("unknown {what} {found:?}: did you mean {meant:?}?"),
        None if expected.is_empty() => format!("unknown {what} {found:?}: nothing stands here"),
        None => format!("unknown {what} {found:?}: known are {}", expected.join(", ")),
    }
}
