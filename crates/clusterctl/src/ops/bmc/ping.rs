//! `bmc ping`: which service processors answer at all.

use serde::Serialize;

use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::ops::bmc::change::{Done, failures};
use crate::ops::bmc::fan_out;
use crate::output::{Outcome, Output, Table};
use crate::selection::Selection;
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Row {
    node: String,
    bmc: String,
    state: String,
    vendor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Asks every service processor for its service root, without credentials. One that is silent fails
/// the command (1); what it presents and nobody vouches for is told as such (3).
pub fn ping(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers = fan_out::ask_anybody(session, &connections, selection.nodes(), |bmc| {
        Ok(bmc.ping()?.service.and_then(|service| service.vendor()))
    });
    let done: Done<Option<String>> = selection.names().into_iter().zip(answers).collect();
    let done: Done<Option<String>> =
        done.into_iter().map(|(node, result)| (node, result.map_err(silent))).collect();
    let failures = failures(&done);
    let mut rows = Vec::new();
    for (node, (_, result)) in selection.nodes().iter().zip(done) {
        let (state, vendor, error) = match result {
            Ok(vendor) => ("alive".to_owned(), vendor, None),
            Err(cause) => (cause.short, None, Some(cause.detail)),
        };
        let bmc = node.bmc().unwrap_or_default().to_owned();
        rows.push(Row { node: node.name().to_string(), bmc, state, vendor, error });
    }
    let mut table = Table::titled(&["NODE", "BMC", "STATE", "VENDOR", "ERROR"]);
    for row in &rows {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let cells = [row.node.clone(), row.bmc.clone(), row.state.clone()];
        table.push(cells.into_iter().chain([text(&row.vendor), text(&row.error)]));
    }
    let alive = rows.iter().filter(|row| row.state == "alive").count();
    let output = Output::table(table, &rows).with_nodes(selection.names());
    let outcome = Outcome::of(output.with_caption(format!("{alive} of {} answered", rows.len())));
    Ok(outcome.with_stop(fan_out::stop_for("asking for an answer", &failures)))
}

/// Silence is what was asked about, not what kept from asking.
fn silent(cause: Cause) -> Cause {
    if cause.short != "unreachable" {
        return cause;
    }
    Cause { class: ExitClass::Failed, short: "no answer".to_owned(), ..cause }
}
