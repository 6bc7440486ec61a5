//! As much of HTTP/1.1 as network boot firmware needs.

use std::io::{self, BufRead, BufReader, Read};
use std::net::TcpStream;

/// A request line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    /// As in `GET`.
    pub method: String,
    /// With the query, as sent.
    pub target: String,
    /// As in `HTTP/1.1`.
    pub version: String,
}

/// More than any boot firmware sends.
const LIMIT: u64 = 16 * 1024;

impl Request {
    /// Reads one request with its headers; `None` where the client sent none.
    pub(super) fn read(stream: &TcpStream) -> io::Result<Option<Request>> {
        let mut lines = BufReader::new(stream.take(LIMIT)).lines();
        let Some(first) = lines.next().transpose()? else { return Ok(None) };
        while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
        Ok(Request::parse(&first))
    }

    fn parse(line: &str) -> Option<Request> {
        let mut words = line.split_whitespace().map(str::to_owned);
        Some(Request { method: words.next()?, target: words.next()?, version: words.next()? })
    }

    /// The path, if it is a plain one: no query, no `..`.
    pub(super) fn path(&self) -> Option<&str> {
        let path = self.target.split('?').next()?;
        let plain = path.starts_with('/') && !path.split('/').any(|part| part == "..");
        plain.then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_climbs_is_refused() {
        let path = |line| Request::parse(line).unwrap().path().map(str::to_owned);
        assert_eq!(path("GET /boot/x?y=1 HTTP/1.1").as_deref(), Some("/boot/x"));
        assert_eq!(path("GET /../etc/passwd HTTP/1.1"), None);
        assert_eq!(path("GET boot HTTP/1.1"), None);
    }
}
