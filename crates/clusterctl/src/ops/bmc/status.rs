//! `bmc status` and `bmc power status`: whether machines are on.

use crate::config::kinds::BmcTransport;
use crate::exit::Stop;
use crate::ops::bmc::fan_out::{self, StateRow};
use crate::ops::bmc::ways::{Answered, Missed, Ways, missed_read};
use crate::output::{Column, LiveTable, Outcome, Output, PATIENCE, Table};
use crate::selection::Selection;
use crate::session::Session;
use crate::site::Node;

/// The power state of every machine; `only_ipmi` whatever the order says.
pub fn status(session: &Session, selection: &Selection, only_ipmi: bool) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let ways = Ways::new(session, &connections, only_ipmi)?;
    let via = ways.column(selection);
    let live = live_table(session, selection, via);
    let answers = ways.ask(
        selection.nodes(),
        |node| {
            let bmc = connections.reader(node).map_err(|error| Missed::from(&error))?;
            let state = bmc.power_state().map_err(|error| missed_read(session, &error))?;
            // What was said is final; a failure is not, while there may be another way.
            if let Some(live) = &live
                && let Ok(place) = place_of(selection, node)
            {
                let row = StateRow {
                    node: node.name().to_string(),
                    state: state.to_string(),
                    via: Some(BmcTransport::Redfish),
                    error: None,
                };
                live.push(place, cells(via, &row));
            }
            Ok(state)
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
    let mut outcome = outcome(via, &rows);
    if live.is_some_and(|live| live.finish(rows.iter().map(|row| cells(via, row)))) {
        // It is on standard output already.
        outcome.output = None;
    }
    outcome.stop = fan_out::stop_for("reading the power state", &failures);
    Ok(outcome)
}

/// For a person who waits for a service processor that is silent.
fn live_table(session: &Session, selection: &Selection, via: Column) -> Option<LiveTable> {
    let node = selection.names().iter().map(String::len).max().unwrap_or_default();
    let mut columns = vec![("NODE", node), ("STATE", "unreachable".len())];
    if !via.is_wide() {
        columns.push(("VIA", "redfish".len()));
    }
    columns.push(("ERROR", 0));
    Some(LiveTable::new(session.live()?, columns, PATIENCE))
}

fn place_of(selection: &Selection, node: &Node) -> Result<usize, usize> {
    selection.nodes().binary_search_by(|known| known.name().cmp(node.name()))
}

fn cells(via: Column, row: &StateRow) -> Vec<String> {
    let mut cells = vec![row.node.clone(), row.state.clone()];
    if !via.is_wide() {
        cells.push(fan_out::via_cell(row.via));
    }
    cells.push(row.error.clone().unwrap_or_default());
    cells
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
