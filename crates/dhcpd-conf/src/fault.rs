//! What a nom parser here fails with: a place and a reason, both cheap to copy.

use nom::error::{ErrorKind, ParseError};

use crate::error::ParseErrorKind;
use crate::expected::Expected;
use crate::lex::Input;

/// A failure at the first byte of `at`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault<'a> {
    pub(crate) at: Input<'a>,
    pub(crate) kind: ParseErrorKind,
    /// What would have been right; the second is for lists, which go on or end.
    pub(crate) expected: [Option<Expected>; 2],
}

impl<'a> Fault<'a> {
    pub(crate) fn new(at: Input<'a>, kind: ParseErrorKind) -> Self {
        Self { at, kind, expected: [None; 2] }
    }

    pub(crate) fn expected(at: Input<'a>, expected: Expected) -> Self {
        Self { at, kind: ParseErrorKind::Unexpected, expected: [Some(expected), None] }
    }

    pub(crate) fn too_long(at: Input<'a>) -> Self {
        Self::new(at, ParseErrorKind::TokenTooLong)
    }

    pub(crate) fn unterminated(at: Input<'a>) -> Self {
        Self::new(at, ParseErrorKind::UnterminatedString)
    }

    pub(crate) fn byte(at: Input<'a>) -> Self {
        Self::new(at, ParseErrorKind::ForbiddenByte)
    }

    pub(crate) fn escape(at: Input<'a>) -> Self {
        Self::new(at, ParseErrorKind::BadEscape)
    }

    pub(crate) fn out_of_range(at: Input<'a>) -> Self {
        Self::new(at, ParseErrorKind::OutOfRange)
    }

    /// Adds a second thing that would have been right.
    pub(crate) fn or_expected(mut self, also: Expected) -> Self {
        self.expected[1] = Some(also);
        self
    }
}

impl<'a> ParseError<Input<'a>> for Fault<'a> {
    fn from_error_kind(at: Input<'a>, _: ErrorKind) -> Self {
        Self::new(at, ParseErrorKind::Unexpected)
    }

    fn append(_: Input<'a>, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// The alternative that came furthest knows best.
    fn or(self, other: Self) -> Self {
        if other.at.len() <= self.at.len() { other } else { self }
    }
}
