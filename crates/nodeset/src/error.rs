//! What was refused, where, and what would have been accepted.

use std::fmt;
use std::ops::Range;

use crate::group::BoxError;

/// A node set that could not be read or evaluated.
///
/// Display is one line, `reason, expected what`, without the expression's text; [`Error::excerpt`]
/// draws the text with a caret under the place. A refusal inside the text of a group is reported at
/// the group's place in the outer expression, with the inner error as its source.
#[derive(Debug, thiserror::Error)]
#[error("{reason}{}", Expected(.expected.as_deref()))]
pub struct Error {
    kind: ErrorKind,
    reason: String,
    expected: Option<String>,
    text: String,
    span: Range<usize>,
    source: Option<BoxError>,
}

/// Why a node set was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// `!`, `&` or `^` without a set on one of its sides: `!a`, `a!`, `a&&b`, `a!,b`.
    MissingOperand,
    /// A character that cannot stand there: `exe1:exe3`, `user@exe1`, `exe1+2`.
    UnexpectedCharacter,
    /// A name that begins with a hyphen: `exe[1-3],-exe2`.
    LeadingHyphen,
    /// A name or group longer than 255 bytes, or an empty one where a name is needed.
    NameLength,
    /// `[` without `]`.
    UnclosedBracket,
    /// `]` without `[`.
    StrayBracket,
    /// Brackets with nothing but digits between them: `exe[1-2][3-4]`.
    AdjacentBrackets,
    /// A range without a number: `exe[]`, `exe[1,]`, `exe[1-]`.
    MissingNumber,
    /// A number above 2^64 - 1 as a bound or step of a range.
    NumberTooLarge,
    /// Bounds in descending order: `exe[3-1]`.
    ReversedRange,
    /// Bounds of different width of which one is zero padded: `exe[01-100]`.
    PaddingMismatch,
    /// A step of zero, or a step without a range: `exe[1-9/0]`, `exe[1/2]`.
    InvalidStep,
    /// Digits in front of numbers of different width: `exe1[8-12]`, `exe0[9,10]`.
    GluedDigits,
    /// A group without a name, or an empty source: `@`, `@rack:`, `@:r1`.
    EmptyGroup,
    /// A group form that is not supported: `@@source`, `@rack*`.
    UnsupportedGroup,
    /// The group source failed; its error is the source of this one.
    GroupSource,
    /// The text behind a group was refused; that refusal is the source of this one.
    GroupMembers,
    /// A group that contains itself.
    GroupCycle,
    /// Groups within groups beyond the supported depth.
    GroupDepth,
    /// A wildcard that matches no node.
    NoMatch,
    /// More names, or more work, than the limits allow.
    TooManyNames,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, span: Range<usize>, reason: impl Into<String>) -> Self {
        Self {
            kind,
            reason: reason.into(),
            expected: None,
            text: String::new(),
            span,
            source: None,
        }
    }

    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    pub(crate) fn caused_by(mut self, source: BoxError) -> Self {
        self.source = Some(source);
        self
    }

    /// Moves an error without a place of its own, which evaluation makes, to the operand's.
    pub(crate) fn at(mut self, span: Range<usize>) -> Self {
        self.span = span;
        self
    }

    pub(crate) fn within(mut self, text: &str) -> Self {
        text.clone_into(&mut self.text);
        self
    }

    /// Why it was refused.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where in [`Error::text`], in bytes. Empty where something is missing.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The expression that was refused.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The error of type `E` behind this one, through any number of nested groups. This is how a
    /// caller gets the error of its own [`GroupSource`](crate::GroupSource) back.
    pub fn cause<E: std::error::Error + 'static>(&self) -> Option<&E> {
        let mut next = std::error::Error::source(self);
        while let Some(error) = next {
            if let Some(found) = error.downcast_ref() {
                return Some(found);
            }
            next = error.source();
        }
        None
    }

    /// Two lines: the text around the place, and carets under it. Control characters are drawn as
    /// `?`, so that the carets stay in place; long texts are cut.
    ///
    /// ```
    /// let refused = "login,exe[1-]".parse::<nodeset::NodeSet>().unwrap_err();
    /// assert_eq!(refused.to_string(), "the range `1-` has no end, expected a number");
    /// assert_eq!(refused.excerpt(), "login,exe[1-]\n          ^^");
    /// ```
    pub fn excerpt(&self) -> String {
        const BEFORE: usize = 40;
        const WIDTH: usize = 72;
        let chars: Vec<(usize, char)> = self.text.char_indices().collect();
        let column = |byte: usize| chars.partition_point(|(at, _)| *at < byte);
        let (start, end) = (column(self.span.start), column(self.span.end));
        let first = start.saturating_sub(BEFORE);
        let last = chars.len().min(first + WIDTH);
        let shown = |(_, char): &(usize, char)| if char.is_control() { '?' } else { *char };
        let line: String = chars[first..last].iter().map(shown).collect();
        let (cut_before, cut_after) = (dots(first > 0), dots(last < chars.len()));
        let margin = cut_before.len() + start - first;
        let carets = end.min(last).saturating_sub(start).max(1);
        format!("{cut_before}{line}{cut_after}\n{}{}", " ".repeat(margin), "^".repeat(carets))
    }
}

fn dots(cut: bool) -> &'static str {
    if cut { "..." } else { "" }
}

struct Expected<'a>(Option<&'a str>);

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |expected| write!(f, ", expected {expected}"))
    }
}
