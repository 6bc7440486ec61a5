//! Nodes, as `sinfo` lists them.

use std::collections::HashMap;
use std::collections::HashSet;
use std::collections::hash_map::Entry;

use crate::error::ParseError;
use crate::frame::{Frame, text};
use crate::names::NodeNames;
use crate::query::Query;
use crate::state::NodeState;

/// What `sinfo` says of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its name in Slurm.
    pub name: String,
    /// Its state.
    pub state: NodeState,
    /// Its partitions, hidden ones included.
    pub partitions: Vec<String>,
    /// How many CPUs it has.
    pub cpus: u32,
    /// Why it is down, drained or failing.
    pub reason: Option<String>,
    /// Who gave the reason.
    pub reason_by: Option<String>,
}

/// Asks for nodes, those in hidden partitions included, one answer per node.
///
/// A node that is in no partition is not listed: no job can run there.
///
/// ```
/// use slurm_query::{Frame, NodeNames, NodeQuery, Query};
///
/// let frame = Frame::from_token("00000000000000ff")?;
/// let query = NodeQuery::of(frame, NodeNames::new(["exe1", "evens"])?);
/// assert_eq!(query.argv()[..6], ["sinfo", "-a", "-N", "-h", "-n", "exe1,evens"]);
/// # let printed = "|node|exe1|drained|main|4|bad dimm|root|\n|node|exe1|drained|gpu|4|bad dimm|root|\n"
/// #     .replace('|', "00000000000000ff");
/// let nodes = query.parse(printed.as_bytes())?;
/// assert_eq!(nodes.len(), 1);
/// assert_eq!(nodes[0].partitions, ["main", "gpu"]);
/// assert_eq!(nodes[0].reason.as_deref(), Some("bad dimm"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct NodeQuery {
    frame: Frame,
    names: Option<NodeNames>,
}

const KIND: &str = "node";
/// Name, long state, partition without the default's `*`, CPUs, reason, who gave it.
const FIELDS: [&str; 6] = ["%N", "%T", "%R", "%c", "%E", "%u"];

impl NodeQuery {
    /// Every node.
    pub fn all(frame: Frame) -> NodeQuery {
        NodeQuery { frame, names: None }
    }

    /// These nodes. What Slurm does not know as a node is missing in the answer.
    pub fn of(frame: Frame, names: NodeNames) -> NodeQuery {
        NodeQuery { frame, names: Some(names) }
    }
}

impl Query for NodeQuery {
    /// In the order `sinfo` lists them.
    type Answer = Vec<Node>;

    fn argv(&self) -> Vec<String> {
        let mut argv = ["sinfo", "-a", "-N", "-h"].map(str::to_owned).to_vec();
        // A list too long for an argument: every node is asked for, and the answer is sifted.
        if let Some(list) = self.names.as_ref().and_then(NodeNames::argument) {
            argv.extend(["-n".to_owned(), list]);
        }
        argv.extend(["-o".to_owned(), self.frame.format(KIND, &FIELDS)]);
        argv
    }

    fn parse(&self, stdout: &[u8]) -> Result<Vec<Node>, ParseError> {
        let wanted: Option<HashSet<&str>> = self.names.as_ref().map(|names| names.iter().collect());
        let output = text(stdout);
        let records = self.frame.records(&output, |kind| (kind == KIND).then_some(FIELDS.len()))?;
        let mut nodes: Vec<Node> = Vec::new();
        let mut positions: HashMap<&str, usize> = HashMap::new();
        for record in &records {
            let [name, state, partition, cpus, reason, by] = record.fields[..] else {
                return Err(ParseError::Form);
            };
            if wanted.as_ref().is_some_and(|wanted| !wanted.contains(name)) {
                continue;
            }
            match positions.entry(name) {
                Entry::Occupied(position) => {
                    nodes[*position.get()].partitions.push(partition.to_owned());
                }
                Entry::Vacant(vacant) => {
                    vacant.insert(nodes.len());
                    nodes.push(node(name, state, partition, cpus, reason, by)?);
                }
            }
        }
        Ok(nodes)
    }
}

fn node(
    name: &str,
    state: &str,
    partition: &str,
    cpus: &str,
    reason: &str,
    by: &str,
) -> Result<Node, ParseError> {
    let Ok(state) = state.parse::<NodeState>();
    let cpus =
        cpus.parse().map_err(|_| ParseError::Field { field: "CPUS", value: cpus.to_owned() })?;
    // sinfo prints the word "none" where there is no reason (sinfo(1), %E).
    let reason = (reason != "none" && !reason.is_empty()).then(|| reason.to_owned());
    let reason_by = reason.is_some().then(|| by.to_owned()).filter(|by| !by.is_empty());
    let partitions = vec![partition.to_owned()];
    Ok(Node { name: name.to_owned(), state, partitions, cpus, reason, reason_by })
}
