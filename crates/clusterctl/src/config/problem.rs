//! One thing that is wrong with the configuration.

use std::fmt;

use crate::config::decode::DecodeError;
use crate::config::place::Place;
use crate::config::yaml::YamlError;

/// A mistake and its place; ordered by file and line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, as far as it is known.
    pub place: Option<Place>,
    /// What.
    pub message: String,
}

impl Problem {
    /// A mistake at a place.
    pub fn at(place: &Place, message: impl Into<String>) -> Problem {
        Problem { place: Some(place.clone()), message: message.into() }
    }

    /// A mistake of the whole.
    pub fn of(message: impl Into<String>) -> Problem {
        Problem { place: None, message: message.into() }
    }

    fn key(&self) -> (String, u32, u32) {
        match &self.place {
            Some(place) => (place.source.name.clone(), place.line, place.column),
            None => (String::new(), 0, 0),
        }
    }

    /// Sorts by file, line and column.
    pub(crate) fn sort(problems: &mut [Problem]) {
        problems.sort_by_key(Problem::key);
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl From<YamlError> for Problem {
    fn from(error: YamlError) -> Problem {
        Problem { place: Some(error.place), message: error.message }
    }
}

impl From<DecodeError> for Problem {
    fn from(error: DecodeError) -> Problem {
        Problem { place: error.place().cloned(), message: error.into_message() }
    }
}
