//! Draining and resuming nodes.

use crate::frame::Frame;
use crate::names::NodeNames;
use crate::node::{Node, NodeQuery};
use crate::reason::Reason;
use crate::state::BaseState;

/// A change to nodes, made by `scontrol`.
///
/// Ask [`Change::read_back`] before the change too: a name that is missing in its answer
/// ([`NodeNames::missing_in`]) is no node to Slurm, and may be a `NodeSet` that stands for many.
///
/// `scontrol` exits 1 with one error for the whole list although some of the nodes were changed
/// (observed: Slurm 22.05). After a failure the read-back and [`Change::holds`] tell which.
///
/// ```
/// use slurm_query::{Change, NodeNames};
///
/// let nodes = NodeNames::new(["exe0007"])?;
/// let change = Change::Drain { nodes, reason: "bad dimm".parse()? };
/// assert_eq!(
///     change.commands(),
///     [["scontrol", "update", "NodeName=exe0007", "State=DRAIN", "Reason=bad dimm"]]
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// No new job starts on these nodes; running jobs finish.
    Drain {
        /// The nodes.
        nodes: NodeNames,
        /// Why.
        reason: Reason,
    },
    /// These nodes take jobs again. Slurm refuses it for a node that is not drained, down, failing
    /// or rebooting ("Invalid node state specified").
    Resume {
        /// The nodes.
        nodes: NodeNames,
    },
}

impl Change {
    /// The nodes it is about.
    pub fn nodes(&self) -> &NodeNames {
        match self {
            Change::Drain { nodes, .. } | Change::Resume { nodes } => nodes,
        }
    }

    /// The argument vectors to run one after the other: one, unless the list of nodes is longer
    /// than an argument may be.
    pub fn commands(&self) -> Vec<Vec<String>> {
        let rest = match self {
            Change::Drain { reason, .. } => {
                vec!["State=DRAIN".to_owned(), format!("Reason={reason}")]
            }
            Change::Resume { .. } => vec!["State=RESUME".to_owned()],
        };
        let command = |list| {
            let mut argv = vec!["scontrol".to_owned(), "update".to_owned()];
            argv.push(format!("NodeName={list}"));
            argv.extend(rest.iter().cloned());
            argv
        };
        self.nodes().arguments().into_iter().map(command).collect()
    }

    /// Asks how these nodes are.
    pub fn read_back(&self, frame: Frame) -> NodeQuery {
        NodeQuery::of(frame, self.nodes().clone())
    }

    /// True if a node is as this change makes it: drained with this reason, or neither drained,
    /// down nor failing.
    pub fn holds(&self, node: &Node) -> bool {
        match self {
            Change::Drain { reason, .. } => {
                node.state.is_drain() && node.reason.as_deref() == Some(reason.as_str())
            }
            Change::Resume { .. } => !matches!(
                node.state.base(),
                BaseState::Drained
                    | BaseState::Draining
                    | BaseState::Down
                    | BaseState::Error
                    | BaseState::Fail
                    | BaseState::Failing
                    | BaseState::Inval
                    | BaseState::Other(_)
            ),
        }
    }
}
