//! The lines of a document: where they begin, how they are indented, how they end.

use std::ops::Range;

use crate::document::Document;
use crate::statement_view::Statement;

/// The statement's bytes with the comment lines above; with its whole lines, if nothing else
/// stands on them.
pub(crate) fn whole(statement: Statement<'_>) -> Range<usize> {
    let source = statement.document().source();
    let span = statement.span();
    let end = line_rest(source, span.end());
    let ends_line = matches!(source.get(end), None | Some(b'\n' | b'\r'));
    if !begins_line(source, span.start()) || !ends_line {
        return span.range();
    }
    let end = match &source[end..] {
        [b'\r', b'\n', ..] => end + 2,
        [b'\n', ..] => end + 1,
        _ => end,
    };
    let mut start = line_start(source, span.start());
    for _ in statement.comments() {
        start = line_start(source, start.saturating_sub(1));
    }
    start..end
}

/// Behind the blanks and the comment that follow `at` on its line; `at` if more follows.
pub(crate) fn line_rest(source: &[u8], at: usize) -> usize {
    let rest = &source[at..];
    let line = &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())];
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let trimmed = line.trim_ascii_start();
    let belongs = trimmed.is_empty() || trimmed.starts_with(b"#");
    if belongs { at + line.len() } else { at }
}

/// Whether only blanks stand before `at` on its line.
pub(crate) fn begins_line(source: &[u8], at: usize) -> bool {
    source[line_start(source, at)..at].trim_ascii().is_empty()
}

/// The blanks at the start of the line of `at`.
pub(crate) fn indentation(source: &[u8], at: usize) -> &[u8] {
    let line = &source[line_start(source, at)..at];
    let blanks = line.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
    &line[..blanks.unwrap_or(line.len())]
}

/// The line end the document uses.
pub(crate) fn newline(source: &[u8]) -> &'static str {
    let first = source.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    if first > 0 && source[first - 1] == b'\r' { "\r\n" } else { "\n" }
}

/// What the document indents by: as its first statement that begins a line inside a block that
/// does; two blanks where there is none.
pub(crate) fn step(document: &Document) -> Vec<u8> {
    let source = document.source();
    let steps = document.all_statements().filter_map(|statement| {
        let block = statement.parent()?.span().start();
        let start = statement.span().start();
        if !begins_line(source, start) || !begins_line(source, block) {
            return None;
        }
        let step = indentation(source, start).strip_prefix(indentation(source, block))?;
        (!step.is_empty()).then(|| step.to_vec())
    });
    // The first lines of a file tell; a file without any indentation is not searched to its end.
    steps.take(1).next().unwrap_or_else(|| b"  ".to_vec())
}

fn line_start(source: &[u8], at: usize) -> usize {
    crate::span::line_start(&source[..at])
}
