//! `bmc events`: the system event log, and no other.

use redfish::{Accepted, Event, EventLog, EventsCleared};
use serde::Serialize;

use crate::cause::Cause;
use crate::exit::Stop;
use crate::ops::bmc::change::{Change, Done, change, failures, sent_or_unknown};
use crate::ops::bmc::fan_out;
use crate::ops::bmc::listing::{cell, listing};
use crate::output::{Column, Outcome, Output, Table};
use crate::selection::{Selection, fold};
use crate::session::Session;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    id: String,
    created: Option<String>,
    severity: Option<String>,
    message: String,
    message_id: Option<String>,
}

/// The entries of every machine's log, at most so many, in the order of its service processor.
pub fn events(session: &Session, selection: &Selection, most: usize) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers = fan_out::ask(session, &connections, selection.nodes(), |bmc| bmc.events(most));
    let done: Done<EventLog> = selection.names().into_iter().zip(answers).collect();
    let is_cut = |result: &Result<EventLog, Cause>| result.as_ref().is_ok_and(|l| !l.is_complete);
    let cut: Vec<String> =
        done.iter().filter(|(_, result)| is_cut(result)).map(|(node, _)| node.clone()).collect();
    let columns = [
        Column::wide("ID"),
        Column::new("CREATED"),
        Column::new("SEVERITY"),
        Column::new("MESSAGE"),
        Column::wide("MESSAGE ID"),
    ];
    let rows = |log: EventLog| log.events.into_iter().map(row).collect::<Vec<Row>>();
    let done = done.into_iter().map(|(node, result)| (node, result.map(rows))).collect();
    let outcome = listing(&done, "reading the event log", &columns, |row| {
        vec![
            row.id.clone(),
            cell(row.created.as_ref()),
            cell(row.severity.as_ref()),
            row.message.clone(),
            cell(row.message_id.as_ref()),
        ]
    });
    if cut.is_empty() {
        return Ok(outcome);
    }
    Ok(outcome.with_note(format!(
        "{} {} more entries",
        fold(&cut),
        crate::output::plural::of(cut.len(), "has", "have")
    )))
}

fn row(event: Event) -> Row {
    Row {
        id: event.id,
        created: event.created,
        severity: event.severity,
        message: event.message,
        message_id: event.message_id,
    }
}

#[derive(Debug, Serialize)]
struct Cleared {
    node: String,
    log: Option<String>,
    result: String,
    left: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Clears the system event log of every machine, once.
pub fn clear_events(session: &Session, selection: Selection) -> Result<Outcome, Stop> {
    let plan =
        Change::harmless("clear the system event log of").with_detail("its entries are lost");
    let act = |bmc: &redfish::Bmc<_>| bmc.clear_events().map_err(|error| sent_or_unknown(&error));
    change(session, selection, plan, act, |done| {
        let failures = failures(&done);
        let rows: Vec<Cleared> = done.into_iter().map(cleared).collect();
        let mut table = Table::titled(&["NODE", "RESULT", "LEFT", "ERROR"]);
        for row in &rows {
            let left = row.left.map(|left| left.to_string()).unwrap_or_default();
            let error = row.error.clone().unwrap_or_default();
            table.push([row.node.clone(), row.result.clone(), left, error]);
        }
        let nodes: Vec<String> = rows.iter().map(|row| row.node.clone()).collect();
        let stop = fan_out::stop_for("clearing the event log", &failures);
        Outcome::of(Output::table(table, &rows).with_nodes(nodes)).with_stop(stop)
    })
}

fn cleared((node, result): (String, Result<EventsCleared, Cause>)) -> Cleared {
    match result {
        Ok(done) => {
            let is_done = matches!(done.accepted, Accepted::Done);
            let result = if is_done { "cleared" } else { "accepted" }.to_owned();
            Cleared { node, log: Some(done.log.to_string()), result, left: done.left, error: None }
        }
        Err(cause) => {
            Cleared { node, log: None, result: cause.short, left: None, error: Some(cause.detail) }
        }
    }
}
