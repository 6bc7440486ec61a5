//! HTTP as iPXE speaks it: one GET, one answer.

use crate::error::{Doing, Error};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longest wait for a connection, and for each piece of an answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Fetches `http://address:port/path`; anything but 200 is an error.
pub(super) fn fetch(uri: &str) -> Result<String, Error> {
    let what = || format!("fetching {uri}");
    let malformed = || Error::Refused(format!("not a URI iPXE here knows: {uri}"));
    let rest = uri.strip_prefix("http://").ok_or_else(malformed)?;
    let (authority, path) = rest.split_once('/').ok_or_else(malformed)?;
    let address: SocketAddr = authority.parse().map_err(|_| malformed())?;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).doing(what)?;
    stream.set_read_timeout(Some(PATIENCE)).doing(what)?;
    let request = format!(
        "GET /{path} HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: iPXE/1.21.1\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).doing(what)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).doing(what)?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    match head.split_whitespace().nth(1) {
        Some("200") => Ok(body.to_owned()),
        status => Err(Error::Refused(format!("{uri}: HTTP status {}", status.unwrap_or("none")))),
    }
}
