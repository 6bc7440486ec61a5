//! What is wrong with a document, and where.

use std::fmt;

use serde::de::{Expected, Unexpected};

use crate::config::decode::suggestion::closest;
use crate::config::place::Place;

/// A value that does not fit its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    place: Option<Place>,
    message: String,
    is_missing_field: bool,
}

impl DecodeError {
    /// An error at a place.
    pub fn at(place: &Place, message: impl Into<String>) -> DecodeError {
        DecodeError { place: Some(place.clone()), message: message.into(), is_missing_field: false }
    }

    /// The same with a place, unless a deeper one is known.
    #[must_use]
    pub fn or_at(mut self, place: &Place) -> DecodeError {
        self.place.get_or_insert_with(|| place.clone());
        self
    }

    /// Whether the only mistake is that something is not there, which a part of a whole may lack.
    pub(crate) fn is_missing_field(&self) -> bool {
        self.is_missing_field
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
        DecodeError { place: None, message: message.to_string(), is_missing_field: false }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> DecodeError {
        Self::custom(format!("expected {}, found {}", in_words(expected), described(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> DecodeError {
        Self::invalid_type(found, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> DecodeError {
        Self::custom(unknown("field", field, expected))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> DecodeError {
        Self::custom(unknown("word", variant, expected))
    }

    fn missing_field(field: &'static str) -> DecodeError {
        DecodeError {
            is_missing_field: true,
            ..Self::custom(format!("the field {field:?} is missing"))
        }
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

/// What a field wants, in the words of documents instead of Rust's.
fn in_words(expected: &dyn Expected) -> String {
    let text = expected.to_string();
    match text.as_str() {
        "u16" => "a whole number from 0 to 65535".to_owned(),
        "u32" | "u64" | "usize" => "a whole number that is not negative".to_owned(),
        "a nonzero u32" | "a nonzero usize" => "a whole number above 0".to_owned(),
        "a string" => "text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a mapping".to_owned(),
        _ => text,
    }
}

/// What stands there, as the messages of this program call it.
fn described(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Str(text) => format!("the text {text:?}"),
        Unexpected::Unit => "nothing".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a mapping".to_owned(),
        other => other.to_string(),
    }
}
