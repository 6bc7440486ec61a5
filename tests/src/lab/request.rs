//! Asking the supervisor over its socket.

use crate::error::{Doing, Error};
use crate::wire::{Answer, Request};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

/// One question, one answer.
pub(super) fn ask<T: DeserializeOwned>(socket: &Path, request: &Request) -> Result<T, Error> {
    let what = || format!("asking the lab at {}", socket.display());
    let mut stream = UnixStream::connect(socket).doing(what)?;
    let mut line = serde_json::to_string(request).doing(what)?;
    line.push('\n');
    stream.write_all(line.as_bytes()).doing(what)?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).doing(what)?;
    match serde_json::from_str(&line).doing(what)? {
        Answer::Ok(value) => serde_json::from_value::<T>(value).doing(what),
        Answer::Error(reason) => Err(Error::Refused(reason)),
    }
}

/// A request whose answer is only that it is done.
pub(super) fn tell(socket: &Path, request: &Request) -> Result<(), Error> {
    ask::<Value>(socket, request).map(drop)
}
