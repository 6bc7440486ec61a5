//! Names as one folded set.

use nodeset::{Name, NodeSet};

/// The nodes as one folded set, in natural order; names that no set can hold stand as they are.
pub fn fold<S: AsRef<str>>(nodes: &[S]) -> String {
    let names: Result<Vec<Name>, _> = nodes.iter().map(|node| node.as_ref().parse()).collect();
    match names {
        Ok(names) => names.into_iter().collect::<NodeSet>().to_string(),
        Err(_) => nodes.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(","),
    }
}
