//! A text as the lines that hold something.

/// A line that takes the full reader.
pub(crate) struct NotPlain;

/// A line without its indentation and its comment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'t> {
    /// Blanks before it.
    pub(crate) indent: usize,
    /// What stands there; never empty.
    pub(crate) text: &'t str,
    /// Its number, from 1.
    pub(crate) number: usize,
}

impl Line<'_> {
    /// Whether it separates documents.
    pub(crate) fn starts_document(&self) -> bool {
        self.indent == 0 && self.text == "---"
    }
}

/// The lines, one at a time.
pub(crate) struct Lines<'t> {
    rest: &'t str,
    number: usize,
    next: Option<Line<'t>>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Lines<'t> {
        Lines { rest: text, number: 0, next: None }
    }

    /// The next line, if there is one.
    pub(crate) fn peek(&mut self) -> Result<Option<Line<'t>>, NotPlain> {
        while self.next.is_none() && !self.rest.is_empty() {
            let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
            self.rest = rest;
            self.number += 1;
            let text = line.trim_start_matches(' ');
            if text.is_empty() || text.starts_with('#') {
                // A comment may hold anything but what ends a line for the full reader.
                if text.bytes().any(|byte| byte < b' ' && byte != b'\t') {
                    return Err(NotPlain);
                }
                continue;
            }
            let text = without_comment(text).ok_or(NotPlain)?;
            self.next = Some(Line {
                indent: line.len() - line.trim_start_matches(' ').len(),
                text,
                number: self.number,
            });
        }
        Ok(self.next)
    }

    /// Leaves the next line behind.
    pub(crate) fn advance(&mut self) {
        self.next = None;
    }

    /// Puts what is left of a line in its place.
    pub(crate) fn replace(&mut self, line: Line<'t>) {
        self.next = Some(line);
    }
}

/// The line without trailing blanks and comment; nothing where a byte is not plain ASCII, or where
/// a `#` stands behind a quotation mark, so that it takes more than a look to know what it is.
fn without_comment(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut quoted = false;
    let mut end = bytes.len();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b' '..=b'~' => {}
            _ => return None,
        }
        quoted |= matches!(byte, b'"' | b'\'');
        if *byte == b'#' && index > 0 && bytes[index - 1] == b' ' {
            if quoted {
                return None;
            }
            end = index;
            break;
        }
    }
    let text = text[..end].trim_end_matches(' ');
    // Directives, and the end of a document.
    let special = text.starts_with('%') || text.starts_with("...") || text.starts_with("--- ");
    (!text.is_empty() && !special).then_some(text)
}
