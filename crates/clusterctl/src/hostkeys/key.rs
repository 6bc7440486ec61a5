//! A host's public key.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use sha2::{Digest as _, Sha256};

/// A public key of a host: its type and its wire form (RFC 4253 6.6).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostKey {
    kind: String,
    blob: Vec<u8>,
}

impl HostKey {
    /// The key of a wire form, which begins with its type; `None` when it does not.
    pub fn from_blob(blob: &[u8]) -> Option<HostKey> {
        let length = usize::try_from(u32::from_be_bytes(blob.get(..4)?.try_into().ok()?)).ok()?;
        let kind = std::str::from_utf8(blob.get(4..4usize.checked_add(length)?)?).ok()?;
        let plain = |byte: u8| byte.is_ascii_graphic() && byte != b',';
        if kind.is_empty() || !kind.bytes().all(plain) {
            return None;
        }
        Some(HostKey { kind: kind.to_owned(), blob: blob.to_vec() })
    }

    /// The key of a type and a base64 text, as files hold it; `None` when they do not agree.
    pub fn from_text(kind: &str, base64: &str) -> Option<HostKey> {
        let key = HostKey::from_blob(&STANDARD.decode(base64).ok()?)?;
        (key.kind == kind).then_some(key)
    }

    /// The key's type, such as `ssh-ed25519`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The wire form.
    pub fn blob(&self) -> &[u8] {
        &self.blob
    }

    /// The fingerprint as ssh shows it: `SHA256:` and base64 without padding.
    pub fn fingerprint(&self) -> String {
        format!("SHA256:{}", STANDARD_NO_PAD.encode(Sha256::digest(&self.blob)))
    }
}

impl fmt::Display for HostKey {
    /// Type and base64, as in a file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, STANDARD.encode(&self.blob))
    }
}
