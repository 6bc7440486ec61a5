//! Which operation a command of the inventory's nodes is.

use crate::cli::{NodeCommand, NodeSet};
use crate::exit::Stop;
use crate::front_door::dispatch::Operand;
use crate::ops;
use crate::output::Outcome;
use crate::session::Session;

/// The node set among the operands.
pub(super) fn operand(command: &NodeCommand) -> Operand<'_> {
    match command {
        NodeCommand::List { nodeset } | NodeCommand::Fqdn { nodeset, .. } => {
            Operand::NodeSet(nodeset.as_deref())
        }
        NodeCommand::Select { expression, .. } => Operand::NodeSet(expression.as_deref()),
        NodeCommand::Attrs { .. }
        | NodeCommand::Rack { .. }
        | NodeCommand::Groups { .. }
        | NodeCommand::Describe { .. } => Operand::NoNodes,
    }
}

/// Carries a command out.
pub(super) fn carry_out(
    session: &Session,
    command: &NodeCommand,
    nodes: &NodeSet,
) -> Result<Outcome, Stop> {
    match command {
        NodeCommand::Select { expand, count, .. } => {
            let form = match (expand, count) {
                (true, _) => ops::node::Form::Expanded,
                (_, true) => ops::node::Form::Count,
                _ => ops::node::Form::Folded,
            };
            Ok(ops::node::select(&session.select(nodes)?, form))
        }
        NodeCommand::List { .. } => {
            ops::node::list(session, session.select_if_any(nodes)?.as_ref())
        }
        NodeCommand::Fqdn { bmc, .. } => {
            ops::node::fqdn(session, session.select_if_any(nodes)?.as_ref(), *bmc)
        }
        NodeCommand::Attrs { key } => ops::inventory::attributes(session, key.as_deref()),
        NodeCommand::Rack { rack } => ops::inventory::racks(session, rack.as_deref()),
        NodeCommand::Groups { node: Some(name) } => {
            ops::node::groups(session, Some(&session.node(name)?))
        }
        NodeCommand::Groups { node: None } => ops::node::groups(session, None),
        NodeCommand::Describe { node } => ops::node::describe(session, &session.node(node)?),
    }
}
