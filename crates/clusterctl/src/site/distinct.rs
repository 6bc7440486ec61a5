//! No two machines share a name that something is sent to.

use std::collections::HashMap;

use crate::config::Problem;
use crate::site::node::Node;
use crate::site::resolved::Site;

/// Service processors that are called like another machine, or like another's service processor:
/// a reset would reach the wrong one.
pub(crate) fn problems(site: &Site) -> Vec<Problem> {
    let mut problems = Vec::new();
    let nodes: Vec<Node> = site.nodes().collect();
    let mut owners: HashMap<&str, &Node> = HashMap::with_capacity(3 * nodes.len());
    for node in &nodes {
        owners.insert(node.name().as_str(), node);
        owners.insert(node.host().as_str(), node);
    }
    for node in &nodes {
        let (Ok(bmc), Some(entry)) = (node.bmc(), node.entry()) else { continue };
        let Some(owner) = owners.insert(bmc, node) else { continue };
        let place = owner.entry().map_or(String::new(), |entry| format!(" (at {})", entry.place));
        let message = if owner == node {
            format!("the service processor of {} is called {bmc}, as the node itself", node.name())
        } else {
            let other = owner.name();
            format!(
                "the service processor of {} is called {bmc}, which is {other}'s{place}",
                node.name()
            )
        };
        problems.push(Problem::at(&entry.place, message));
    }
    problems
}
