//! Changes to a document that leave every other byte as it is.

use std::fmt;
use std::ops::Range;

use crate::document::Document;
use crate::error::ParseErrors;
use crate::host::Host;
use crate::setting::Setting;
use crate::statement_view::Statement;

/// A list of changes to one document.
///
/// Each change names a few bytes to replace; [`finish`](Self::finish) applies them all and reads
/// the result again, so that a change that breaks the syntax is an error and never a file. New
/// statements take the indentation and line ends of their neighbours.
///
/// ```
/// use dhcpd_conf::{Document, Edit};
/// let document = Document::parse("# exe1, rack 7\nhost exe1 { }\nhost exe2 {\n\tfilename \"a\";\n}\n")?;
/// let mut edit = Edit::new(&document);
/// edit.remove_host(document.hosts_named("exe1").next().unwrap());
/// edit.set_parameter(document.hosts_named("exe2").next().unwrap(), "next-server", "10.0.0.2");
/// assert_eq!(edit.finish().unwrap(), b"host exe2 {\n\tfilename \"a\";\n\tnext-server 10.0.0.2;\n}\n");
/// # Ok::<(), dhcpd_conf::ParseErrors>(())
/// ```
#[derive(Debug)]
pub struct Edit<'d> {
    document: &'d Document,
    splices: Vec<(Range<usize>, Vec<u8>)>,
    /// A host of another document was given.
    foreign: bool,
}

impl<'d> Edit<'d> {
    /// No changes yet. A host of a [`ConfigSet`](crate::ConfigSet) is changed in the document of its
    /// [`statement`](Host::statement).
    pub fn new(document: &'d Document) -> Self {
        Self { document, splices: Vec::new(), foreign: false }
    }

    /// Removes a host with the comment lines directly above it and what is left of its lines.
    pub fn remove_host(&mut self, host: Host<'d>) -> &mut Self {
        let range = self.whole(host.statement());
        self.splice(host.statement(), range, Vec::new())
    }

    /// Gives a host another name.
    pub fn rename_host(&mut self, host: Host<'d>, name: &str) -> &mut Self {
        let node = host.statement().node();
        let range = node.name_start as usize..node.name_end as usize;
        self.splice(host.statement(), range, name.into())
    }

    /// Sets a server parameter of a host: the last unconditional statement gets the new value, or
    /// a new statement is added at the end of the block. `value` is written as it is, so text has
    /// to stand in quotes.
    pub fn set_parameter(&mut self, host: Host<'d>, name: &str, value: &str) -> &mut Self {
        let own = host.parameter(name).rfind(|setting| own(*setting, host));
        self.set(host, own, &format!("{name} {value};"), value)
    }

    /// As [`set_parameter`](Self::set_parameter), for an option.
    pub fn set_option(&mut self, host: Host<'d>, name: &str, value: &str) -> &mut Self {
        let own = host.option(name).rfind(|setting| own(*setting, host));
        self.set(host, own, &format!("option {name} {value};"), value)
    }

    /// Removes a statement, an option or parameter for example, with the comment lines directly
    /// above it.
    pub fn remove(&mut self, statement: Statement<'d>) -> &mut Self {
        let range = self.whole(statement);
        self.splice(statement, range, Vec::new())
    }

    /// Adds a host behind another statement, on lines of its own. `statements` are written one a
    /// line, as they are.
    pub fn add_host(
        &mut self,
        behind: Statement<'d>,
        name: &str,
        statements: &[&str],
    ) -> &mut Self {
        let newline = self.newline();
        let indent = self.indentation(behind.span().start());
        let step = if indent.contains(&b'\t') { "\t" } else { "  " };
        let indent = String::from_utf8_lossy(&indent).into_owned();
        let statements: String =
            statements.iter().flat_map(|line| [indent.as_str(), step, line, newline]).collect();
        let text = format!("{newline}{indent}host {name} {{{newline}{statements}{indent}}}");
        let at = self.line_rest(behind.span().end());
        self.splice(behind, at..at, text.into_bytes())
    }

