//! Places in a source.

use std::fmt;
use std::ops::Range;

/// A range of bytes in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Offsets of a source are below 4 GiB: [`Limits::source_bytes`](crate::Limits::source_bytes)
    /// cannot allow more.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let offset = |value| u32::try_from(value).unwrap_or(u32::MAX);
        Self { start: offset(start), end: offset(end) }
    }

    /// Offset of the first byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// Offset behind the last byte.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// The same as a range, to index a source with.
    pub fn range(self) -> Range<usize> {
        self.start()..self.end()
    }
}

/// A line and a column, both counted from 1.
///
/// The column counts characters where the line is UTF-8 up to there, otherwise bytes. Lines end at
/// line feeds, as dhcpd counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    line: u32,
    column: u32,
}

impl Position {
    /// The position behind `before`, the beginning of line `line`.
    pub(crate) fn on_line(line: usize, before: &[u8]) -> Self {
        let column =
            std::str::from_utf8(before).map_or(before.len(), |text| text.chars().count()) + 1;
        Self::new(line, column)
    }

    pub(crate) fn new(line: usize, column: usize) -> Self {
        let count = |value| u32::try_from(value).unwrap_or(u32::MAX);
        Self { line: count(line), column: count(column) }
    }

    /// The line, from 1.
    pub fn line(self) -> u32 {
        self.line
    }

    /// The column, from 1.
    pub fn column(self) -> u32 {
        self.column
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Where the last line of `before` begins.
pub(crate) fn line_start(before: &[u8]) -> usize {
    before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1)
}
