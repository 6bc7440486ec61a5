//! Which operation a command is: one file a noun.

use std::path::Path;

use crate::cli::{Command, Global, NodeSet};
use crate::config::Inputs;
use crate::exit::Stop;
use crate::front_door::{bmc, boot, dhcp, exec, hostkey, node, nodes, provision, slurm};
use crate::ops::slurm::JobLoss;
use crate::output::Outcome;
use crate::session::Session;

/// What a command takes beside its own operands.
#[derive(Debug, Clone, Copy)]
pub(super) enum Operand<'a> {
    /// A node set, which may stand in place of -n.
    NodeSet(Option<&'a str>),
    /// No nodes at all: -n is refused.
    NoNodes,
}

/// The command's words, for the journal.
pub(super) fn name(command: &Command) -> &'static str {
    match command {
        Command::Provision(command) => provision::name(command),
        Command::Boot(command) => boot::name(command),
        Command::Bmc(command) => bmc::name(command),
        Command::Dhcp(_) => "dhcp",
        Command::Slurm(command) => slurm::name(command),
        Command::Node(_) => "node",
        Command::Hostkey(command) => hostkey::name(command),
        Command::Exec(_) => "exec",
        Command::Config(_) => "config",
    }
}

/// The node set a command was given.
pub(super) fn node_set(
    command: &Command,
    global: &Global,
    inputs: &Inputs,
) -> Result<NodeSet, Stop> {
    let operand = match command {
        Command::Provision(command) => provision::operand(command),
        Command::Boot(command) => boot::operand(command),
        Command::Bmc(command) => bmc::operand(command),
        Command::Dhcp(command) => dhcp::operand(command),
        Command::Slurm(command) => slurm::operand(command),
        Command::Node(command) => node::operand(command),
        Command::Hostkey(command) => hostkey::operand(command),
        Command::Exec(args) => Operand::NodeSet(args.nodeset.as_deref()),
        Command::Config(_) => Operand::NoNodes,
    };
    match operand {
        Operand::NodeSet(argument) => nodes(global, argument, inputs),
        Operand::NoNodes => {
            global.refuse_node_set()?;
            Ok(NodeSet::default())
        }
    }
}

/// Carries a command out.
pub(super) fn carry_out(
    session: &Session,
    command: Command,
    nodes: &NodeSet,
    working_directory: &Path,
) -> Result<Outcome, Stop> {
    match command {
        Command::Provision(command) => provision::carry_out(session, command, nodes),
        Command::Boot(command) => boot::carry_out(session, &command, nodes),
        Command::Bmc(command) => bmc::carry_out(session, command, nodes),
        Command::Dhcp(command) => dhcp::carry_out(session, &command, nodes, working_directory),
        Command::Slurm(command) => slurm::carry_out(session, command, nodes),
        Command::Node(command) => node::carry_out(session, &command, nodes),
        Command::Hostkey(command) => hostkey::carry_out(session, &command, nodes),
        Command::Exec(args) => exec::carry_out(session, args, nodes),
        // Handled before there is a session.
        Command::Config(_) => Ok(Outcome::default()),
    }
}

/// What a flag says about jobs that would be lost.
pub(super) fn loss(accepted: bool) -> JobLoss {
    if accepted { JobLoss::Accepted } else { JobLoss::Refused }
}
