//! From the parser's events to trees.

use std::collections::HashMap;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use thiserror::Error;

use crate::config::place::{Place, Source};
use crate::config::yaml::node::{Key, Node, Value};
use crate::config::yaml::{plain, scalar};

/// A text that is no YAML, or YAML that is refused here.
#[derive(Debug, Clone, Error)]
#[error("{place}: {message}")]
pub struct YamlError {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub message: String,
}

/// How deep mappings and lists may lie in each other.
const DEPTH: usize = 64;

/// All documents of a file that hold more than comments.
pub fn read(name: &str, text: &str) -> Result<Vec<Node>, YamlError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let source = Arc::new(Source { name: name.to_owned() });
    match plain::read(&source, text) {
        Some(documents) => Ok(documents),
        None => read_in_full(source, text),
    }
}

/// The same by the full parser alone.
pub(crate) fn read_in_full(source: Arc<Source>, text: &str) -> Result<Vec<Node>, YamlError> {
    let mut reader = Reader { parser: Parser::new_from_str(text), source };
    let mut documents = Vec::new();
    while let Some((event, span)) = reader.next()? {
        match event {
            Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => {}
            event => {
                let node = reader.node(event, span, 0)?;
                if node.value != Value::Null {
                    documents.push(node);
                }
            }
        }
    }
    Ok(documents)
}

/// One value written on a command line or in a variable.
pub fn read_value(place: &Place, text: &str) -> Result<Node, YamlError> {
    let mut documents = read(&place.source.name, text)?;
    let mut node = match (documents.pop(), documents.is_empty()) {
        (Some(node), true) => node,
        (None, _) => Node { value: Value::Null, place: place.clone() },
        (Some(_), false) => {
            let message = "more than one document".to_owned();
            return Err(YamlError { place: place.clone(), message });
        }
    };
    node.set_layer(place.layer);
    node.place = place.clone();
    Ok(node)
}

struct Reader<'t> {
    parser: Parser<'t, saphyr_parser::StrInput<'t>>,
    source: Arc<Source>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<Option<(Event<'t>, Span)>, YamlError> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok(next)) => Ok(Some(next)),
            Some(Err(error)) => {
                let place = self.place(*error.marker());
                Err(YamlError { place, message: error.info().to_owned() })
            }
        }
    }

    fn place(&self, marker: saphyr_parser::Marker) -> Place {
        Place::in_document(&self.source, marker.line(), marker.col() + 1)
    }

    fn refuse<T>(&self, span: Span, message: impl Into<String>) -> Result<T, YamlError> {
        Err(YamlError { place: self.place(span.start), message: message.into() })
    }

    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Node, YamlError> {
        if depth > DEPTH {
            return self.refuse(span, format!("nested deeper than {DEPTH} levels"));
        }
        let place = self.place(span.start);
        let value = match event {
            Event::Scalar(text, style, anchor, tag) => {
                if anchor != 0 {
                    return self.refuse(span, ANCHORS);
                }
                // A tag of any kind makes text: types are not chosen by the writer here.
                if style == ScalarStyle::Plain && tag.is_none() {
                    scalar::plain(&text).or_else(|message| self.refuse(span, message))?
                } else {
                    Value::Text(text.into_owned())
                }
            }
            Event::SequenceStart(anchor, _) => {
                if anchor != 0 {
                    return self.refuse(span, ANCHORS);
                }
                self.sequence(depth)?
            }
            Event::MappingStart(anchor, _) => {
                if anchor != 0 {
                    return self.refuse(span, ANCHORS);
                }
                self.mapping(depth)?
            }
            Event::Alias(_) => return self.refuse(span, ANCHORS),
            _ => return self.refuse(span, "unexpected end of the document"),
        };
        Ok(Node { value, place })
    }

    fn sequence(&mut self, depth: usize) -> Result<Value, YamlError> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                None | Some((Event::SequenceEnd, _)) => return Ok(Value::Sequence(items)),
                Some((event, span)) => items.push(self.node(event, span, depth + 1)?),
            }
        }
    }

    fn mapping(&mut self, depth: usize) -> Result<Value, YamlError> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut lines: HashMap<String, u32> = HashMap::new();
        loop {
            let (event, span) = match self.next()? {
                None | Some((Event::MappingEnd, _)) => return Ok(Value::Mapping(entries)),
                Some(next) => next,
            };
            let Event::Scalar(text, _, anchor, _) = event else {
                return self.refuse(span, "a key has to be text");
            };
            if anchor != 0 {
                return self.refuse(span, ANCHORS);
            }
            let key = Key { text: text.into_owned(), place: self.place(span.start) };
            if key.text == "<<" {
                return self.refuse(span, ANCHORS);
            }
            if let Some(first) = lines.insert(key.text.clone(), key.place.line) {
                let message = format!("{:?} stands here twice, first in line {first}", key.text);
                return self.refuse(span, message);
            }
            let Some((event, span)) = self.next()? else {
                return self.refuse(span, "a key without a value");
            };
            let node = self.node(event, span, depth + 1)?;
            entries.push((key, node));
        }
    }
}

const ANCHORS: &str = "anchors, aliases and merge keys are not followed: write the value out";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_its_place() {
        let documents = read("f.yaml", "\u{feff}a:\n  b: [x, 2]\n").unwrap();
        let item = documents[0].child("a").unwrap().child("b").unwrap();
        assert_eq!(item.place.to_string(), "f.yaml:2:6");
        let Value::Sequence(items) = &item.value else { panic!() };
        assert_eq!(items[1].place.to_string(), "f.yaml:2:10");
        assert_eq!(items[1].value, Value::Integer(2));
    }

    #[test]
    fn a_document_of_comments_does_not_end_the_file() {
        let documents = read("f", "# nothing\n---\n# nothing\n---\na: 1\n---\nb: 2\n").unwrap();
        assert_eq!(documents.len(), 2);
    }

    #[test]
    fn aliases_duplicate_keys_and_infinities_are_refused_with_their_place() {
        for (text, place) in [
            ("a: &x 1\nb: *x\n", "f:1:"),
            ("a: 1\na: 2\n", "f:2:1"),
            ("a: .inf\n", "f:1:4"),
            ("[a]: 1\n", "f:1:1"),
            ("a: [1\n", "f:"),
        ] {
            let error = read("f", text).unwrap_err().to_string();
            assert!(error.starts_with(place), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_tag_makes_text() {
        let documents = read("f", "a: !!int 5\nb: !x yes\n").unwrap();
        assert_eq!(documents[0].child("a").unwrap().text(), Some("5"));
        assert_eq!(documents[0].child("b").unwrap().text(), Some("yes"));
    }
}
