//! Where new statements go, and what they look like there.

use crate::document::Document;
use crate::edit::lines::{begins_line, indentation, line_rest, newline, step};
use crate::setting::Scope;
use crate::statement_view::Statement;
use crate::tree::StatementKind;

/// A text and the offset it goes to.
pub(crate) type Insertion = (usize, Vec<u8>);

/// A statement of one line at the end of a scope, in the file that holds the scope.
pub(crate) fn at_end(scope: Scope<'_>, statement: &str) -> Insertion {
    let last = scope.world.children(scope.id).last();
    match (scope.block(), last) {
        (_, Some(last)) => behind(last, &Lines::one(statement)),
        (Some(block), None) => first(block, &Lines::one(statement)),
        (None, None) => end_of_file(scope.world.document(scope.id.file), &Lines::one(statement)),
    }
}

/// A host at the end of a scope.
pub(crate) fn host_at_end(scope: Scope<'_>, name: &str, statements: &[&str]) -> Insertion {
    let host = Lines::host(name, statements);
    let last = scope.world.children(scope.id).last();
    match (scope.block(), last) {
        (_, Some(last)) => host_behind(last, name, statements),
        (Some(block), None) => first(block, &host),
        (None, None) => end_of_file(scope.world.document(scope.id.file), &host),
    }
}

/// A host behind a statement, on lines of its own; on one line if the statement is a host on one,
/// and on the statement's line if others stand before it there.
pub(crate) fn host_behind(before: Statement<'_>, name: &str, statements: &[&str]) -> Insertion {
    let on_one_line = before.kind() == StatementKind::Host
        && !before.source().contains(&b'\n')
        && before.children().next().is_some();
    if on_one_line {
        let line = format!("host {name} {{ {} }}", statements.join(" "));
        return behind(before, &Lines::one(&line));
    }
    behind(before, &Lines::host(name, statements))
}

/// What is written, line by line: how deep, and the text.
struct Lines<'t>(Vec<(usize, std::borrow::Cow<'t, str>)>);

impl<'t> Lines<'t> {
    fn one(line: &'t str) -> Self {
        Self(vec![(0, line.into())])
    }

    fn host(name: &str, statements: &[&'t str]) -> Self {
        let mut lines = vec![(0, format!("host {name} {{").into())];
        lines.extend(statements.iter().map(|statement| (1, (*statement).into())));
        lines.push((0, "}".into()));
        Self(lines)
    }

    fn on_one_line(&self) -> String {
        let lines: Vec<&str> = self.0.iter().map(|(_, text)| &**text).collect();
        lines.join(" ")
    }

    fn write(&self, document: &Document, indent: &[u8]) -> Vec<Vec<u8>> {
        let step = step(document);
        let line = |(depth, text): &(usize, std::borrow::Cow<'_, str>)| {
            [indent, &step.repeat(*depth), text.as_bytes()].concat()
        };
        self.0.iter().map(line).collect()
    }
}

/// Behind a statement: on its line if it shares that with others before it.
fn behind(before: Statement<'_>, lines: &Lines<'_>) -> Insertion {
    let document = before.document();
    let source = document.source();
    if begins_line(source, before.span().start()) {
        let indent = indentation(source, before.span().start());
        let written = lines.write(document, indent);
        return (line_rest(source, before.span().end()), below(&written, newline(source)));
    }
    (before.span().end(), format!(" {}", lines.on_one_line()).into_bytes())
}

/// The first statement of a block.
fn first(block: Statement<'_>, lines: &Lines<'_>) -> Insertion {
    let document = block.document();
    let source = document.source();
    let open = block.node().value as usize;
    let close = block.span().end().saturating_sub(1).max(open);
    if !source[open..close].contains(&b'\n') {
        let blank = source.get(open).is_some_and(u8::is_ascii_whitespace);
        let text = format!(" {}{}", lines.on_one_line(), if blank { "" } else { " " });
        return (open, text.into_bytes());
    }
    let indent = [indentation(source, block.span().start()), &step(document)].concat();
    (line_rest(source, open), below(&lines.write(document, &indent), newline(source)))
}

/// Behind everything; only a file without statements has no better place.
fn end_of_file(document: &Document, lines: &Lines<'_>) -> Insertion {
    let source = document.source();
    let newline = newline(source).as_bytes();
    let mut text = Vec::new();
    if !matches!(source.last(), None | Some(b'\n')) {
        text.extend(newline);
    }
    for line in lines.write(document, b"") {
        text.extend(line);
        text.extend(newline);
    }
    (source.len(), text)
}

/// Lines that follow the end of another.
fn below(lines: &[Vec<u8>], newline: &str) -> Vec<u8> {
    lines.iter().flat_map(|line| [newline.as_bytes(), line]).flatten().copied().collect()
}
