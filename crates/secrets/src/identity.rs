//! Keys that open age files.

use std::fmt;

use age::{ssh, x25519};
use thiserror::Error;

use crate::recipient::Recipient;

/// Private keys: age identities and unencrypted OpenSSH keys. Nothing is asked for and no plugin is
/// run.
///
/// `Debug` shows the recipients they belong to, which are public.
#[derive(Clone)]
pub struct Identities {
    keys: Vec<Key>,
}

#[derive(Clone)]
enum Key {
    X25519(x25519::Identity),
    Ssh(Box<ssh::Identity>),
}

/// Why a file holds no usable key. Its content is not repeated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IdentityError {
    /// There is no key in it.
    #[error("{source_name}: there is no private key in the file")]
    NoKey {
        /// Where the text came from, as the caller named it.
        source_name: String,
    },
    /// The file or the key is protected by a passphrase, which would have to be asked for.
    #[error("{source_name}: the key is protected by a passphrase; give one without")]
    Passphrase {
        /// Where the text came from.
        source_name: String,
    },
    /// A key of a plugin or of a kind this crate does not use.
    #[error("{source_name}:{line}: keys of this kind are not supported")]
    Unsupported {
        /// Where the text came from.
        source_name: String,
        /// Which line it is on, from 1.
        line: usize,
    },
    /// Something that is neither a key nor a comment.
    #[error("{source_name}:{line}: this is not a private key")]
    Malformed {
        /// Where the text came from.
        source_name: String,
        /// Which line it is on, from 1.
        line: usize,
    },
}

impl Identities {
    /// Reads age's identity file (one key a line, `#` comments) or one OpenSSH private key.
    /// `source` names the text in errors.
    pub fn from_bytes(source: &str, data: &[u8]) -> Result<Identities, IdentityError> {
        let source_name = source.to_owned();
        if data.starts_with(b"age-encryption.org/") {
            return Err(IdentityError::Passphrase { source_name });
        }
        let Ok(text) = str::from_utf8(data) else {
            return Err(IdentityError::Malformed { source_name, line: 1 });
        };
        let mut keys = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line_number = number + 1;
            let line = line.trim();
            // The kind goes by the first line that is none of the comments, whatever they say.
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if keys.is_empty() && line.starts_with("-----BEGIN ") {
                return ssh_key(source, text, line, line_number);
            }
            let name = source_name.clone();
            if line.starts_with("AGE-SECRET-KEY-1") {
                let key = line.parse().map_err(|_| IdentityError::Malformed {
                    source_name: name,
                    line: line_number,
                })?;
                keys.push(Key::X25519(key));
            } else if line.starts_with("AGE-") {
                return Err(IdentityError::Unsupported { source_name: name, line: line_number });
            } else {
                return Err(IdentityError::Malformed { source_name: name, line: line_number });
            }
        }
        if keys.is_empty() {
            Err(IdentityError::NoKey { source_name })
        } else {
            Ok(Identities { keys })
        }
    }

    /// The keys of both.
    #[must_use]
    pub fn join(mut self, other: Identities) -> Identities {
        self.keys.extend(other.keys);
        self
    }

    /// The recipients these keys belong to.
    pub fn recipients(&self) -> impl Iterator<Item = Recipient> {
        self.keys.iter().filter_map(Key::recipient)
    }

    /// True if one of the keys belongs to this recipient.
    pub fn opens(&self, recipient: &Recipient) -> bool {
        self.recipients().any(|own| own == *recipient)
    }

    pub(crate) fn as_age(&self) -> impl Iterator<Item = &dyn age::Identity> {
        self.keys.iter().map(|key| match key {
            Key::X25519(key) => key as &dyn age::Identity,
            Key::Ssh(key) => &**key as &dyn age::Identity,
        })
    }
}

fn ssh_key(
    source: &str,
    text: &str,
    first: &str,
    line: usize,
) -> Result<Identities, IdentityError> {
    let source_name = source.to_owned();
    if first.starts_with("-----BEGIN AGE ENCRYPTED FILE") || first.contains("ENCRYPTED PRIVATE") {
        return Err(IdentityError::Passphrase { source_name });
    }
    // age's reader of PEM wants nothing before the first line.
    let start = text.find("-----BEGIN ").unwrap_or_default();
    match ssh::Identity::from_buffer(&text.as_bytes()[start..], None) {
        Ok(key @ ssh::Identity::Unencrypted(_)) => {
            Ok(Identities { keys: vec![Key::Ssh(Box::new(key))] })
        }
        Ok(ssh::Identity::Encrypted(_)) => Err(IdentityError::Passphrase { source_name }),
        Ok(ssh::Identity::Unsupported(_)) => Err(IdentityError::Unsupported { source_name, line }),
        Err(_) => Err(IdentityError::Malformed { source_name, line }),
    }
}

impl Key {
    fn recipient(&self) -> Option<Recipient> {
        let text = match self {
            Key::X25519(key) => key.to_public().to_string(),
            Key::Ssh(key) => ssh::Recipient::try_from((**key).clone()).ok()?.to_string(),
        };
        Some(Recipient::new(&text))
    }
}

impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.recipients()).finish()
    }
}
