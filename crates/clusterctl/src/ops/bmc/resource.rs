//! `bmc redfish`: any resource read, any action sent, and what a machine is.

use redfish::{Accepted, Reply, ResetType, ResourcePath, System};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::cause::Cause;
use crate::exit::Stop;
use crate::ops::bmc::change::{Change, Done, change, failures, sent_or_unknown};
use crate::ops::bmc::fan_out;
use crate::ops::slurm::JobLoss;
use crate::output::{Column, Outcome, Output, Table, escape};
use crate::selection::Selection;
use crate::session::Session;

/// A resource of every machine, as an object by node.
pub fn get(session: &Session, selection: &Selection, path: &str) -> Result<Outcome, Stop> {
    let path = resource(path)?;
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers = fan_out::ask(session, &connections, selection.nodes(), |bmc| bmc.get(&path));
    let done = selection.names().into_iter().zip(answers).collect();
    Ok(by_node(done, &format!("reading {path}"), |value| value))
}

/// Sends an action to every machine, once. Unless the action is known to leave the machine alone,
/// Slurm is asked as before a reset: vendors have power buttons of their own.
pub fn post(
    session: &Session,
    selection: Selection,
    path: &str,
    body: &str,
    loss: JobLoss,
) -> Result<Outcome, Stop> {
    let path = resource(path)?;
    let body: Value = serde_json::from_str(body)
        .map_err(|error| Stop::usage(format!("the body is not JSON: {error}")))?;
    if !body.is_object() {
        return Err(Stop::usage("the body of an action is a JSON object, such as {}"));
    }
    let plan = Change {
        action: format!("post {body} to {path} of"),
        details: Vec::new(),
        loss: (!leaves_the_machine_alone(&path)).then_some(loss),
    };
    let act = |bmc: &redfish::Bmc<_>| bmc.post(&path, &body).map_err(|e| sent_or_unknown(&e));
    change(session, selection, plan, act, |done| {
        by_node(done, &format!("posting to {path}"), |reply| told(&reply))
    })
}

/// What the machines are.
pub fn info(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers = fan_out::ask(session, &connections, selection.nodes(), redfish::Bmc::system);
    let done: Done<System> = selection.names().into_iter().zip(answers).collect();
    let mut table = Table::new([
        Column::new("NODE"),
        Column::new("POWER"),
        Column::new("HEALTH"),
        Column::wide("MANUFACTURER"),
        Column::new("MODEL"),
        Column::wide("SERIAL"),
        Column::new("BIOS"),
        Column::wide("RESET TYPES"),
        Column::new("ERROR"),
    ]);
    let rows: Vec<Row> = done.iter().map(|(node, answer)| Row::of(node, answer)).collect();
    for row in &rows {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        table.push([
            row.node.clone(),
            text(&row.power),
            text(&row.health),
            text(&row.manufacturer),
            text(&row.model),
            text(&row.serial),
            text(&row.bios),
            row.reset_types.as_ref().map(|types| types.join(",")).unwrap_or_default(),
            text(&row.error),
        ]);
    }
    let stop = fan_out::stop_for("reading the system", &failures(&done));
    let output = Output::table(table, &rows).with_nodes(selection.names());
    Ok(Outcome::of(output).with_stop(stop))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: String,
    power: Option<String>,
    health: Option<String>,
    manufacturer: Option<String>,
    model: Option<String>,
    serial: Option<String>,
    bios: Option<String>,
    reset_types: Option<Vec<String>>,
    system: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Row {
    fn of(node: &str, answer: &Result<System, Cause>) -> Row {
        let system = answer.as_ref().ok();
        let types = |types: Vec<ResetType>| types.iter().map(|t| t.as_str().to_owned()).collect();
        Row {
            node: node.to_owned(),
            power: system.map(|system| system.power_state().to_string()),
            health: system.and_then(System::health),
            manufacturer: system.and_then(System::manufacturer),
            model: system.and_then(System::model),
            serial: system.and_then(System::serial_number),
            bios: system.and_then(System::bios_version),
            reset_types: system.and_then(System::reset_types).map(types),
            system: system.map(|system| system.path().to_string()),
            error: answer.as_ref().err().map(|cause| cause.detail.clone()),
        }
    }
}

fn resource(path: &str) -> Result<ResourcePath, Stop> {
    path.parse().map_err(|error| Stop::usage(format!("{path:?}: {error}")))
}

/// Actions that change neither the power nor the system of a machine (DSP0268: `LogService`,
/// `VirtualMedia`, `EventService`). Everything else may be a vendor's power button.
fn leaves_the_machine_alone(path: &ResourcePath) -> bool {
    const HARMLESS: [&str; 4] = [
        "LogService.ClearLog",
        "VirtualMedia.InsertMedia",
        "VirtualMedia.EjectMedia",
        "EventService.SubmitTestEvent",
    ];
    HARMLESS.contains(&path.id()) && path.as_str().contains("/Actions/")
}

fn told(reply: &Reply) -> Value {
    let task = match &reply.accepted {
        Accepted::Task(task) => task.as_ref().map(ToString::to_string),
        Accepted::Done => None,
    };
    let accepted = if matches!(reply.accepted, Accepted::Done) { "done" } else { "accepted" };
    json!({
        "result": accepted,
        "status": reply.status,
        "task": task,
        "body": reply.body,
    })
}

/// One JSON object with a member a node, which is the text for people, too.
fn by_node<R>(done: Done<R>, doing: &str, shown: impl Fn(R) -> Value) -> Outcome {
    let failures = failures(&done);
    let nodes: Vec<String> = done.iter().map(|(node, _)| node.clone()).collect();
    let member = |(node, result): (String, Result<R, Cause>)| {
        let value = result.map_or_else(|cause| json!({"error": cause.detail}), &shown);
        (node, value)
    };
    let object: Map<String, Value> = done.into_iter().map(member).collect();
    let text = serde_json::to_string_pretty(&object).unwrap_or_default();
    let output = Output::text(escape::lines(&text) + "\n", &object).with_nodes(nodes);
    Outcome::of(output).with_stop(fan_out::stop_for(doing, &failures))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sc10_only_actions_that_are_known_to_be_harmless_go_without_slurm() {
        let alone = |path: &str| leaves_the_machine_alone(&path.parse().unwrap());
        for path in [
            "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset",
            "/redfish/v1/Systems/1/Actions/ComputerSystem%2EReset",
            "/redfish/v1/Systems/1/Actions/Oem/Hpe/HpeComputerSystemExt.PowerButton",
            "/redfish/v1/Managers/1/Actions/Oem/Dell/DellManager.SetCustomDefaults",
            "/redfish/v1/Managers/1/Actions/Manager.Reset",
            "/redfish/v1/Chassis/1/Actions/Chassis.Reset?x=/LogService.ClearLog",
            "/redfish/v1/Chassis/LogService.ClearLog",
            "/redfish/v1/Systems",
        ] {
            assert!(!alone(path), "{path}");
        }
        assert!(alone("/redfish/v1/Systems/1/LogServices/SEL/Actions/LogService.ClearLog"));
    }
}
