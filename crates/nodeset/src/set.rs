//! The set itself, and its algebra.

use std::cmp::Ordering;
use std::num::NonZeroUsize;
use std::str::FromStr;

use crate::error::Error;
use crate::evaluate::Limits;
use crate::expression::Expression;
use crate::group::NoGroups;
use crate::name::{Name, natural_cmp};

/// A set of names in natural order.
///
/// Display folds it: `exe[0001-0003]`. Parsing what Display prints gives the same set. The empty set
/// prints as nothing.
///
/// ```
/// use nodeset::NodeSet;
///
/// let rack: NodeSet = "exe[01-18]".parse()?;
/// let down: NodeSet = "exe[17-20]".parse()?;
/// assert_eq!(rack.difference(&down).to_string(), "exe[01-16]");
/// assert_eq!(rack.intersection(&down).to_string(), "exe[17-18]");
/// assert!(rack.contains("exe07") && !rack.contains("exe7"));
/// # Ok::<(), nodeset::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeSet {
    /// Sorted, without doubles.
    names: Vec<Name>,
}

impl NodeSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn from_sorted(names: Vec<Name>) -> Self {
        debug_assert!(names.is_sorted_by(|left, right| left < right), "the names are out of order");
        Self { names }
    }

    /// How many names it holds.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether it holds no name.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether this exact spelling is in the set.
    pub fn contains(&self, name: &str) -> bool {
        self.names.binary_search_by(|own| natural_cmp(own.as_str(), name)).is_ok()
    }

    /// The names in natural order.
    pub fn iter(&self) -> Iter<'_> {
        self.names.iter()
    }

    /// The first name in natural order.
    pub fn first(&self) -> Option<&Name> {
        self.names.first()
    }

    /// The names in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.merge(other, |left, right| left || right)
    }

    /// The names of this set that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.merge(other, |left, right| left && !right)
    }

    /// The names in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.merge(other, |left, right| left && right)
    }

    /// The names in one set and not in the other.
    #[must_use]
    pub fn symmetric_difference(&self, other: &Self) -> Self {
        self.merge(other, |left, right| left != right)
    }

    /// Whether every name of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|name| other.contains(name.as_str()))
    }

    /// Whether no name is in both sets.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.iter().any(|name| other.contains(name.as_str()))
    }

    /// Cuts the set into `parts` sets of consecutive names whose sizes differ by one at most, the
    /// larger ones first. A set of fewer names gives that many sets of one.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    /// use nodeset::NodeSet;
    ///
    /// let ten: NodeSet = "exe[1-10]".parse()?;
    /// let parts = ten.split(NonZeroUsize::new(3).unwrap());
    /// let folded: Vec<String> = parts.iter().map(NodeSet::to_string).collect();
    /// assert_eq!(folded, ["exe[1-4]", "exe[5-7]", "exe[8-10]"]);
    /// # Ok::<(), nodeset::Error>(())
    /// ```
    pub fn split(&self, parts: NonZeroUsize) -> Vec<Self> {
        let parts = parts.get().min(self.len());
        let mut rest = &self.names[..];
        (0..parts)
            .map(|done| {
                let (part, after) = rest.split_at(rest.len().div_ceil(parts - done));
                rest = after;
                Self { names: part.to_vec() }
            })
            .collect()
    }

    /// Walks both sets in order and keeps what `keep` says of (in this set, in the other).
    fn merge(&self, other: &Self, keep: impl Fn(bool, bool) -> bool) -> Self {
        let (mut left, mut right) = (self.iter().peekable(), other.iter().peekable());
        let mut names = Vec::new();
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => return Self { names },
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(left), Some(right)) => left.cmp(right),
            };
            let ours = if order.is_le() { left.next() } else { None };
            let theirs = if order.is_ge() { right.next() } else { None };
            if keep(ours.is_some(), theirs.is_some()) {
                names.extend(ours.or(theirs).cloned());
            }
        }
    }
}

/// The names of a set in natural order.
pub type Iter<'a> = std::slice::Iter<'a, Name>;

impl FromStr for NodeSet {
    type Err = Error;

    /// Reads an expression without groups, under the default [`Limits`]. With groups, see
    /// [`Expression::evaluate`].
    fn from_str(text: &str) -> Result<Self, Error> {
        Expression::parse(text)?.evaluate(&NoGroups, Limits::default())
    }
}

impl FromIterator<Name> for NodeSet {
    fn from_iter<I: IntoIterator<Item = Name>>(names: I) -> Self {
        let mut names: Vec<Name> = names.into_iter().collect();
        names.sort();
        names.dedup();
        Self { names }
    }
}

impl IntoIterator for NodeSet {
    type Item = Name;
    type IntoIter = std::vec::IntoIter<Name>;

    fn into_iter(self) -> Self::IntoIter {
        self.names.into_iter()
    }
}

impl<'a> IntoIterator for &'a NodeSet {
    type Item = &'a Name;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
