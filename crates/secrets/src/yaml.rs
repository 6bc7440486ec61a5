//! The plain part of YAML: mappings, sequences and scalars.
//!
//! What two readers of YAML could understand differently is refused, because the text is looked at
//! here and decrypted by another program: anchors, aliases, tags, keys that are no scalars, a key
//! given twice, more than one document.

use std::borrow::Cow;

use saphyr_parser::{Event, Parser};

/// A document as it is written. Scalars are text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Yaml {
    Scalar(String),
    Sequence(Vec<Yaml>),
    Mapping(Vec<(String, Yaml)>),
}

/// Why a text is refused: where, and what it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) line: usize,
    pub(crate) what: &'static str,
}

/// Deeper than any Secret is.
const DEEPEST: usize = 32;

impl Yaml {
    pub(crate) fn read(text: &str) -> Result<Yaml, Refusal> {
        let mut reader = Reader { parser: Parser::new_from_str(text), line: 1 };
        reader.skip_stream_start()?;
        let document = match reader.next()? {
            Event::DocumentStart(_) => {
                let event = reader.next()?;
                reader.node(event, 0)?
            }
            _ => return Err(reader.refusal("there is no document")),
        };
        match (reader.next()?, reader.next()?) {
            (Event::DocumentEnd, Event::StreamEnd) => Ok(document),
            _ => Err(reader.refusal("there is more than one document")),
        }
    }

    /// The value of a key in a mapping.
    pub(crate) fn get(&self, key: &str) -> Option<&Yaml> {
        self.entries()?.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(crate) fn entries(&self) -> Option<&[(String, Yaml)]> {
        match self {
            Yaml::Mapping(entries) => Some(entries),
            Yaml::Scalar(_) | Yaml::Sequence(_) => None,
        }
    }

    pub(crate) fn scalar(&self) -> Option<&str> {
        match self {
            Yaml::Scalar(text) => Some(text),
            Yaml::Mapping(_) | Yaml::Sequence(_) => None,
        }
    }

    pub(crate) fn items(&self) -> Option<&[Yaml]> {
        match self {
            Yaml::Sequence(items) => Some(items),
            Yaml::Mapping(_) | Yaml::Scalar(_) => None,
        }
    }
}

struct Reader<'input> {
    parser: Parser<'input, saphyr_parser::StrInput<'input>>,
    line: usize,
}

impl<'input> Reader<'input> {
    fn skip_stream_start(&mut self) -> Result<(), Refusal> {
        match self.next()? {
            Event::StreamStart => Ok(()),
            _ => Err(self.refusal("this is not YAML")),
        }
    }

    fn next(&mut self) -> Result<Event<'input>, Refusal> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                self.line = span.start.line();
                Ok(event)
            }
            Some(Err(error)) => {
                self.line = error.marker().line();
                Err(self.refusal("this is not YAML"))
            }
            None => Ok(Event::StreamEnd),
        }
    }

    fn refusal(&self, what: &'static str) -> Refusal {
        Refusal { line: self.line, what }
    }

    fn node(&mut self, event: Event<'input>, depth: usize) -> Result<Yaml, Refusal> {
        if depth > DEEPEST {
            return Err(self.refusal("this is nested too deeply"));
        }
        match event {
            Event::Scalar(text, _, anchor, tag) => {
                self.plain(anchor, tag.is_some())?;
                Ok(Yaml::Scalar(text.into_owned()))
            }
            Event::SequenceStart(anchor, tag) => {
                self.plain(anchor, tag.is_some())?;
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        Event::SequenceEnd => return Ok(Yaml::Sequence(items)),
                        event => items.push(self.node(event, depth + 1)?),
                    }
                }
            }
            Event::MappingStart(anchor, tag) => {
                self.plain(anchor, tag.is_some())?;
                let mut entries: Vec<(String, Yaml)> = Vec::new();
                loop {
                    let key = match self.next()? {
                        Event::MappingEnd => return Ok(Yaml::Mapping(entries)),
                        Event::Scalar(key, _, 0, None) => Cow::into_owned(key),
                        _ => return Err(self.refusal("a key is not plain text")),
                    };
                    if key == "<<" || entries.iter().any(|(name, _)| *name == key) {
                        return Err(self.refusal("a key is given twice or merges another mapping"));
                    }
                    let event = self.next()?;
                    entries.push((key, self.node(event, depth + 1)?));
                }
            }
            Event::Alias(_) => Err(self.refusal("aliases are not allowed")),
            _ => Err(self.refusal("this is not YAML")),
        }
    }

    fn plain(&self, anchor: usize, tagged: bool) -> Result<(), Refusal> {
        if anchor != 0 {
            return Err(self.refusal("anchors are not allowed"));
        }
        if tagged { Err(self.refusal("tags are not allowed")) } else { Ok(()) }
    }
}
