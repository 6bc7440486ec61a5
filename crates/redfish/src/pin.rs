//! Certificates that were seen before.
//!
//! BMCs sign their own certificates, so nobody vouches for them. The first contact records the
//! SHA-256 fingerprint of the certificate; a later change is refused with both fingerprints.

mod file;

use std::fmt;
use std::str::FromStr;

pub use file::FilePins;

use crate::Endpoint;

/// SHA-256 of a certificate (DER). Prints as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// A fingerprint from the hash.
    pub fn new(sha256: [u8; 32]) -> Self {
        Self(sha256)
    }

    /// The hash.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = PinError;

    /// Reads 64 hexadecimal digits, with colons between the bytes or without.
    fn from_str(text: &str) -> Result<Self, PinError> {
        let digits: Vec<u8> = text
            .chars()
            .filter(|c| *c != ':')
            .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()
            .ok_or(PinError::Malformed { line: 0 })?;
        let bytes: Vec<u8> = digits
            .chunks(2)
            .map(|pair| pair.iter().fold(0, |sum, digit| sum << 4 | digit))
            .collect();
        match (digits.len(), bytes.try_into()) {
            (64, Ok(bytes)) => Ok(Self(bytes)),
            _ => Err(PinError::Malformed { line: 0 }),
        }
    }
}

/// Remembers the certificates of BMCs.
pub trait PinStore: Send + Sync + fmt::Debug {
    /// The fingerprint on record for this BMC.
    fn recorded(&self, endpoint: &Endpoint) -> Result<Option<Fingerprint>, PinError>;

    /// Records the fingerprint unless one is on record, in one step, and gives the one that is on
    /// record afterwards: of two first contacts at once with different certificates, one is
    /// recorded and the other sees the difference.
    fn record(&self, endpoint: &Endpoint, seen: &Fingerprint) -> Result<Fingerprint, PinError>;
}

/// A pin store that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PinError {
    /// Reading, locking or writing the store failed.
    #[error("the certificate pins cannot be {action}")]
    Io {
        /// What was tried: `read`, `locked` or `written`.
        action: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A line is not `HOST sha256:FINGERPRINT`.
    #[error("line {line} of the certificate pins is not \"HOST sha256:FINGERPRINT\"")]
    Malformed {
        /// The line, counted from 1; 0 for a fingerprint that stands alone.
        line: usize,
    },
}

/// Why a certificate was refused. No credentials were sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateProblem {
    /// It is another one than at the first contact.
    #[error(
        "the certificate changed: recorded is sha256:{recorded}, presented was sha256:{presented}"
    )]
    Changed {
        /// On record.
        recorded: Fingerprint,
        /// Presented now.
        presented: Fingerprint,
    },
    /// No authority of the bundle vouches for it, or not for this name, or not now.
    #[error("the certificate is not trusted: {reason}")]
    Untrusted {
        /// What the verifier found.
        reason: String,
    },
    /// The handshake is not signed with the key of the certificate, or in a way that is not
    /// supported (for example with an RSA key below 2048 bits).
    #[error("the signature of the handshake is refused: {reason}")]
    Signature {
        /// What the verifier found.
        reason: String,
    },
    /// The pin store could not be asked or written, so nothing vouches.
    #[error("the certificate pins could not be used: {reason}")]
    Store {
        /// What the store said.
        reason: String,
    },
}
