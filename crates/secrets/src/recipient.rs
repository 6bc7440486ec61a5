//! Whom a file is encrypted to.

use std::fmt;

/// A recipient as age writes it: `age1…`, or the type and key of an ssh public key without its
/// comment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recipient(String);

impl Recipient {
    /// Takes the words that matter: an ssh key's comment is left out.
    pub fn new(text: &str) -> Recipient {
        let words: Vec<&str> = text.split_whitespace().take(2).collect();
        Recipient(words.join(" "))
    }

    /// The recipient as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
