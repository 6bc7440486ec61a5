//! Bytes to replace in a source.

use std::ops::Range;

use crate::edit::error::EditError;

/// The changes to one source.
#[derive(Debug, Clone, Default)]
pub(crate) struct Splices(Vec<(Range<usize>, Vec<u8>)>);

impl Splices {
    /// Adds one; the same one twice counts once, unless it only inserts.
    pub(crate) fn push(&mut self, range: Range<usize>, text: Vec<u8>) {
        let splice = (range, text);
        if splice.0.is_empty() || !self.0.contains(&splice) {
            self.0.push(splice);
        }
    }

    /// `source` with all changes made. Insertions at one place keep their order.
    pub(crate) fn apply(&self, source: &[u8]) -> Result<Vec<u8>, EditError> {
        let mut splices: Vec<_> = self.0.iter().collect();
        splices.sort_by_key(|(range, _)| (range.start, range.end));
        let mut changed = Vec::with_capacity(source.len());
        let mut copied = 0;
        for (range, text) in splices {
            if range.start < copied {
                return Err(EditError::Overlap);
            }
            changed.extend(&source[copied..range.start]);
            changed.extend(text);
            copied = range.end;
        }
        changed.extend(&source[copied..]);
        Ok(changed)
    }
}
