//! A cursor over the text of an expression.

use std::ops::Range;

#[derive(Debug, Clone)]
pub(crate) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Where the cursor stands, in bytes.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The place of the next character, empty at the end.
    pub(crate) fn here(&self) -> Range<usize> {
        self.at..self.at + self.peek().map_or(0, char::len_utf8)
    }

    pub(crate) fn bump(&mut self) {
        self.at = self.here().end;
    }

    /// Steps over `char` if it comes next.
    pub(crate) fn eat(&mut self, char: char) -> bool {
        let next = self.peek() == Some(char);
        if next {
            self.bump();
        }
        next
    }

    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find(|char| !wanted(char)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    pub(crate) fn digits(&mut self) -> &'a str {
        self.take_while(|char| char.is_ascii_digit())
    }

    pub(crate) fn skip_whitespace(&mut self) {
        self.take_while(char::is_whitespace);
    }

    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.between(start, self.at)
    }

    pub(crate) fn between(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    /// Whether an operand ends here: at whitespace, an operator, or the end.
    pub(crate) fn at_boundary(&self) -> bool {
        self.peek().is_none_or(|char| char.is_whitespace() || matches!(char, ',' | '!' | '&' | '^'))
    }
}