    /// The changed source.
    pub fn finish(&self) -> Result<Vec<u8>, EditError> {
        if self.foreign {
            return Err(EditError::ForeignStatement);
        }
        let mut splices: Vec<_> = self.splices.iter().collect();
        splices.sort_by_key(|(range, _)| (range.start, range.end));
        let source = self.document.source();
        let mut changed = Vec::with_capacity(source.len());
        let mut copied = 0;
        for (range, text) in splices {
            if range.start < copied {
                return Err(EditError::Overlap);
            }
            changed.extend(&source[copied..range.start]);
            changed.extend(text);
            copied = range.end;
        }
        changed.extend(&source[copied..]);
        match Document::parse(changed) {
            Ok(document) => Ok(document.into_source()),
            Err(errors) => Err(EditError::Syntax(errors)),
        }
    }

    fn set(
        &mut self,
        host: Host<'d>,
        own: Option<Setting<'d>>,
        statement: &str,
        value: &str,
    ) -> &mut Self {
        if let Some(setting) = own {
            let start = setting.statement().node().value as usize;
            let range = start..start + setting.raw().len();
            return self.splice(setting.statement(), range, value.into());
        }
        let Some(last) = host.statement().children().last() else {
            let at = host.statement().node().value as usize;
            let blank = self.document.source().get(at).is_some_and(u8::is_ascii_whitespace);
            let text = format!(" {statement}{}", if blank { "" } else { " " });
            return self.splice(host.statement(), at..at, text.into_bytes());
        };
        let (at, text) = if self.begins_line(last.span().start()) {
            let indent = self.indentation(last.span().start());
            let text = [self.newline().as_bytes(), &indent, statement.as_bytes()].concat();
            (self.line_rest(last.span().end()), text)
        } else {
            (last.span().end(), format!(" {statement}").into_bytes())
        };
        self.splice(host.statement(), at..at, text)
    }

    fn splice(&mut self, of: Statement<'d>, range: Range<usize>, text: Vec<u8>) -> &mut Self {
        self.foreign |= !std::ptr::eq(of.document(), self.document);
        self.splices.push((range, text));
        self
    }

    /// The statement's bytes with the comment lines above; with its whole lines, if nothing else
    /// stands on them.
    fn whole(&self, statement: Statement<'d>) -> Range<usize> {
        let source = self.document.source();
        let span = statement.span();
        let end = self.line_rest(span.end());
        let ends_line = matches!(source.get(end), None | Some(b'\n' | b'\r'));
        if !self.begins_line(span.start()) || !ends_line {
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

    /// Behind the blanks and the comment that follow `at` on its line.
    fn line_rest(&self, at: usize) -> usize {
        let rest = &self.document.source()[at..];
        let line = &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let trimmed = line.trim_ascii_start();
        let belongs = trimmed.is_empty() || trimmed.starts_with(b"#");
        if belongs { at + line.len() } else { at }
    }

    fn begins_line(&self, at: usize) -> bool {
        let source = self.document.source();
        source[line_start(source, at)..at].trim_ascii().is_empty()
    }

    /// The blanks at the start of the line of `at`.
    fn indentation(&self, at: usize) -> Vec<u8> {
        let line = &self.document.source()[line_start(self.document.source(), at)..at];
        let blanks = line.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
        line[..blanks.unwrap_or(line.len())].to_vec()
    }

    /// The line end the document uses.
    fn newline(&self) -> &'static str {
        let source = self.document.source();
        let first = source.iter().position(|byte| *byte == b'\n').unwrap_or(0);
        if first > 0 && source[first - 1] == b'\r' { "\r\n" } else { "\n" }
    }
}

/// Whether `setting` stands right in `host`, under no condition.
fn own(setting: Setting<'_>, host: Host<'_>) -> bool {
    setting.statement().parent().is_some_and(|parent| parent.id == host.statement().id)
        && std::ptr::eq(setting.statement().document(), host.statement().document())
}

fn line_start(source: &[u8], at: usize) -> usize {
    crate::span::line_start(&source[..at])
}

/// Why changes cannot be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum EditError {
    /// Two changes touch the same bytes.
    Overlap,
    /// A statement of another document was given.
    ForeignStatement,
    /// The changed source has syntax errors: a name or value was not fit to be written.
    Syntax(ParseErrors),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overlap => "two changes touch the same bytes",
            Self::ForeignStatement => "the statement belongs to another document",
            Self::Syntax(_) => "the change would break the syntax",
        })
    }
}

impl std::error::Error for EditError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax(errors) => Some(errors),
            _ => None,
        }
    }
}
