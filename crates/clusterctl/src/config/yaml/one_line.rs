//! Keys and values that end in the line they begin in.

use crate::config::place::Place;
use crate::config::yaml::node::{Key, Node, Value};
use crate::config::yaml::scalar;

/// Longer keys are for the full reader.
const KEY: usize = 256;

/// Whether a list's item is a mapping's first key and not a word.
pub(crate) fn splits_key(text: &str) -> bool {
    !text.starts_with(['{', '[', '"', '\'']) && colon(text).is_some()
}

/// The first colon that ends a key: one before a blank or at the end.
fn colon(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let ends_key = |index: usize| matches!(bytes.get(index + 1), None | Some(b' '));
    (0..bytes.len()).find(|index| bytes[*index] == b':' && ends_key(*index))
}

/// The value that fills the text; nothing where it is not plain. `place` gives the place of an
/// offset into it.
pub(crate) fn value(text: &str, place: &dyn Fn(usize) -> Place) -> Option<Node> {
    let mut cursor = Cursor::new(text);
    let node = match text.as_bytes().first()? {
        b'{' | b'[' => cursor.flow(place, 0)?,
        b'"' | b'\'' => Node { value: Value::Text(cursor.quoted()?.to_owned()), place: place(0) },
        _ => {
            cursor.offset = text.len();
            Node { value: word(text)?, place: place(0) }
        }
    };
    (cursor.offset == text.len()).then_some(node)
}

/// What a word without quotation marks means outside brackets.
fn word(text: &str) -> Option<Value> {
    if !begins_word(text) || colon(text).is_some() {
        return None;
    }
    scalar::plain(text).ok()
}

/// A letter, a digit, or one of the marks that only mean themselves.
fn begins_word(text: &str) -> bool {
    let bytes = text.as_bytes();
    match bytes.first() {
        Some(b'-') => bytes.get(1).is_some_and(u8::is_ascii_alphanumeric),
        Some(byte) => {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'/' | b'.' | b'_' | b'~' | b'+' | b'^' | b'$')
        }
        None => false,
    }
}

/// A text and how far it is read.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    offset: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, offset: 0 }
    }

    /// What is not read yet.
    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.offset..]
    }

    /// A key of a block mapping, with its colon and the blanks behind it.
    pub(crate) fn block_key(&mut self) -> Option<&'t str> {
        let end = colon(self.text)?;
        let key = &self.text[..end];
        if !begins_word(key) || key.ends_with(' ') || end >= KEY {
            return None;
        }
        self.offset = end + 1;
        self.blanks();
        Some(key)
    }

    /// The inside of quotation marks without any escape.
    fn quoted(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let mark = char::from(*rest.as_bytes().first()?);
        let inside = &rest[1..];
        let end = inside.find(mark)?;
        let text = &inside[..end];
        let behind = inside.as_bytes().get(end + 1);
        // A backslash is an escape, two single marks are one.
        if text.contains('\\') || behind == Some(&b'\'') {
            return None;
        }
        self.offset += end + 2;
        Some(text)
    }

    fn blanks(&mut self) {
        self.offset += self.rest().len() - self.rest().trim_start_matches(' ').len();
    }

    fn takes(&mut self, mark: u8) -> bool {
        let found = self.rest().as_bytes().first() == Some(&mark);
        self.offset += usize::from(found);
        found
    }

    /// A list or mapping in brackets.
    fn flow(&mut self, place: &dyn Fn(usize) -> Place, depth: usize) -> Option<Node> {
        let start = self.offset;
        if depth > 8 {
            return None;
        }
        let value = match self.rest().as_bytes().first()? {
            b'{' => {
                self.offset += 1;
                Value::Mapping(self.flow_entries(place, depth)?)
            }
            b'[' => {
                self.offset += 1;
                Value::Sequence(self.flow_items(place, depth)?)
            }
            b'"' | b'\'' => Value::Text(self.quoted()?.to_owned()),
            _ => {
                let text = self.flow_word()?;
                scalar::plain(text).ok()?
            }
        };
        Some(Node { value, place: place(start) })
    }

    fn flow_items(&mut self, place: &dyn Fn(usize) -> Place, depth: usize) -> Option<Vec<Node>> {
        let mut items = Vec::new();
        self.blanks();
        if self.takes(b']') {
            return Some(items);
        }
        loop {
            items.push(self.flow(place, depth + 1)?);
            self.blanks();
            if self.takes(b']') {
                return Some(items);
            }
            if !self.takes(b',') {
                return None;
            }
            self.blanks();
        }
    }

    fn flow_entries(
        &mut self,
        place: &dyn Fn(usize) -> Place,
        depth: usize,
    ) -> Option<Vec<(Key, Node)>> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        self.blanks();
        if self.takes(b'}') {
            return Some(entries);
        }
        loop {
            let start = self.offset;
            let text = self.flow_word()?;
            if !self.takes(b':') || !self.takes(b' ') || text.len() >= KEY {
                return None;
            }
            self.blanks();
            if entries.iter().any(|(key, _)| key.text == text) {
                return None;
            }
            let key = Key { text: text.to_owned(), place: place(start) };
            entries.push((key, self.flow(place, depth + 1)?));
            self.blanks();
            if self.takes(b'}') {
                return Some(entries);
            }
            if !self.takes(b',') {
                return None;
            }
            self.blanks();
        }
    }

    /// A word inside brackets: ends before a colon, a comma or a bracket.
    fn flow_word(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let ends = |byte: u8| matches!(byte, b',' | b'[' | b']' | b'{' | b'}' | b'"' | b'\'');
        let bytes = rest.as_bytes();
        let mut end = 0;
        while end < bytes.len() && !ends(bytes[end]) {
            if bytes[end] == b':' {
                match bytes.get(end + 1) {
                    Some(b' ') => break,
                    Some(next) if !ends(*next) => {}
                    _ => return None,
                }
            }
            end += 1;
        }
        let text = rest[..end].trim_end_matches(' ');
        // A blank before the colon, and quotation marks in the middle, take more than a look.
        let odd = bytes.get(end).is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'[' | b'{'))
            || (bytes.get(end) == Some(&b':') && text.len() != end);
        // Inside brackets the full parser takes some words that end with a hyphen for mistakes.
        if odd || text.contains(" -") || !begins_word(text) {
            return None;
        }
        self.offset += text.len();
        Some(text)
    }
}
