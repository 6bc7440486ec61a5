//! Why a node is drained.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

const LONGEST: usize = 200;

/// The reason given for draining: one printable line of at most 200 characters that comes back
/// from Slurm as it was given.
///
/// ```
/// use slurm_query::{Reason, ReasonError};
///
/// let reason: Reason = "bad dimm, ticket 4711".parse()?;
/// assert_eq!(reason.as_str(), "bad dimm, ticket 4711");
/// // The reason was forgotten and the nodes took its place.
/// assert_eq!("exe0007".parse::<Reason>(), Err(ReasonError::Nodes));
/// assert_eq!("@rack:R02".parse::<Reason>(), Err(ReasonError::Nodes));
/// # Ok::<(), ReasonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reason(String);

/// Why a text is no reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReasonError {
    /// Nothing, or blanks only: Slurm refuses to drain without a reason.
    #[error("the reason is empty")]
    Empty,
    /// More than 200 characters.
    #[error("the reason is longer than {LONGEST} characters")]
    TooLong,
    /// A control character or a line separator.
    #[error("the reason holds a control character")]
    Control,
    /// `|`, which tools that read `sinfo` split fields at.
    #[error("the reason holds \"|\"")]
    Bar,
    /// A double quote at either end, which scontrol takes off.
    #[error("the reason begins or ends with a double quote, which Slurm drops")]
    Quote,
    /// It reads as nodes or groups: the reason was forgotten.
    #[error("the reason reads as nodes or a group")]
    Nodes,
}

impl Reason {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Reason {
    type Err = ReasonError;

    /// Blanks at both ends are left out.
    fn from_str(text: &str) -> Result<Reason, ReasonError> {
        let separator = |c: char| matches!(c, '\u{2028}' | '\u{2029}');
        if text.chars().any(|c| c.is_control() || separator(c)) {
            return Err(ReasonError::Control);
        }
        let text = text.trim();
        if text.is_empty() {
            return Err(ReasonError::Empty);
        }
        if text.contains('|') {
            return Err(ReasonError::Bar);
        }
        if text.starts_with('"') || text.ends_with('"') {
            return Err(ReasonError::Quote);
        }
        if text.chars().count() > LONGEST {
            return Err(ReasonError::TooLong);
        }
        if text.split_whitespace().all(reads_as_nodes) {
            return Err(ReasonError::Nodes);
        }
        Ok(Reason(text.to_owned()))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `exe0007`, `exe[1-3]`, `exe1,exe2`, `exe1.hpc.example.org`, `@rack:R02`, `ALL`, `!@group`. A word
/// in prose may end in a digit too (`dimm3`): beside another word it is no node.
fn reads_as_nodes(word: &str) -> bool {
    if word.starts_with(['@', '!']) || word.contains(['[', ']', '@']) {
        return true;
    }
    word.split([',', '&', '^']).any(|part| {
        let label = part.split('.').next().unwrap_or(part);
        let name = label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        let starts = label.starts_with(|c: char| c.is_ascii_alphabetic());
        let numbered = label.ends_with(|c: char| c.is_ascii_digit());
        part.eq_ignore_ascii_case("all") || (name && starts && numbered)
    })
}
