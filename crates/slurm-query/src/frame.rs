//! The separator between fields.

use std::borrow::Cow;
use std::hash::{BuildHasher as _, RandomState};

use thiserror::Error;

use crate::error::ParseError;

/// A separator between fields that no field can contain.
///
/// Users write job names, administrators write reasons: either may hold any character that could
/// serve as a separator, newlines included. A token nobody could know when the field was written
/// is in none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    token: String,
}

/// Why a token does not separate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FrameError {
    /// Too short to be in no field by chance, or too long for a format.
    #[error("a token has 16 to 64 characters")]
    Length,
    /// A character that means something in a format, or to a shell.
    #[error("a token consists of lower-case hexadecimal digits")]
    Character,
}

impl Frame {
    /// A token of 128 bits out of the standard library's random hash keys, which the operating
    /// system's random numbers seed.
    pub fn random() -> Frame {
        let half = || RandomState::new().hash_one(());
        Frame { token: format!("{:016x}{:016x}", half(), half()) }
    }

    /// A token of the caller's own, for tests and recordings.
    pub fn from_token(token: &str) -> Result<Frame, FrameError> {
        if !(16..=64).contains(&token.len()) {
            return Err(FrameError::Length);
        }
        if !token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(FrameError::Character);
        }
        Ok(Frame { token: token.to_owned() })
    }

    /// The format that prints these fields as one record.
    pub(crate) fn format(&self, kind: &str, fields: &[&str]) -> String {
        let token = &self.token;
        let mut format = format!("{token}{kind}{token}");
        for field in fields {
            format.push_str(field);
            format.push_str(token);
        }
        format
    }

    /// The records in an output. `fields` says how many fields a kind of record has.
    pub(crate) fn records<'a>(
        &self,
        output: &'a str,
        fields: impl Fn(&str) -> Option<usize>,
    ) -> Result<Vec<Record<'a>>, ParseError> {
        // Before the first token a login shell may have printed something of its own.
        let Some((_, body)) = output.split_once(self.token.as_str()) else {
            let nothing = output.trim().is_empty();
            return if nothing { Ok(Vec::new()) } else { Err(ParseError::Form) };
        };
        let mut pieces = body.split(self.token.as_str());
        let mut records = Vec::new();
        while let Some(kind) = pieces.next() {
            let count = fields(kind).ok_or(ParseError::Form)?;
            let fields: Vec<&str> = pieces.by_ref().take(count).collect();
            // Behind a record comes the line's end, and nothing or the token of the next one.
            if fields.len() != count || pieces.next() != Some("\n") {
                return Err(ParseError::Form);
            }
            records.push(Record { kind, fields });
        }
        Ok(records)
    }
}

#[derive(Debug)]
pub(crate) struct Record<'a> {
    pub(crate) kind: &'a str,
    pub(crate) fields: Vec<&'a str>,
}

/// Text that is not UTF-8 is read with replacement characters: no field that matters has any.
pub(crate) fn text(output: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(output)
}
