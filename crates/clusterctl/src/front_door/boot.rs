//! Which operation a command of boot links is.

use crate::cli::{BootCommand, NodeSet};
use crate::exit::Stop;
use crate::front_door::dispatch::Operand;
use crate::ops;
use crate::output::Outcome;
use crate::session::Session;

/// The command's words.
pub(super) fn name(command: &BootCommand) -> &'static str {
    match command {
        BootCommand::Set(_) => "boot set",
        BootCommand::Unset { .. } => "boot unset",
        BootCommand::Status { .. } | BootCommand::List | BootCommand::Log { .. } => "boot",
    }
}

/// The node set among the operands.
pub(super) fn operand(command: &BootCommand) -> Operand<'_> {
    match command {
        BootCommand::Set(args) => Operand::NodeSet(args.split().0),
        BootCommand::Status { nodeset } | BootCommand::Unset { nodeset } => {
            Operand::NodeSet(nodeset.as_deref())
        }
        BootCommand::List | BootCommand::Log { .. } => Operand::NoNodes,
    }
}

/// Carries a command out.
pub(super) fn carry_out(
    session: &Session,
    command: &BootCommand,
    nodes: &NodeSet,
) -> Result<Outcome, Stop> {
    match command {
        BootCommand::Status { .. } => {
            ops::boot::status(session, session.select_if_any(nodes)?.as_ref())
        }
        BootCommand::Set(args) => {
            ops::boot::set(session, session.select(nodes)?, args.split().1, args.persistent)
        }
        BootCommand::Unset { .. } => ops::boot::unset(session, session.select(nodes)?),
        BootCommand::List => ops::boot::list(session),
        BootCommand::Log { lines } => ops::logs::boot(session, *lines),
    }
}
