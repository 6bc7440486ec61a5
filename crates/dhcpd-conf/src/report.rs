//! Makes an error out of a fault: its place, what stands there, its source line.

use std::ops::Range;

use crate::error::{Excerpt, ParseError, ParseErrorKind};
use crate::fault::Fault;
use crate::lex::{Input, bare_word};
use crate::place::Place;
use crate::span::{Position, Span, line_start};

/// The error for `fault`, on line `line` of `source`, in a block that is `place`.
pub(crate) fn parse_error(
    source: &[u8],
    fault: Fault<'_>,
    place: Place,
    line: usize,
) -> ParseError {
    let start = source.len() - fault.at.len();
    let token = token_at(fault.at);
    let span = Span::new(start, start + token.len());
    let kind = match fault.at.first() {
        Some(0x00 | 0xff) if fault.kind == ParseErrorKind::Unexpected => {
            ParseErrorKind::ForbiddenByte
        }
        _ => fault.kind,
    };
    let found = match kind {
        ParseErrorKind::ForbiddenByte => format!("0x{:02X}", fault.at.first().unwrap_or(&0)),
        _ => printable(&token[..token.len().min(LONGEST_FOUND)]),
    };
    let line_begin = line_start(&source[..start]);
    let expected = fault.expected.into_iter().flatten();
    ParseError {
        kind,
        span,
        position: Position::on_line(line, &source[line_begin..start]),
        expected: expected.filter(|_| kind == ParseErrorKind::Unexpected).collect(),
        found,
        place: place.name(),
        excerpt: excerpt(source, line_begin, span),
    }
}

/// How many bytes of a token are quoted in a message.
const LONGEST_FOUND: usize = 60;

/// The token at the start of `rest`, for messages.
fn token_at(rest: Input<'_>) -> &[u8] {
    match rest {
        [] => rest,
        [b'"', ..] => {
            let end = rest[1..].iter().position(|byte| matches!(byte, b'"' | b'\n'));
            &rest[..end.map_or(rest.len(), |end| (end + 2).min(rest.len()))]
        }
        _ => {
            if let Ok((_, word)) = bare_word(rest) {
                return word;
            }
            // A whole character, so that it can be shown.
            let whole = (1..=4.min(rest.len())).find(|n| std::str::from_utf8(&rest[..*n]).is_ok());
            &rest[..whole.unwrap_or(1)]
        }
    }
}

/// `text` with everything escaped that could drive a terminal.
fn printable(text: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' | '\'' | '\\' => shown.push(character),
                other => shown.extend(other.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            shown.extend(format!("\\x{byte:02x}").chars());
        }
    }
    shown
}

/// How many bytes of a line are shown before and from an error on.
const SHOWN_BEFORE: usize = 70;
const SHOWN_AFTER: usize = 50;

fn excerpt(source: &[u8], line_begin: usize, span: Span) -> Excerpt {
    let line_end = source[span.start()..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(source.len(), |length| span.start() + length);
    let from = line_begin.max(span.start().saturating_sub(SHOWN_BEFORE));
    let to = line_end.min(span.start() + SHOWN_AFTER);
    let end = span.end().clamp(span.start(), to);
    // A tab is shown as one blank, so that the caret stands under its column.
    let show =
        |range: Range<usize>| printable(&source[range]).replace("\\t", " ").replace("\\r", "");
    let before = show(from..span.start());
    let token = show(span.start()..end);
    Excerpt {
        indent: before.chars().count(),
        caret: token.chars().count().max(1),
        line: format!("{before}{token}{}", show(end..to)),
    }
}
