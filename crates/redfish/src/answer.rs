//! An answer, read tolerantly.

use std::time::Duration;

use http::{HeaderMap, Response, StatusCode, header};
use serde_json::Value;

use crate::message::messages;
use crate::property::{link, linked};
use crate::{Message, ResourcePath, excerpt};

/// A larger body is not read.
const LARGEST_BODY: usize = 32 << 20;

/// Status, headers and body of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    headers: HeaderMap,
    /// The JSON documents of the body. One, as a rule: iDRAC was seen to send two in a row.
    documents: Vec<Value>,
    /// What the body says where it is not JSON, on one line.
    text: Option<String>,
}

impl Answer {
    pub(crate) fn read(response: Response<Vec<u8>>) -> Self {
        let (parts, body) = response.into_parts();
        let (documents, text) = read_body(&body);
        Self { status: parts.status, headers: parts.headers, documents, text }
    }

    /// The body, where it is a JSON object.
    pub(crate) fn resource(&self) -> Option<&Value> {
        self.documents.first().filter(|document| document.is_object())
    }

    pub(crate) fn into_value(self) -> Option<Value> {
        self.documents.into_iter().next()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.text.is_none()
    }

    /// Why the body is no resource.
    pub(crate) fn not_a_resource(&self) -> String {
        match &self.text {
            Some(text) => format!("not JSON: {text}"),
            None if self.documents.is_empty() => "an empty body".to_owned(),
            None => "no JSON object".to_owned(),
        }
    }

    /// What the BMC says; for a body that is not JSON, its text.
    pub(crate) fn messages(&self) -> Vec<Message> {
        let found: Vec<_> = self.documents.iter().flat_map(messages).collect();
        match &self.text {
            Some(text) if found.is_empty() => vec![Message::of_text(text)],
            _ => found,
        }
    }

    pub(crate) fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(crate) fn location(&self) -> Option<ResourcePath> {
        ResourcePath::from_link(self.header(header::LOCATION)?).ok()
    }

    /// The monitor of the task that a 202 makes: `Location`, which some services leave out, else what
    /// the task in the body says.
    pub(crate) fn task_monitor(&self) -> Option<ResourcePath> {
        let of_body = || {
            let task = self.resource()?;
            let is_task = task.get("TaskState").is_some() || task.get("TaskMonitor").is_some();
            linked(task, "TaskMonitor").or_else(|| link(task).filter(|_| is_task))
        };
        self.location().or_else(of_body)
    }

    /// `Retry-After` in seconds, between a second and an hour: a BMC that says 0 is not hammered. A
    /// date is read as a short wait: clocks of BMCs are not set.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let text = self.header(header::RETRY_AFTER)?.trim();
        Some(Duration::from_secs(text.parse().unwrap_or(5).clamp(1, 3600)))
    }
}

fn read_body(body: &[u8]) -> (Vec<Value>, Option<String>) {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let body = body.trim_ascii();
    if body.is_empty() {
        return (Vec::new(), None);
    }
    if body.len() > LARGEST_BODY {
        return (Vec::new(), Some(format!("{} bytes", body.len())));
    }
    let mut documents = Vec::new();
    for document in serde_json::Deserializer::from_slice(body).into_iter::<Value>().take(2) {
        match document {
            Ok(document) => documents.push(document),
            Err(_) if documents.is_empty() => {
                return (documents, Some(excerpt::page(&String::from_utf8_lossy(body), 200)));
            }
            Err(_) => break,
        }
    }
    (documents, None)
}
