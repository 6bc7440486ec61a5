//! `bmc status` and `bmc power status`: whether machines are on.

use crate::exit::Stop;
use crate::ops::bmc::fan_out::{self, StateRow};
use crate::ops::bmc::ways::{Answered, Missed, Ways, missed_read};
use crate::output::{Column, Outcome, Output, Table};
use crate::selection::Selection;
use crate::session::Session;

/// The power state of every machine; `only_ipmi` whatever the order says.
pub fn status(session: &Session, selection: &Selection, only_ipmi: bool) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let ways = Ways::new(session, &connections, only_ipmi)?;
    let answers = ways.ask(
        selection.nodes(),
        |node| {
            let bmc = connections.reader(node).map_err(|error| Missed::from(&error))?;
            bmc.power_state().map_err(|error| missed_read(session, &error))
        },
        |ipmi, peers| {
            let states = ipmi.power_states(peers).into_iter();
            states.map(|state| state.map_err(|error| Missed::from(&error))).collect()
        },
    );
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for (node, Answered { via, result }) in selection.names().into_iter().zip(answers) {
        match result {
            Ok(state) => rows.push(StateRow { node, state: state.to_string(), via, error: None }),
            Err(cause) => {
                let (state, error) = (cause.short.clone(), Some(cause.detail.clone()));
                failures.push((node.clone(), cause));
                rows.push(StateRow { node, state, via, error });
            }
        }
    }
    let mut outcome = outcome(ways.column(selection), &rows);
    outcome.stop = fan_out::stop_for("reading the power state", &failures);
    Ok(outcome)
}

/// NODE, STATE, VIA, ERROR.
pub(crate) fn outcome(via: Column, rows: &[StateRow]) -> Outcome {
    let mut table =
        Table::new([Column::new("NODE"), Column::new("STATE"), via, Column::new("ERROR")]);
    for row in rows {
        let via = fan_out::via_cell(row.via);
        let error = row.error.as_deref().unwrap_or("");
        table.push([row.node.as_str(), row.state.as_str(), &via, error]);
    }
    let nodes: Vec<String> = rows.iter().map(|row| row.node.clone()).collect();
    Outcome::of(Output::table(table, &rows).with_nodes(nodes))
}
