//! Secrets in memory.

use std::fmt;
use std::io::{self, Read};

use thiserror::Error;
use zeroize::{Zeroize as _, Zeroizing};

/// Bytes that are zeroed when they are dropped.
///
/// There is no `Display`, no `Clone` and no serialisation; `Debug` tells the length.
pub struct Plaintext(Zeroizing<Vec<u8>>);

/// The plaintext is not one line of text. What it is instead is not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the secret is not one line of text")]
pub struct NotOneLine;

impl Plaintext {
    /// The bytes, for the one place that needs them.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }

    /// The text without the newline at its end, for passwords: one line of UTF-8 that is not empty
    /// and holds no control character.
    pub fn expose_line(&self) -> Result<&str, NotOneLine> {
        let text = str::from_utf8(&self.0).map_err(|_| NotOneLine)?;
        let line = text.strip_suffix('\n').unwrap_or(text);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let separator = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if line.is_empty() || line.chars().any(separator) { Err(NotOneLine) } else { Ok(line) }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<u8>> for Plaintext {
    /// Takes the bytes over, without a copy.
    fn from(bytes: Vec<u8>) -> Plaintext {
        Plaintext(Zeroizing::new(bytes))
    }
}

impl fmt::Debug for Plaintext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plaintext({} bytes)", self.len())
    }
}

/// A buffer that leaves no copy behind when it grows.
#[derive(Default)]
pub(crate) struct Buffer(Vec<u8>);

/// What a secret may have at most: far more than a key or a keytab, far less than memory.
pub(crate) const LARGEST: usize = 16 << 20;

impl Buffer {
    pub(crate) fn with_capacity(capacity: usize) -> Buffer {
        Buffer(Vec::with_capacity(capacity))
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        let needed = self.0.len() + bytes.len();
        if needed > self.0.capacity() {
            let mut larger = Vec::with_capacity(needed.max(self.0.capacity() * 2));
            larger.extend_from_slice(&self.0);
            self.0.zeroize();
            self.0 = larger;
        }
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn into_plaintext(mut self) -> Plaintext {
        Plaintext::from(std::mem::take(&mut self.0))
    }

    /// Everything a reader has, at most [`LARGEST`] bytes: `Ok(None)` if it has more.
    pub(crate) fn read(mut reader: impl Read) -> io::Result<Option<Buffer>> {
        let mut buffer = Buffer::with_capacity(4096);
        let mut chunk = Zeroizing::new([0; 4096]);
        loop {
            match reader.read(&mut *chunk) {
                Ok(0) => return Ok(Some(buffer)),
                Ok(count) if buffer.0.len() + count > LARGEST => return Ok(None),
                Ok(count) => buffer.extend(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
