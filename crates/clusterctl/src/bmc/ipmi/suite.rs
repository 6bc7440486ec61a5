//! Cipher suites, and which one a service processor was seen to speak.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::config::kinds::IpmiDriver;

/// How a session is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Suite {
    /// Cipher suite 17 (IPMI 2.0 revision 1.1): HMAC-SHA256, AES-CBC-128.
    Sha256,
    /// Cipher suite 3 (IPMI 2.0): HMAC-SHA1, AES-CBC-128.
    Sha1,
    /// IPMI 1.5, which has none.
    Version15,
}

impl Suite {
    /// What a read tries, one after the other.
    pub(super) fn tried(driver: IpmiDriver) -> &'static [Suite] {
        match driver {
            IpmiDriver::Lan20 => &[Suite::Sha256, Suite::Sha1],
            IpmiDriver::Lan => &[Suite::Version15],
        }
    }

    /// The number on a command line.
    pub(super) fn id(self) -> Option<&'static str> {
        match self {
            Suite::Sha256 => Some("17"),
            Suite::Sha1 => Some("3"),
            Suite::Version15 => None,
        }
    }
}

/// What was learned of each service processor during this run.
#[derive(Debug, Default)]
pub(super) struct Suites(Mutex<HashMap<String, Suite>>);

impl Suites {
    /// The suite that a read of this run proved.
    pub(super) fn proven(&self, host: &str) -> Option<Suite> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(host).copied()
    }

    /// Remembers it.
    pub(super) fn prove(&self, host: &str, suite: Suite) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(host.to_owned(), suite);
    }
}
