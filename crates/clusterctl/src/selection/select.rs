//! From text to nodes.

use std::collections::HashSet;
use std::path::Path;

use nodeset::{Expression, Limits};

use crate::selection::error::SelectError;
use crate::selection::fold::fold;
use crate::selection::sources::Sources;
use crate::site::{Node, NodeName, Site};

/// At least one node, each once, in natural order.
#[derive(Debug, Clone)]
pub struct Selection {
    nodes: Vec<Node>,
}

impl Selection {
    /// These nodes; `None` when there is none.
    pub fn of(nodes: impl IntoIterator<Item = Node>) -> Option<Selection> {
        let mut nodes: Vec<Node> = nodes.into_iter().collect();
        // Mostly they are in order already, which this sort is quick on.
        nodes.sort_by(|left, right| left.name().cmp(right.name()));
        nodes.dedup();
        if nodes.is_empty() { None } else { Some(Selection { nodes }) }
    }

    /// The nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many.
    #[expect(clippy::len_without_is_empty, reason = "a selection is never empty")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Their names, in order.
    pub fn names(&self) -> Vec<String> {
        self.nodes.iter().map(|node| node.name().to_string()).collect()
    }

    /// Their names as one folded set.
    pub fn fold(&self) -> String {
        fold(&self.names())
    }
}

/// The nodes that an expression names.
pub fn select(site: &Site, text: &str, sources: &Sources<'_>) -> Result<Selection, SelectError> {
    let nodes = nodes(site, text, sources)?;
    Selection::of(nodes).ok_or_else(|| SelectError::Empty(text.to_owned()))
}

/// The nodes of a selection that another expression does not name.
pub fn exclude(
    site: &Site,
    selection: Selection,
    text: &str,
    sources: &Sources<'_>,
) -> Result<Selection, SelectError> {
    let out = nodes(site, text, sources)?;
    let out: HashSet<&NodeName> = out.iter().map(Node::name).collect();
    let kept = selection.nodes.into_iter().filter(|node| !out.contains(node.name()));
    Selection::of(kept).ok_or_else(|| SelectError::Empty(format!("… without {text}")))
}

/// The nodes of a file: a node set a line, `#` begins a comment.
pub fn select_hostfile(
    site: &Site,
    path: &Path,
    sources: &Sources<'_>,
) -> Result<Selection, SelectError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| SelectError::Hostfile { path: path.to_owned(), source })?;
    let mut all = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            all.extend(nodes(site, line, sources)?);
        }
    }
    Selection::of(all).ok_or_else(|| SelectError::Empty(path.display().to_string()))
}

fn nodes(site: &Site, text: &str, sources: &Sources<'_>) -> Result<Vec<Node>, SelectError> {
    let wrong = |source| SelectError::Expression { text: text.to_owned(), source };
    let set = Expression::parse(text)
        .and_then(|expression| expression.evaluate(sources, Limits::default()))
        .map_err(wrong)?;
    let machine = |name: &nodeset::Name| {
        site.machine(name.as_str())
            .map_err(|source| SelectError::Name { text: text.to_owned(), source })
    };
    set.iter().map(machine).collect()
}
