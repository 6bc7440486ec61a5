//! `slurm node list`.

use serde::Serialize;
use slurm_query::{Node, NodeQuery, StateGroup};

use crate::exit::Stop;
use crate::ops::slurm::SlurmClient;
use crate::output::{Outcome, Output, Table};
use crate::selection::{Selection, fold};
use crate::session::Session;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: String,
    state: String,
    partitions: Vec<String>,
    cpus: u32,
    reason: Option<String>,
    reason_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
}

/// The nodes of a selection, or all, in these states.
pub fn list(
    session: &Session,
    selection: Option<&Selection>,
    state: Option<&str>,
) -> Result<Outcome, Stop> {
    let client = SlurmClient::of(session)?;
    let frame = SlurmClient::frame();
    let (query, names) = match selection {
        Some(selection) => {
            let names = SlurmClient::names(selection)?;
            (NodeQuery::of(frame, names.clone()), Some(names))
        }
        None => (NodeQuery::all(frame), None),
    };
    let mut nodes = client.ask(&query)?;
    let missing: Vec<String> = names.as_ref().map_or(Vec::new(), |names| {
        names.missing_in(&nodes).into_iter().map(str::to_owned).collect()
    });
    nodes.sort_by(|a, b| nodeset::natural_cmp(&a.name, &b.name));
    let mut rows: Vec<Row> = nodes.iter().filter(|node| is_wanted(node, state)).map(row).collect();
    if state.is_none() {
        rows.extend(missing.iter().map(|node| Row {
            node: node.clone(),
            state: "unknown to Slurm".to_owned(),
            partitions: Vec::new(),
            cpus: 0,
            reason: None,
            reason_by: None,
            error: Some("not known to Slurm"),
        }));
    }
    let mut table = Table::titled(&["NODE", "STATE", "PARTITION", "CPUS", "REASON"]);
    for row in &rows {
        let reason = match (&row.reason, &row.reason_by) {
            (Some(reason), Some(by)) => format!("{reason} [{by}]"),
            (Some(reason), None) => reason.clone(),
            (None, _) => String::new(),
        };
        let cpus = if row.error.is_some() { String::new() } else { row.cpus.to_string() };
        table.push([row.node.clone(), row.state.clone(), row.partitions.join(","), cpus, reason]);
    }
    let names: Vec<String> = rows.iter().map(|row| row.node.clone()).collect();
    let stop = (!missing.is_empty())
        .then(|| Stop::failed(format!("Slurm does not know {}", fold(&missing))));
    Ok(Outcome::of(Output::table(table, &rows).with_nodes(names)).with_stop(stop))
}

fn is_wanted(node: &Node, state: Option<&str>) -> bool {
    let Some(wanted) = state else { return true };
    wanted.split(',').any(|word| {
        let group = StateGroup::ALL.into_iter().find(|group| group.name() == word);
        match group {
            Some(group) => group.contains(&node.state),
            None => node
                .state
                .as_str()
                .trim_end_matches(['*', '~', '#', '!', '%', '$', '@', '^', '-', '+'])
                .eq_ignore_ascii_case(word),
        }
    })
}

fn row(node: &Node) -> Row {
    Row {
        node: node.name.clone(),
        state: node.state.as_str().to_owned(),
        partitions: node.partitions.clone(),
        cpus: node.cpus,
        reason: node.reason.clone(),
        reason_by: node.reason_by.clone(),
        error: None,
    }
}
