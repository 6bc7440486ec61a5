//! What a question is.

use crate::error::ParseError;

/// A question: what to run, and how to read what it prints. It only looks.
pub trait Query {
    /// What the answer says.
    type Answer;

    /// The program and its arguments. No argument exceeds the 131,072 bytes Linux allows one.
    fn argv(&self) -> Vec<String>;

    /// Reads standard output of a run that ended with status 0.
    fn parse(&self, stdout: &[u8]) -> Result<Self::Answer, ParseError>;
}
