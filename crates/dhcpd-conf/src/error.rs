//! Syntax errors: where, what was found, what would have been right.

use std::fmt;

use crate::expected::Expected;
use crate::span::{Position, Span};

/// Why a place in a file is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Something else stands where the grammar wants one of [`ParseError::expected`].
    Unexpected,
    /// A statement this crate does not know; dhcpd has no such statement or parameter.
    UnknownStatement,
    /// A known statement in a block that cannot hold it.
    NotAllowedHere,
    /// A statement that a block holds once at most, for the second time.
    Repeated,
    /// A block that is not closed at the end of the file.
    UnclosedBlock,
    /// A `}` that closes nothing.
    StrayBrace,
    /// A quoted string without its closing quote.
    UnterminatedString,
    /// A `\x` or octal escape that is too short or not a number.
    BadEscape,
    /// A name or string longer than 1,499 bytes.
    TokenTooLong,
    /// A number, octet or hardware address outside what its place can hold.
    OutOfRange,
    /// An address with host bits set where a network is wanted, or a bad prefix length.
    BadNetwork,
    /// A byte that dhcpd takes as the end of the file (0xFF) or skips (NUL).
    ForbiddenByte,
    /// A UTF-8 byte order mark.
    ByteOrderMark,
    /// Blocks or expressions nested deeper than [`Limits::depth`](crate::Limits::depth).
    TooDeep,
    /// A source longer than [`Limits::source_bytes`](crate::Limits::source_bytes).
    SourceTooLong,
    /// More statements than [`Limits::statements`](crate::Limits::statements), with those of the
    /// files read before.
    TooManyStatements,
    /// More errors than [`Limits::errors`](crate::Limits::errors): the rest was not read.
    TooManyErrors,
}

/// One syntax error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    pub(crate) kind: ParseErrorKind,
    pub(crate) span: Span,
    pub(crate) position: Position,
    pub(crate) expected: Vec<Expected>,
    /// The token found, or the statement or block the error is about.
    pub(crate) found: String,
    /// Where the block stands that is not closed.
    pub(crate) place: &'static str,
    pub(crate) excerpt: Excerpt,
}

/// The source line of an error, cut to a readable width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub(crate) line: String,
    /// Width in characters of what stands before the caret.
    pub(crate) indent: usize,
    pub(crate) caret: usize,
}

impl ParseError {
    /// What kind of error this is.
    pub fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// The bytes the error points at; empty at the end of the file.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Line and column of the first byte of [`span`](Self::span).
    pub fn position(&self) -> Position {
        self.position
    }

    /// What would have been right here; empty where the error is of another kind.
    pub fn expected(&self) -> &[Expected] {
        &self.expected
    }

    /// The token that stands there, escaped for display; empty at the end of the file.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// The error with `file` before it and the source line with a caret below it.
    ///
    /// ```
    /// let errors = dhcpd_conf::Document::parse("host a { filename \"x\" }").unwrap_err();
    /// let text = errors.iter().next().unwrap().report("dhcpd.conf").to_string();
    /// assert_eq!(text, "\
    /// dhcpd.conf:1:23: expected `;`, found `}`
    ///   |
    /// 1 | host a { filename \"x\" }
    ///   |                       ^");
    /// ```
    pub fn report<'a>(&'a self, file: &'a str) -> impl fmt::Display + 'a {
        Report { error: self, file }
    }
}

/// The message without place: the place is [`position`](ParseError::position).
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = &self.found;
        match self.kind {
            ParseErrorKind::Unexpected => {
                match self.expected.as_slice() {
                    [] => write!(f, "unexpected ")?,
                    [one] => write!(f, "expected {one}, found ")?,
                    [first, second, ..] => write!(f, "expected {first} or {second}, found ")?,
                }
                if found.is_empty() {
                    f.write_str("the end of the file")
                } else {
                    write!(f, "`{found}`")
                }
            }
            ParseErrorKind::UnknownStatement => write!(f, "unknown statement `{found}`"),
            ParseErrorKind::NotAllowedHere => {
                write!(f, "`{found}` is not allowed in {}", self.place)
            }
            ParseErrorKind::Repeated => write!(f, "a second `{found}` in {}", self.place),
            ParseErrorKind::UnclosedBlock => write!(f, "the block is not closed"),
            ParseErrorKind::StrayBrace => write!(f, "`}}` closes no block"),
            ParseErrorKind::UnterminatedString => write!(f, "the string has no closing quote"),
            ParseErrorKind::BadEscape => write!(
                f,
                "bad escape: `\\x` takes two hexadecimal digits, an octal escape three digits"
            ),
            ParseErrorKind::TokenTooLong => write!(f, "longer than 1499 bytes"),
            ParseErrorKind::OutOfRange => write!(f, "`{found}` is out of range"),
            ParseErrorKind::BadNetwork => write!(f, "`{found}` is not a network"),
            ParseErrorKind::ForbiddenByte => {
                write!(f, "byte {found}: dhcpd does not read on as one would expect")
            }
            ParseErrorKind::ByteOrderMark => write!(f, "byte order mark: save without it"),
            ParseErrorKind::TooDeep => write!(f, "nested too deeply"),
            ParseErrorKind::SourceTooLong => write!(f, "the file is too large"),
            ParseErrorKind::TooManyStatements => write!(f, "too many statements"),
            ParseErrorKind::TooManyErrors => write!(f, "too many errors; the rest was not read"),
        }
    }
}

impl std::error::Error for ParseError {}

/// All syntax errors of one source, at least one, in file order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseErrors(pub(crate) Vec<ParseError>);

impl ParseErrors {
    /// The errors in file order.
    pub fn iter(&self) -> std::slice::Iter<'_, ParseError> {
        self.0.iter()
    }

    /// All errors, each with `file`, line, column, source line and caret, separated by newlines.
    pub fn report<'a>(&'a self, file: &'a str) -> impl fmt::Display + 'a {
        Reports { errors: self, file }
    }
}

impl<'a> IntoIterator for &'a ParseErrors {
    type Item = &'a ParseError;
    type IntoIter = std::slice::Iter<'a, ParseError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for ParseErrors {
    type Item = ParseError;
    type IntoIter = std::vec::IntoIter<ParseError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One line per error: `line 3, column 5: expected …`.
impl fmt::Display for ParseErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}: {error}", error.position)?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseErrors {}

struct Report<'a> {
    error: &'a ParseError,
    file: &'a str,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { position, excerpt, .. } = self.error;
        let (line, column) = (position.line(), position.column());
        let margin = line.to_string().len();
        writeln!(f, "{}:{line}:{column}: {}", self.file, self.error)?;
        writeln!(f, "{:margin$} |", "")?;
        writeln!(f, "{line} | {}", excerpt.line)?;
        write!(
            f,
            "{:margin$} | {:indent$}{}",
            "",
            "",
            "^".repeat(excerpt.caret),
            indent = excerpt.indent
        )?;
        match self.error.help() {
            Some(help) => write!(f, "\n{:margin$} = {help}", ""),
            None => Ok(()),
        }
    }
}

struct Reports<'a> {
    errors: &'a ParseErrors,
    file: &'a str,
}

impl fmt::Display for Reports<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}", error.report(self.file))?;
        }
        Ok(())
    }
}
