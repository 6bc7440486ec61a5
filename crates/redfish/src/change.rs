//! What became of a change that is read back.

use crate::Error;

/// A change the BMC did not refuse, with what the resource shows.
#[derive(Debug)]
#[must_use = "a BMC may take a write and not do it"]
#[non_exhaustive]
pub enum Change<T> {
    /// It was so already; nothing was sent.
    Already(T),
    /// Written, and read back so.
    Done(T),
    /// The BMC took the write and shows something else.
    NotTaken(T),
    /// The BMC took the write, and it could not be read back.
    Unverified(Error),
}

impl<T> Change<T> {
    /// Whether the resource shows what was asked for.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Already(_) | Self::Done(_))
    }

    /// What the resource shows, where it was read.
    pub fn shown(&self) -> Option<&T> {
        match self {
            Self::Already(shown) | Self::Done(shown) | Self::NotTaken(shown) => Some(shown),
            Self::Unverified(_) => None,
        }
    }
}
