//! Where groups come from: the caller.

use crate::set::NodeSet;

/// An error of the caller's choosing.
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// Answers what a group holds.
///
/// An error ends the evaluation and reaches the caller as the [cause](crate::Error::cause) of the
/// refusal. "No such group", "listed but empty" and "the source could not be asked" are all errors
/// to be returned here: `Ok` with an empty set means that the group exists and is rightly empty.
///
/// ```
/// use nodeset::{BoxError, Expression, GroupSource, Limits, Members};
///
/// struct Racks;
///
/// impl GroupSource for Racks {
///     fn group(&self, source: Option<&str>, group: &str) -> Result<Members, BoxError> {
///         match (source, group) {
///             (None | Some("rack"), "R01") => Ok("exe[01-18]".to_owned().into()),
///             _ => Err(format!("no group {group}").into()),
///         }
///     }
///
///     fn all(&self, _source: Option<&str>) -> Result<Members, BoxError> {
///         Ok("@R01,login".to_owned().into())
///     }
/// }
///
/// let rack = Expression::parse("@rack:R01!exe03")?.evaluate(&Racks, Limits::default())?;
/// assert_eq!(rack.to_string(), "exe[01-02,04-18]");
/// let few = Expression::parse("exe0*&@*")?.evaluate(&Racks, Limits::default())?;
/// assert_eq!(few.to_string(), "exe[01-09]");
/// # Ok::<(), nodeset::Error>(())
/// ```
pub trait GroupSource {
    /// The members of `@group` (no source) or `@source:group`.
    fn group(&self, source: Option<&str>, group: &str) -> Result<Members, BoxError>;

    /// Every node of the default source (`@*`, and what wildcards are matched with) or of a named
    /// one (`@source:*`).
    fn all(&self, source: Option<&str>) -> Result<Members, BoxError>;
}

/// What a group holds.
#[derive(Debug, Clone)]
pub enum Members {
    /// The nodes themselves.
    Nodes(NodeSet),
    /// An expression, evaluated under the limits of the one that named the group. It may name
    /// further groups; those without a source are looked up in the source this text came from.
    Expression(String),
}

impl From<NodeSet> for Members {
    fn from(nodes: NodeSet) -> Self {
        Self::Nodes(nodes)
    }
}

impl From<String> for Members {
    fn from(expression: String) -> Self {
        Self::Expression(expression)
    }
}

/// The source for places where groups make no sense: every group is refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoGroups;

impl GroupSource for NoGroups {
    fn group(&self, _source: Option<&str>, _group: &str) -> Result<Members, BoxError> {
        Err("groups cannot be used here".into())
    }

    fn all(&self, _source: Option<&str>) -> Result<Members, BoxError> {
        Err("groups and wildcards cannot be used here".into())
    }
}
