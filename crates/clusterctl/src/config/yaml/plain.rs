//! The YAML that inventories are written in, read in one pass over the lines.
//!
//! An inventory of ten thousand entries is most of what a command reads, and the full parser
//! spends more on it than everything else takes. This reader knows block mappings and lists,
//! lists and mappings in brackets on one line, and words with or without quotation marks. Whatever
//! it does not know, mistakes among it, it leaves: the full reader then reads the whole file and
//! tells of the mistake. Where both read a text, both give the same tree; a test of generated
//! texts holds them to that.

use std::sync::Arc;

use crate::config::place::{Place, Source};
use crate::config::yaml::lines::{Line, Lines};
use crate::config::yaml::node::{Key, Node, Value};
use crate::config::yaml::one_line::{self, Cursor};

/// Deeper ones are for the full reader, which has the limit and the message.
const DEPTH: usize = 32;

/// All documents of the text that hold more than comments; nothing where the text is not plain.
pub(crate) fn read(source: &Arc<Source>, text: &str) -> Option<Vec<Node>> {
    let mut reader = Reader { lines: Lines::new(text), source };
    let mut documents = Vec::new();
    while let Some(line) = reader.lines.peek().ok()? {
        if line.starts_document() {
            reader.lines.advance();
        } else {
            documents.push(reader.block(line.indent, 0)?);
            if let Some(line) = reader.lines.peek().ok()?
                && !line.starts_document()
            {
                return None;
            }
        }
    }
    Some(documents)
}

struct Reader<'t> {
    lines: Lines<'t>,
    source: &'t Arc<Source>,
}

impl Reader<'_> {
    /// The mapping or list that begins at the next line, whose entries have this indentation.
    fn block(&mut self, indent: usize, depth: usize) -> Option<Node> {
        let line = self.lines.peek().ok()??;
        if depth > DEPTH || line.indent != indent || line.starts_document() {
            return None;
        }
        if is_item(line.text) {
            return self.list(indent, depth);
        }
        self.mapping(indent, depth)
    }

    fn list(&mut self, indent: usize, depth: usize) -> Option<Node> {
        let mut items = Vec::new();
        let mut place = None;
        while let Some(line) = self.lines.peek().ok()? {
            if line.starts_document() || line.indent < indent {
                break;
            }
            if !is_item(line.text) {
                // The next key of the mapping that this list is a value of.
                if line.indent == indent && depth > 0 {
                    break;
                }
                return None;
            }
            if line.indent != indent {
                return None;
            }
            place.get_or_insert_with(|| self.place(line.number, indent));
            let text = line.text[1..].trim_start_matches(' ');
            let column = indent + line.text.len() - text.len();
            if is_item(text) {
                return None;
            }
            if one_line::splits_key(text) {
                // Its further keys stand below the first one.
                self.lines.replace(Line { indent: column, text, number: line.number });
                items.push(self.mapping(column, depth + 1)?);
            } else {
                self.lines.advance();
                items.push(self.value(text, line.number, column)?);
                self.ends_above(indent)?;
            }
        }
        Some(Node { value: Value::Sequence(items), place: place? })
    }

    fn mapping(&mut self, indent: usize, depth: usize) -> Option<Node> {
        if depth > DEPTH {
            return None;
        }
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut place = None;
        while let Some(line) = self.lines.peek().ok()? {
            if line.starts_document() || line.indent < indent {
                break;
            }
            if line.indent != indent || is_item(line.text) {
                return None;
            }
            let mut cursor = Cursor::new(line.text);
            let word = cursor.block_key()?;
            if is_known(&entries, word) {
                return None;
            }
            let key_place = self.place(line.number, indent);
            place.get_or_insert_with(|| key_place.clone());
            let key = Key { text: word.to_owned(), place: key_place };
            self.lines.advance();
            let text = cursor.rest();
            let node = if text.is_empty() {
                let below = self.lines.peek().ok()??;
                let is_list_at_the_key = below.indent == indent && is_item(below.text);
                if below.indent <= indent && !is_list_at_the_key {
                    return None;
                }
                let mut node = self.block(below.indent, depth + 1)?;
                // To the full parser such a list begins with its first item.
                if is_list_at_the_key
                    && let Value::Sequence(items) = &node.value
                    && let Some(first) = items.first()
                {
                    node.place = first.place.clone();
                }
                node
            } else {
                let column = indent + line.text.len() - text.len();
                let node = self.value(text, line.number, column)?;
                self.ends_above(indent)?;
                node
            };
            entries.push((key, node));
        }
        Some(Node { value: Value::Mapping(entries), place: place? })
    }

    /// A value that ends in its line.
    fn value(&self, text: &str, line: usize, column: usize) -> Option<Node> {
        let place = |offset: usize| self.place(line, column + offset);
        one_line::value(text, &place)
    }

    /// The next line is none that would continue a word.
    fn ends_above(&mut self, indent: usize) -> Option<()> {
        match self.lines.peek().ok()? {
            Some(line) if line.indent > indent => None,
            _ => Some(()),
        }
    }

    fn place(&self, line: usize, offset: usize) -> Place {
        Place::in_document(self.source, line, offset + 1)
    }
}

fn is_item(text: &str) -> bool {
    text.starts_with("- ")
}

/// Long mappings are rare, and for the full reader.
fn is_known(entries: &[(Key, Node)], word: &str) -> bool {
    entries.len() >= 256 || entries.iter().any(|(key, _)| key.text == word)
}
