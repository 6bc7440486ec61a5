//! Which operation a command of Slurm is.

use crate::cli::{NodeSet, SlurmCommand, SlurmNodeCommand};
use crate::exit::Stop;
use crate::front_door::dispatch::Operand;
use crate::ops;
use crate::output::Outcome;
use crate::session::Session;

/// The command's words.
pub(super) fn name(command: &SlurmCommand) -> &'static str {
    match command {
        SlurmCommand::Node(SlurmNodeCommand::Drain { .. }) => "slurm node drain",
        SlurmCommand::Node(SlurmNodeCommand::Resume { .. }) => "slurm node resume",
        SlurmCommand::Node(SlurmNodeCommand::List { .. }) => "slurm",
    }
}

/// The node set among the operands.
pub(super) fn operand(command: &SlurmCommand) -> Operand<'_> {
    match command {
        SlurmCommand::Node(
            SlurmNodeCommand::List { nodeset, .. }
            | SlurmNodeCommand::Drain { nodeset, .. }
            | SlurmNodeCommand::Resume { nodeset },
        ) => Operand::NodeSet(nodeset.as_deref()),
    }
}

/// Carries a command out.
pub(super) fn carry_out(
    session: &Session,
    command: SlurmCommand,
    nodes: &NodeSet,
) -> Result<Outcome, Stop> {
    match command {
        SlurmCommand::Node(command) => node(session, command, nodes),
    }
}

fn node(session: &Session, command: SlurmNodeCommand, nodes: &NodeSet) -> Result<Outcome, Stop> {
    match command {
        SlurmNodeCommand::List { state, .. } => {
            let selection = session.select_if_any(nodes)?;
            ops::slurm::list(session, selection.as_ref(), state.as_deref())
        }
        SlurmNodeCommand::Drain { reason, .. } => {
            ops::slurm::drain(session, session.select(nodes)?, &reason)
        }
        SlurmNodeCommand::Resume { .. } => ops::slurm::resume(session, session.select(nodes)?),
    }
}
