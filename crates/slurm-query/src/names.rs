//! Names of nodes that mean one node each.

use std::collections::HashSet;

use thiserror::Error;

use crate::hostlist::expand;
use crate::node::Node;

/// `MAX_ARG_STRLEN` of Linux is 131,072 bytes for one argument, the closing NUL included; the
/// rest is room for what stands before the list.
const LONGEST: usize = 131_072 - 1_024;

/// Names of nodes, each one node to Slurm as far as its spelling tells.
///
/// Slurm reads a name as more than itself where it is `ALL` in any case, holds brackets or commas,
/// or is the name of a `NodeSet` in `slurm.conf`. The first two are refused here. A `NodeSet` is
/// spelt like a node, so ask Slurm with [`NodeQuery::of`](crate::NodeQuery::of) and look at
/// [`missing_in`](NodeNames::missing_in): `sinfo` lists nodes under their own names only, while
/// `scontrol update` takes a `NodeSet` and changes all its members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeNames {
    names: Vec<String>,
    folded: Option<String>,
}

/// Why a text is not the name of one node.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameError {
    /// No name at all: Slurm would take every node.
    #[error("there is no node to ask about")]
    Empty,
    /// `ALL` in any case, which Slurm reads as every node.
    #[error("{name:?} means every node to Slurm")]
    All {
        /// The name as given.
        name: String,
    },
    /// Something else than letters, digits, `.`, `_` and `-`, or a `-` in front.
    #[error("{name:?} is not the name of a single node")]
    Character {
        /// The name as given.
        name: String,
    },
    /// The folded form stands for other nodes.
    #[error("the list {folded:?} does not stand for exactly the nodes it should")]
    Folded {
        /// The folded form as given.
        folded: String,
    },
}

impl NodeNames {
    /// Takes names in the order given; repeated ones count once.
    pub fn new<S: Into<String>>(
        names: impl IntoIterator<Item = S>,
    ) -> Result<NodeNames, NameError> {
        let mut seen = HashSet::new();
        let mut checked = Vec::new();
        for name in names {
            let name = check(name.into())?;
            if seen.insert(name.clone()) {
                checked.push(name);
            }
        }
        if checked.is_empty() {
            return Err(NameError::Empty);
        }
        Ok(NodeNames { names: checked, folded: None })
    }

    /// Uses this folded form in argument vectors. It has to stand for exactly these nodes.
    pub fn with_hostlist(self, folded: &str) -> Result<NodeNames, NameError> {
        let wrong = || NameError::Folded { folded: folded.to_owned() };
        let expanded = expand(folded).map_err(|_| wrong())?;
        let theirs: HashSet<&str> = expanded.iter().map(String::as_str).collect();
        if theirs != self.names.iter().map(String::as_str).collect() {
            return Err(wrong());
        }
        Ok(NodeNames { folded: Some(folded.to_owned()), ..self })
    }

    /// The names, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// How many nodes these are. Never 0.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The names that are no node's own in an answer to [`NodeQuery::of`](crate::NodeQuery::of):
    /// unknown to Slurm, or a `NodeSet`. Nothing may be changed under such a name.
    pub fn missing_in(&self, answer: &[Node]) -> Vec<&str> {
        let known: HashSet<&str> = answer.iter().map(|node| node.name.as_str()).collect();
        self.iter().filter(|name| !known.contains(name)).collect()
    }

    /// The list as one argument, `None` if it is too long to be one.
    pub(crate) fn argument(&self) -> Option<String> {
        let list = self.folded.clone().unwrap_or_else(|| self.names.join(","));
        (list.len() <= LONGEST).then_some(list)
    }

    /// The list as few arguments, each short enough to be one.
    pub(crate) fn arguments(&self) -> Vec<String> {
        if let Some(list) = self.argument() {
            return vec![list];
        }
        let mut lists: Vec<String> = Vec::new();
        for name in self.iter() {
            match lists.last_mut() {
                Some(list) if list.len() + 1 + name.len() <= LONGEST => {
                    list.push(',');
                    list.push_str(name);
                }
                _ => lists.push(name.to_owned()),
            }
        }
        lists
    }
}

fn check(name: String) -> Result<String, NameError> {
    if name.eq_ignore_ascii_case("all") {
        return Err(NameError::All { name });
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    // 255 bytes: no host name and no NodeName is longer.
    if name.is_empty() || name.len() > 255 || name.starts_with('-') || !name.bytes().all(plain) {
        return Err(NameError::Character { name });
    }
    Ok(name)
}
