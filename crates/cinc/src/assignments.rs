//! Files of plain shell assignments.
//!
//! The part of the shell's language (POSIX.1-2017, XCU 2.2, 2.3 and 2.9.1) that only assigns: one or
//! more assignments on a line, comments, and values of unquoted, single-quoted and double-quoted
//! text. Everything a shell would expand or run is refused, in any line: one that sets a variable
//! nobody asked for is run just the same when the file is sourced.

use thiserror::Error;

/// A line that does more than assign plain text, or one that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct ParseError {
    line: usize,
    what: &'static str,
}

impl ParseError {
    /// Which line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }
}

/// The assignments of a file in order: name and value.
pub(crate) fn read(text: &str) -> Result<Vec<(String, String)>, ParseError> {
    let mut reader = Reader { rest: text, line: 1 };
    let mut assignments = Vec::new();
    loop {
        reader.rest = reader.rest.trim_start_matches([' ', '\t']);
        match reader.peek() {
            None => return Ok(assignments),
            Some('\n') => {
                reader.next();
            }
            Some('#') => reader.skip_comment()?,
            Some(_) => {
                let name = reader.name()?;
                assignments.push((name, reader.value()?));
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn refuse<T>(&self, what: &'static str) -> Result<T, ParseError> {
        Err(ParseError { line: self.line, what })
    }

    /// A comment ends with its line, whatever it holds; only a NUL has no place in a text file.
    fn skip_comment(&mut self) -> Result<(), ParseError> {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        if self.rest[..end].contains('\0') {
            return self.refuse("a control character");
        }
        self.rest = &self.rest[end..];
        Ok(())
    }

    /// The name and the `=` behind it.
    fn name(&mut self) -> Result<String, ParseError> {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = self.rest.find(|c| !word(c)).unwrap_or(self.rest.len());
        let name = &self.rest[..length];
        let starts = name.starts_with(|c: char| !c.is_ascii_digit());
        if !starts || !self.rest[length..].starts_with('=') {
            return self.refuse("only assignments are read, and this is none");
        }
        if READ_ONLY.contains(&name) {
            return self
                .refuse("a shell refuses to set this variable, or changes what it reads by it");
        }
        let name = name.to_owned();
        self.rest = &self.rest[length + 1..];
        Ok(name)
    }

    /// A value up to the blank, line end or end of file behind it.
    fn value(&mut self) -> Result<String, ParseError> {
        let mut value = String::new();
        loop {
            match self.peek() {
                None | Some(' ' | '\t' | '\n') => return Ok(value),
                Some('\'') => self.single_quoted(&mut value)?,
                Some('"') => self.double_quoted(&mut value)?,
                Some('\\') => {
                    self.next();
                    match self.next() {
                        Some('\n') => return self.refuse("a line that goes on in the next"),
                        Some(c) if !c.is_control() => value.push(c),
                        _ => return self.refuse("a backslash with nothing behind it"),
                    }
                }
                Some('$' | '`') => return self.refuse("a shell would expand or run this"),
                Some('~') => return self.refuse("a shell may expand \"~\"; quote it"),
                Some(c) if "|&;<>(){}*?[]!".contains(c) => {
                    return self.refuse("a character that means something to a shell; quote it");
                }
                Some(c) if c.is_control() => return self.refuse("a control character"),
                Some(c) => {
                    value.push(c);
                    self.next();
                }
            }
        }
    }

    /// Everything up to the next quote is what it is.
    fn single_quoted(&mut self, value: &mut String) -> Result<(), ParseError> {
        self.next();
        loop {
            match self.peek() {
                Some('\'') => {
                    self.next();
                    return Ok(());
                }
                Some(c) => self.quoted(c, value)?,
                None => return self.refuse("a quote that is not closed"),
            }
        }
    }

    /// A backslash counts only before `$`, a backquote, a double quote and itself.
    fn double_quoted(&mut self, value: &mut String) -> Result<(), ParseError> {
        self.next();
        loop {
            match self.peek() {
                Some('"') => {
                    self.next();
                    return Ok(());
                }
                Some('$' | '`') => return self.refuse("a shell would expand or run this"),
                Some('\\') => {
                    self.next();
                    match self.peek() {
                        Some(c @ ('$' | '`' | '"' | '\\')) => {
                            value.push(c);
                            self.next();
                        }
                        Some('\n') => return self.refuse("a line that goes on in the next"),
                        Some(_) => value.push('\\'),
                        None => return self.refuse("a quote that is not closed"),
                    }
                }
                Some(c) => self.quoted(c, value)?,
                None => return self.refuse("a quote that is not closed"),
            }
        }
    }

    fn quoted(&mut self, c: char, value: &mut String) -> Result<(), ParseError> {
        if c.is_control() && c != '\t' {
            return self.refuse("a control character inside a value");
        }
        value.push(c);
        self.next();
        Ok(())
    }
}

/// Variables that are read-only in some shell, so that sourcing the file ends there, or that
/// change how the shell reads what follows.
const READ_ONLY: [&str; 13] = [
    "BASHOPTS",
    "BASH_ENV",
    "BASH_VERSINFO",
    "ENV",
    "EUID",
    "IFS",
    "LC_ALL",
    "LC_CTYPE",
    "OPTIND",
    "PATH",
    "PPID",
    "SHELLOPTS",
    "UID",
];

/// A value as one word of a shell's language.
pub(crate) fn quote(value: &str) -> String {
    format!("'{}'", value.replace('\'', r"'\''"))
}
