//! What a BMC says about a request.

use std::fmt;

use serde_json::{Map, Value};

use crate::excerpt::one_line;

/// More messages than this are not kept.
const MOST_MESSAGES: usize = 16;
const LONGEST_TEXT: usize = 300;

/// One message of an answer, on one bounded line (DSP0266, error responses).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    id: Option<String>,
    text: String,
    severity: Option<String>,
    arguments: Vec<String>,
    properties: Vec<String>,
}

impl Message {
    /// The `MessageId`, for example `Base.1.8.PropertyNotWritable`.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The key in the `MessageId`: its last part, for example `PropertyNotWritable`.
    pub fn key(&self) -> &str {
        self.id.as_deref().and_then(|id| id.rsplit('.').next()).unwrap_or_default()
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// `OK`, `Warning` or `Critical`, where given.
    pub fn severity(&self) -> Option<&str> {
        self.severity.as_deref()
    }

    /// The `MessageArgs`.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Whether text, arguments or related properties name this property.
    pub(crate) fn is_about(&self, property: &str) -> bool {
        self.text.contains(property)
            || self.arguments.iter().chain(&self.properties).any(|text| text.contains(property))
    }

    pub(crate) fn of_text(text: &str) -> Self {
        Self { text: crate::excerpt::page(text, LONGEST_TEXT), ..Self::default() }
    }

    fn read(item: &Value) -> Option<Self> {
        let item = match item {
            Value::String(text) => return Some(Self::of_text(text)).filter(|m| !m.text.is_empty()),
            Value::Object(item) => item,
            _ => return None,
        };
        let line = |names: &[&str]| {
            let text = names.iter().find_map(|name| item.get(*name)?.as_str())?;
            Some(one_line(text, LONGEST_TEXT)).filter(|text| !text.is_empty())
        };
        let lines = |name: &str| match item.get(name) {
            Some(Value::Array(values)) => {
                values.iter().take(MOST_MESSAGES).map(plain).collect::<Vec<_>>()
            }
            Some(Value::Null) | None => Vec::new(),
            Some(value) => vec![plain(value)],
        };
        // `MessageID` and `code` are observed: iLO 4, and services without extended information.
        let id = line(&["MessageId", "MessageID", "code"]);
        let arguments = lines("MessageArgs");
        let text = match (line(&["Message", "message"]), &id) {
            (Some(text), _) => text,
            (None, Some(id)) if arguments.is_empty() => id.clone(),
            (None, Some(id)) => format!("{id}: {}", arguments.join(", ")),
            (None, None) => return None,
        };
        let severity = line(&["MessageSeverity", "Severity"]);
        Some(Self { id, text, severity, arguments, properties: lines("RelatedProperties") })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match &self.id {
            Some(id) if !self.text.contains(id.as_str()) => write!(f, " ({id})"),
            _ => Ok(()),
        }
    }
}

/// The messages of a body, whichever of the observed shapes it has: `error` with extended
/// information as an array or an object, extended information at the top or at a property,
/// `Messages` of iLO 4, an `error` that is only a text.
pub(crate) fn messages(body: &Value) -> Vec<Message> {
    let Value::Object(body) = body else { return Vec::new() };
    let mut found = Vec::new();
    match body.get("error") {
        Some(Value::Object(error)) => {
            extended(error, &mut found);
            if found.is_empty() {
                found.extend(Message::read(&Value::Object(error.clone())));
            }
        }
        Some(other) => found.extend(Message::read(other)),
        None => {}
    }
    extended(body, &mut found);
    if let (true, Some(list)) = (found.is_empty(), body.get("Messages")) {
        collect(list, &mut found);
    }
    found
}

fn extended(object: &Map<String, Value>, found: &mut Vec<Message>) {
    for (name, list) in object {
        if name.ends_with("@Message.ExtendedInfo") {
            collect(list, found);
        }
    }
}

fn collect(list: &Value, found: &mut Vec<Message>) {
    let items = match list {
        Value::Array(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let room = MOST_MESSAGES.saturating_sub(found.len());
    found.extend(items.iter().filter_map(Message::read).take(room));
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => one_line(text, LONGEST_TEXT),
        other => one_line(&other.to_string(), LONGEST_TEXT),
    }
}
