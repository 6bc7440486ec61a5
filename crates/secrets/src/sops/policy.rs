//! Which documents may be opened.

use thiserror::Error;

use crate::sops::document::{Document, Section};
use crate::sops::metadata::KeyKind;

/// The kinds of keys a document may be encrypted to.
///
/// Whoever can write a document chooses its keys, and sops asks a network service for every key of
/// a kind that has one: a kind nobody uses is refused before sops sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    kinds: Vec<KeyKind>,
}

/// A document that a policy permits: the very bytes that were inspected.
#[derive(Debug, Clone)]
pub struct Permitted {
    document: Document,
}

/// Why a document may not be opened.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// It is encrypted to keys of another kind.
    #[error("the document is encrypted to {} keys, which are not allowed", names(.kinds))]
    Kinds {
        /// The kinds that are not allowed.
        kinds: Vec<KeyKind>,
    },
    /// It is encrypted to nobody.
    #[error("the document is encrypted to no key")]
    NoKey,
}

fn names(kinds: &[KeyKind]) -> String {
    kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

impl Policy {
    /// Documents encrypted to age keys, which need no network.
    pub fn age_only() -> Policy {
        Policy { kinds: vec![KeyKind::Age] }
    }

    /// Documents encrypted to keys of these kinds.
    pub fn allowing(kinds: impl IntoIterator<Item = KeyKind>) -> Policy {
        Policy { kinds: kinds.into_iter().collect() }
    }
}

impl Document {
    /// The document, if it is encrypted to keys of allowed kinds only.
    pub fn permitted_by(self, policy: &Policy) -> Result<Permitted, PolicyError> {
        if self.metadata.kinds.is_empty() {
            return Err(PolicyError::NoKey);
        }
        let foreign = self.key_kinds().filter(|kind| !policy.kinds.contains(kind));
        let kinds: Vec<KeyKind> = foreign.collect();
        if kinds.is_empty() {
            Ok(Permitted { document: self })
        } else {
            Err(PolicyError::Kinds { kinds })
        }
    }
}

impl Permitted {
    /// The document.
    pub fn document(&self) -> &Document {
        &self.document
    }

    pub(crate) fn text(&self) -> &[u8] {
        &self.document.text
    }

    pub(crate) fn values(&self) -> &[(Section, String)] {
        &self.document.values
    }
}
