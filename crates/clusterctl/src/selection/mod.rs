//! To be filled.

/// The nodes as one folded set.
pub fn fold(nodes: &[String]) -> String {
    nodes.join(",")
}
