//! Which operation a command of host keys is.

use crate::cli::{HostkeyCommand, NodeSet};
use crate::exit::Stop;
use crate::front_door::dispatch::Operand;
use crate::ops;
use crate::output::Outcome;
use crate::session::Session;

/// The command's words.
pub(super) fn name(command: &HostkeyCommand) -> &'static str {
    match command {
        HostkeyCommand::Refresh { .. } => "hostkey refresh",
        HostkeyCommand::Remove { .. } => "hostkey remove",
        HostkeyCommand::List | HostkeyCommand::Scan { .. } | HostkeyCommand::Verify { .. } => {
            "hostkey"
        }
    }
}

/// The node set among the operands.
pub(super) fn operand(command: &HostkeyCommand) -> Operand<'_> {
    match command {
        HostkeyCommand::Scan { nodeset }
        | HostkeyCommand::Verify { nodeset }
        | HostkeyCommand::Refresh { nodeset }
        | HostkeyCommand::Remove { nodeset } => Operand::NodeSet(nodeset.as_deref()),
        HostkeyCommand::List => Operand::NoNodes,
    }
}

/// Carries a command out.
pub(super) fn carry_out(
    session: &Session,
    command: &HostkeyCommand,
    nodes: &NodeSet,
) -> Result<Outcome, Stop> {
    match command {
        HostkeyCommand::List => ops::hostkey::list(session),
        HostkeyCommand::Scan { .. } => ops::hostkey::scan(session, &session.select(nodes)?),
        HostkeyCommand::Verify { .. } => ops::hostkey::verify(session, &session.select(nodes)?),
        HostkeyCommand::Refresh { .. } => ops::hostkey::refresh(session, session.select(nodes)?),
        HostkeyCommand::Remove { .. } => ops::hostkey::remove(session, session.select(nodes)?),
    }
}
