//! Which operation a command of the DHCP server is.

use std::path::Path;

use crate::cli::{DhcpCommand, NodeSet};
use crate::exit::Stop;
use crate::front_door::dispatch::Operand;
use crate::ops;
use crate::output::Outcome;
use crate::session::Session;

/// The node set among the operands.
pub(super) fn operand(command: &DhcpCommand) -> Operand<'_> {
    match command {
        DhcpCommand::Hosts { nodeset, .. } => Operand::NodeSet(nodeset.as_deref()),
        DhcpCommand::Config { .. }
        | DhcpCommand::Check { .. }
        | DhcpCommand::Log { .. }
        | DhcpCommand::Capture { .. } => Operand::NoNodes,
    }
}

/// Carries a command out.
pub(super) fn carry_out(
    session: &Session,
    command: &DhcpCommand,
    nodes: &NodeSet,
    working_directory: &Path,
) -> Result<Outcome, Stop> {
    match command {
        DhcpCommand::Hosts { file, .. } => {
            let nodes = ops::dhcp::Wanted::of(&session.select(nodes)?);
            let set = match file {
                Some(file) => ops::dhcp::read_file(file, working_directory)?,
                None => ops::dhcp::fetch(session)?,
            };
            Ok(ops::dhcp::hosts(&set, &nodes))
        }
        DhcpCommand::Config { .. } => Ok(ops::dhcp::config(&ops::dhcp::fetch(session)?)),
        DhcpCommand::Check { .. } => ops::dhcp::check(session),
        DhcpCommand::Log { lines } => ops::logs::dhcp(session, *lines),
        DhcpCommand::Capture { interface, seconds } => {
            ops::dhcp::capture(session, interface.as_deref(), *seconds)
        }
    }
}
