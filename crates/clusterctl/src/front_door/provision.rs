//! Which operation a command of reinstalling is.

use crate::cli::{NodeSet, ProvisionCommand};
use crate::exit::Stop;
use crate::front_door::dispatch::{Operand, loss};
use crate::ops;
use crate::output::Outcome;
use crate::session::Session;

/// The command's words.
pub(super) fn name(command: &ProvisionCommand) -> &'static str {
    match command {
        ProvisionCommand::Reinstall(_) => "provision reinstall",
        ProvisionCommand::Status { .. } => "provision status",
    }
}

/// The node set among the operands.
pub(super) fn operand(command: &ProvisionCommand) -> Operand<'_> {
    match command {
        ProvisionCommand::Reinstall(args) => Operand::NodeSet(args.nodeset.as_deref()),
        ProvisionCommand::Status { nodeset } => Operand::NodeSet(nodeset.as_deref()),
    }
}

/// Carries a command out.
pub(super) fn carry_out(
    session: &Session,
    command: ProvisionCommand,
    nodes: &NodeSet,
) -> Result<Outcome, Stop> {
    match command {
        ProvisionCommand::Reinstall(args) => {
            let options = ops::reinstall::Options {
                boot_path: args.boot_path,
                keep_host_keys: args.keep_host_keys,
                no_reset: args.no_reset,
                loss: loss(args.lose_jobs),
            };
            ops::reinstall::reinstall(session, session.select(nodes)?, &options)
        }
        ProvisionCommand::Status { .. } => {
            ops::provision_status::provision_status(session, &session.select(nodes)?)
        }
    }
}
