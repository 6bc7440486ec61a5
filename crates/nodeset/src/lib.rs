//! Node sets in ClusterShell syntax: parse, fold, expand, set algebra.
//!
//! A node set is written the way ClusterShell, Slurm and pdsh users write it:
//!
//! ```
//! use nodeset::NodeSet;
//!
//! let set: NodeSet = "exe[0001-0003,0010]!exe0002".parse()?;
//! assert_eq!(set.to_string(), "exe[0001,0003,0010]");
//! assert_eq!(set.iter().map(|name| name.as_str()).collect::<Vec<_>>(), ["exe0001", "exe0003", "exe0010"]);
//! # Ok::<(), nodeset::Error>(())
//! ```
//!
//! | text | meaning |
//! | --- | --- |
//! | `exe1`, `login` | one node |
//! | `exe[1-3,7]`, `exe[001-128/2]` | ranges, zero padded where both bounds are, with a step |
//! | `r[1-2]n[01-18]-ib` | several ranges in one name |
//! | `a,b`, `a b` | union |
//! | `a!b`, `a&b`, `a^b` | difference, intersection, symmetric difference |
//! | `@name`, `@source:name` | a group, from the caller's [`GroupSource`] |
//! | `@*`, `@source:*` | every node of a source |
//! | `exe1*`, `exe?` | the nodes of `@*` that match |
//!
//! Operators are applied from left to right; none binds tighter than another and there are no
//! parentheses. Names are told apart by their exact spelling: `exe1` and `exe01` are two names. A
//! caller that knows its machines can find such pairs with [`padding_blind`].
//!
//! What cannot be read is refused, never guessed: [`Error::span`] says where, [`Error::excerpt`]
//! draws it. The README lists every known difference to ClusterShell.
//!
//! The crate does no I/O, keeps no global state and knows nothing of terminals.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod error;
mod evaluate;
mod expression;
mod fold;
mod group;
mod name;
mod pattern;
mod range;
mod scan;
mod set;
mod wildcard;

pub use error::{Error, ErrorKind};
pub use evaluate::Limits;
pub use expression::Expression;
pub use group::{BoxError, GroupSource, Members, NoGroups};
pub use name::{Name, natural_cmp, padding_blind};
pub use set::{Iter, NodeSet};
