//! Which operation a command of service processors is.

use crate::cli::{
    BmcBootCommand, BmcCommand, EventsCommand, MediaCommand, Mode, NodeSet, RedfishCommand,
};
use crate::exit::Stop;
use crate::front_door::dispatch::{Operand, loss};
use crate::ops;
use crate::output::Outcome;
use crate::session::Session;

/// The command's words.
pub(super) fn name(command: &BmcCommand) -> &'static str {
    match command {
        BmcCommand::Power(_) => "bmc power",
        BmcCommand::Boot(BmcBootCommand::Set { .. }) => "bmc boot set",
        BmcCommand::Boot(BmcBootCommand::Unset { .. }) => "bmc boot unset",
        BmcCommand::Redfish(RedfishCommand::Post { .. }) => "bmc redfish post",
        BmcCommand::Forget { .. } => "bmc forget",
        BmcCommand::Led { .. } => "bmc led",
        BmcCommand::Events(EventsCommand::Clear { .. }) => "bmc events clear",
        BmcCommand::Media(MediaCommand::Insert { .. }) => "bmc media insert",
        BmcCommand::Media(MediaCommand::Eject { .. }) => "bmc media eject",
        _ => "bmc",
    }
}

/// The node set among the operands.
pub(super) fn operand(command: &BmcCommand) -> Operand<'_> {
    let nodeset = match command {
        BmcCommand::Power(args) => &args.nodeset,
        BmcCommand::Status { nodeset, .. }
        | BmcCommand::Led { nodeset, .. }
        | BmcCommand::Sensors { nodeset, .. }
        | BmcCommand::Firmware { nodeset }
        | BmcCommand::Ping { nodeset }
        | BmcCommand::Doctor { nodeset }
        | BmcCommand::Events(
            EventsCommand::List { nodeset, .. } | EventsCommand::Clear { nodeset },
        )
        | BmcCommand::Media(
            MediaCommand::Status { nodeset }
            | MediaCommand::Insert { nodeset, .. }
            | MediaCommand::Eject { nodeset, .. },
        )
        | BmcCommand::Redfish(
            RedfishCommand::Get { nodeset, .. }
            | RedfishCommand::Post { nodeset, .. }
            | RedfishCommand::Info { nodeset },
        )
        | BmcCommand::Boot(
            BmcBootCommand::Show { nodeset, .. }
            | BmcBootCommand::Set { nodeset, .. }
            | BmcBootCommand::Unset { nodeset, .. },
        ) => nodeset,
        BmcCommand::Forget { names } if names.is_empty() => &None,
        BmcCommand::Forget { .. } | BmcCommand::Web { .. } => return Operand::NoNodes,
    };
    Operand::NodeSet(nodeset.as_deref())
}

/// Carries a command out.
pub(super) fn carry_out(
    session: &Session,
    command: BmcCommand,
    nodes: &NodeSet,
) -> Result<Outcome, Stop> {
    match command {
        BmcCommand::Status { way, .. } => {
            ops::bmc::status(session, &session.select(nodes)?, way.ipmi)
        }
        BmcCommand::Power(args) => {
            let options = ops::bmc::PowerOptions {
                action: args.action,
                loss: loss(args.lose_jobs),
                batch: args.batch,
                stagger: args.stagger,
                verify: args.verify.then_some(args.within),
                only_ipmi: args.way.ipmi,
            };
            ops::bmc::power(session, session.select(nodes)?, &options)
        }
        BmcCommand::Boot(BmcBootCommand::Show { way, .. }) => {
            ops::bmc::show(session, &session.select(nodes)?, way.ipmi)
        }
        BmcCommand::Boot(BmcBootCommand::Set {
            target,
            persistent,
            mode,
            even_if_not_listed,
            way,
            ..
        }) => {
            let options = ops::bmc::BootOptions {
                persistent,
                mode: mode.map(mode_of),
                unlisted: even_if_not_listed,
                only_ipmi: way.ipmi,
            };
            ops::bmc::set(session, session.select(nodes)?, &target, options)
        }
        BmcCommand::Boot(BmcBootCommand::Unset { way, .. }) => {
            ops::bmc::unset(session, session.select(nodes)?, way.ipmi)
        }
        BmcCommand::Redfish(RedfishCommand::Get { path, .. }) => {
            ops::bmc::get(session, &session.select(nodes)?, &path)
        }
        BmcCommand::Redfish(RedfishCommand::Post { path, body, lose_jobs, .. }) => {
            ops::bmc::post(session, session.select(nodes)?, &path, &body, loss(lose_jobs))
        }
        BmcCommand::Redfish(RedfishCommand::Info { .. }) => {
            ops::bmc::info(session, &session.select(nodes)?)
        }
        BmcCommand::Led { action, .. } if action == "status" => {
            ops::bmc::led_status(session, &session.select(nodes)?)
        }
        BmcCommand::Led { action, .. } => {
            let action = ops::bmc::led_action(&action)?;
            ops::bmc::led(session, session.select(nodes)?, action)
        }
        BmcCommand::Sensors { all_chassis, unhealthy, .. } => {
            let options = ops::bmc::SensorOptions { all_chassis, unhealthy };
            ops::bmc::sensors(session, &session.select(nodes)?, options)
        }
        BmcCommand::Events(EventsCommand::List { most, .. }) => {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            ops::bmc::events(session, &session.select(nodes)?, most)
        }
        BmcCommand::Events(EventsCommand::Clear { .. }) => {
            ops::bmc::clear_events(session, session.select(nodes)?)
        }
        BmcCommand::Firmware { .. } => ops::bmc::firmware(session, &session.select(nodes)?),
        BmcCommand::Media(MediaCommand::Status { .. }) => {
            ops::bmc::media_status(session, &session.select(nodes)?)
        }
        BmcCommand::Media(MediaCommand::Insert { image, slot, .. }) => {
            ops::bmc::insert_media(session, session.select(nodes)?, &image, slot.as_deref())
        }
        BmcCommand::Media(MediaCommand::Eject { slot, .. }) => {
            ops::bmc::eject_media(session, session.select(nodes)?, slot.as_deref())
        }
        BmcCommand::Ping { .. } => ops::bmc::ping(session, &session.select(nodes)?),
        BmcCommand::Doctor { .. } => ops::bmc::doctor(session, &session.select(nodes)?),
        BmcCommand::Forget { names } => {
            let whose = if names.is_empty() {
                ops::bmc::Whose::Nodes(session.select(nodes)?)
            } else {
                ops::bmc::Whose::Names(names)
            };
            ops::bmc::forget(session, whose)
        }
        BmcCommand::Web { node } => ops::bmc::web(session, &session.node(&node)?),
    }
}

fn mode_of(mode: Mode) -> redfish::BootMode {
    match mode {
        Mode::Uefi => redfish::BootMode::Uefi,
        Mode::Legacy => redfish::BootMode::Legacy,
    }
}
