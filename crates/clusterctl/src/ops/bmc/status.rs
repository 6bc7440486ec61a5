//! `bmc status` and `bmc power status`: whether machines are on.

use crate::exit::Stop;
use crate::ops::bmc::fan_out::{self, StateRow};
use crate::output::{Outcome, Output, Table};
use crate::selection::Selection;
use crate::session::Session;

/// The power state of every machine.
pub fn status(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers = fan_out::ask(session, &connections, selection.nodes(), redfish::Bmc::power_state);
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for (node, answer) in selection.names().into_iter().zip(answers) {
        match answer {
            Ok(state) => rows.push(StateRow { node, state: state.to_string(), error: None }),
            Err(cause) => {
                let (state, error) = (cause.short.clone(), Some(cause.detail.clone()));
                failures.push((node.clone(), cause));
                rows.push(StateRow { node, state, error });
            }
        }
    }
    let mut outcome = outcome(&rows);
    outcome.stop = fan_out::stop_for("reading the power state", &failures);
    Ok(outcome)
}

/// NODE, STATE, ERROR.
pub(crate) fn outcome(rows: &[StateRow]) -> Outcome {
    let mut table = Table::titled(&["NODE", "STATE", "ERROR"]);
    for row in rows {
        table.push([row.node.as_str(), row.state.as_str(), row.error.as_deref().unwrap_or("")]);
    }
    let nodes: Vec<String> = rows.iter().map(|row| row.node.clone()).collect();
    Outcome::of(Output::table(table, &rows).with_nodes(nodes))
}
