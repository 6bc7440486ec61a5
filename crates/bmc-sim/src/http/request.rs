//! Reading requests.

use std::io::{self, Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Bytes of request line and headers.
const HEAD_LIMIT: usize = 16 * 1024;
/// Bytes of body.
const BODY_LIMIT: usize = 1024 * 1024;
const HEADERS_LIMIT: usize = 64;

/// One request, complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// As sent, query included.
    pub(crate) target: String,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    http_1_0: bool,
}

/// Why no request came.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The peer has left, or nothing came in time.
    Closed,
    /// What came is not a request this server takes: answer with this status and close.
    Bad(u16),
}

impl From<io::Error> for Unread {
    fn from(_: io::Error) -> Self {
        Self::Closed
    }
}

/// Basic credentials of one request.
pub(crate) struct Basic {
    pub(crate) user: String,
    pub(crate) password: String,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The path without a trailing slash.
    pub(crate) fn path(&self) -> &str {
        let path = self.target.split(['?', '#']).next().unwrap_or_default();
        path.trim_end_matches('/')
    }

    pub(crate) fn query(&self) -> Option<&str> {
        self.target.split_once('?').map(|(_, query)| query)
    }

    pub(crate) fn keeps_alive(&self) -> bool {
        let connection = self.header("connection").unwrap_or_default().to_ascii_lowercase();
        if self.http_1_0 {
            connection.contains("keep-alive")
        } else {
            !connection.contains("close")
        }
    }

    /// The credentials of an `Authorization: Basic` header that can be read.
    pub(crate) fn basic(&self) -> Option<Basic> {
        let (scheme, encoded) = self.header("authorization")?.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("basic") {
            return None;
        }
        let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
        let (user, password) = text.split_once(':')?;
        Some(Basic { user: user.to_owned(), password: password.to_owned() })
    }

    fn body_length(&self) -> Result<usize, Unread> {
        if self.header("transfer-encoding").is_some() {
            return Err(Unread::Bad(411));
        }
        let mut lengths = self.headers.iter().filter(|(name, _)| name == "content-length");
        let Some((_, first)) = lengths.next() else {
            return Ok(0);
        };
        if lengths.next().is_some() || !first.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Unread::Bad(400));
        }
        match first.parse() {
            Ok(length) if length <= BODY_LIMIT => Ok(length),
            _ => Err(Unread::Bad(413)),
        }
    }
}

/// Requests from one connection, one after the other; bytes read too far are kept for the next.
#[derive(Debug, Default)]
pub(crate) struct RequestReader {
    buffer: Vec<u8>,
}

impl RequestReader {
    /// The next request.
    pub(crate) fn read(&mut self, stream: &mut (impl Read + Write)) -> Result<Request, Unread> {
        let (mut request, head) = loop {
            if let Some(parsed) = parse_head(&self.buffer)? {
                break parsed;
            }
            self.fill(stream)?;
        };
        self.buffer.drain(..head);
        let length = request.body_length()?;
        let waits =
            request.header("expect").is_some_and(|it| it.eq_ignore_ascii_case("100-continue"));
        if waits && self.buffer.len() < length {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
            stream.flush()?;
        }
        while self.buffer.len() < length {
            self.fill(stream)?;
        }
        request.body = self.buffer.drain(..length).collect();
        Ok(request)
    }

    fn fill(&mut self, stream: &mut impl Read) -> Result<(), Unread> {
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk)? {
            0 => Err(Unread::Closed),
            read => {
                self.buffer.extend_from_slice(&chunk[..read]);
                Ok(())
            }
        }
    }
}

/// The head of the first request in `buffer` and its length; `None` while it is incomplete.
fn parse_head(buffer: &[u8]) -> Result<Option<(Request, usize)>, Unread> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_LIMIT];
    let mut parsed = httparse::Request::new(&mut headers);
    let status = parsed.parse(buffer).map_err(|error| match error {
        httparse::Error::TooManyHeaders => Unread::Bad(431),
        _ => Unread::Bad(400),
    })?;
    let httparse::Status::Complete(length) = status else {
        return if buffer.len() > HEAD_LIMIT { Err(Unread::Bad(431)) } else { Ok(None) };
    };
    if length > HEAD_LIMIT {
        return Err(Unread::Bad(431));
    }
    let headers = parsed
        .headers
        .iter()
        .map(|header| {
            let value = String::from_utf8_lossy(header.value).into_owned();
            (header.name.to_ascii_lowercase(), value)
        })
        .collect();
    let request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        target: parsed.path.unwrap_or_default().to_owned(),
        headers,
        body: Vec::new(),
        http_1_0: parsed.version == Some(0),
    };
    Ok(Some((request, length)))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    /// Bytes that arrive a few at a time; what is written is lost.
    struct Wire(Cursor<Vec<u8>>, usize);

    impl Read for Wire {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = into.len().min(self.1);
            self.0.read(&mut into[..most])
        }
    }

    impl Write for Wire {
        fn write(&mut self, from: &[u8]) -> io::Result<usize> {
            Ok(from.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn read_all(bytes: &[u8], step: usize) -> (Vec<Request>, Unread) {
        let mut wire = Wire(Cursor::new(bytes.to_vec()), step);
        let mut reader = RequestReader::default();
        let mut requests = Vec::new();
        loop {
            match reader.read(&mut wire) {
                Ok(request) => requests.push(request),
                Err(end) => return (requests, end),
            }
        }
    }

    #[test]
    fn two_requests_in_one_stream_are_read_whatever_the_chunks() {
        let bytes = b"PATCH /a/?x=1 HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}GET /b HTTP/1.1\r\n\r\n";
        for step in [1, 7, 4096] {
            let (requests, end) = read_all(bytes, step);
            assert!(matches!(end, Unread::Closed));
            assert_eq!(requests.len(), 2);
            assert_eq!((requests[0].path(), requests[0].query()), ("/a", Some("x=1")));
            assert_eq!(requests[0].body, b"{}");
            assert_eq!(requests[1].path(), "/b");
        }
    }

    #[test]
    fn what_is_too_large_or_ambiguous_is_refused() {
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(HEAD_LIMIT));
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(HEADERS_LIMIT + 1));
        for (bytes, status) in [
            (long.as_str(), 431),
            (many.as_str(), 431),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
            ("\0\0\0\0 / HTTP/1.1\r\n\r\n", 400),
        ] {
            match read_all(bytes.as_bytes(), 4096) {
                (requests, Unread::Bad(refused)) if requests.is_empty() => {
                    assert_eq!(refused, status);
                }
                other => panic!("{other:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, step in 1usize..64) {
            read_all(&bytes, step);
        }

        #[test]
        fn nearly_valid_bytes_do_not_either(
            method in "[A-Z]{0,7}", target in "\\PC{0,40}", name in "[ -~]{0,20}",
            value in "[ -~]{0,30}", length in "[0-9+-]{0,20}", body: Vec<u8>,
        ) {
            let mut bytes = format!(
                "{method} {target} HTTP/1.1\r\n{name}: {value}\r\nContent-Length: {length}\r\n\r\n"
            ).into_bytes();
            bytes.extend(body);
            for request in read_all(&bytes, 4096).0 {
                request.basic();
                request.path();
                request.keeps_alive();
            }
        }
    }
}
