//! Writing responses.

use std::io::{self, Write};

use serde_json::Value;

/// One response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    /// Without a body.
    pub(crate) fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::empty(status)
            .with("Content-Type", "application/json; charset=utf-8")
            .with_body(body.to_string().into_bytes())
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn with_body(mut self, body: Vec<u8>) -> Self {
        self.body = body;
        self
    }

    /// Writes it.
    pub(crate) fn write(&self, stream: &mut impl Write, ending: Ending) -> io::Result<()> {
        use std::fmt::Write as _;
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            if safe(name) && safe(value) {
                let _ = write!(head, "{name}: {value}\r\n");
            }
        }
        if !matches!(self.status, 100..200 | 204 | 304) {
            let _ = write!(head, "Content-Length: {}\r\n", self.body.len());
        }
        head.push_str("OData-Version: 4.0\r\nCache-Control: no-store\r\n");
        if ending.close {
            head.push_str("Connection: close\r\n");
        }
        head.push_str("\r\n");
        let sent = if ending.head_only { 0 } else { self.body.len().min(ending.body_limit) };
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body[..sent]);
        stream.write_all(&bytes)?;
        stream.flush()
    }
}

/// How a response ends on the wire.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    /// The connection closes afterwards.
    pub(crate) close: bool,
    /// The request was HEAD.
    pub(crate) head_only: bool,
    /// No more bytes of the body than these leave, although the length announces all.
    pub(crate) body_limit: usize,
}

/// No line ends: a header stays one header, whatever a scripted answer says.
fn safe(text: &str) -> bool {
    !text.contains(['\r', '\n', '\0'])
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        411 => "Length Required",
        412 => "Precondition Failed",
        413 => "Content Too Large",
        428 => "Precondition Required",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Unknown",
    }
}
