//! Prints an error and what led to it, escaped for a terminal.

use std::error::Error;

use crate::output::escape;

/// The error and its sources on one line, joined by colons, without repeating a text.
pub fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        let part = source.to_string();
        if !part.is_empty() && !text.ends_with(&part) {
            text.push_str(": ");
            text.push_str(&part);
        }
        next = source.source();
    }
    escape::lines(&text)
}
