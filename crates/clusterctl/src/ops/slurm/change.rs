//! `slurm node drain` and `slurm node resume`.

use serde::Serialize;
use slurm_query::{Change, NodeQuery, Reason};

use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Preview};
use crate::journal::Journal;
use crate::ops::slurm::SlurmClient;
use crate::output::{Outcome, Output};
use crate::selection::{Selection, fold};
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Row {
    node: String,
    result: &'static str,
}

/// Lets no more jobs onto the nodes.
pub fn drain(session: &Session, selection: Selection, reason: &str) -> Result<Outcome, Stop> {
    let reason: Reason = reason
        .parse()
        .map_err(|error| Stop::usage(format!("the reason {reason:?} is not usable: {error}")))?;
    let nodes = SlurmClient::names(&selection)?;
    let detail = format!("the reason: {reason}");
    carry_out(
        session,
        selection,
        &Change::Drain { nodes, reason },
        "drain",
        "drained",
        Some(detail),
    )
}

/// Lets jobs onto the nodes again.
pub fn resume(session: &Session, selection: Selection) -> Result<Outcome, Stop> {
    let nodes = SlurmClient::names(&selection)?;
    carry_out(session, selection, &Change::Resume { nodes }, "resume", "resumed", None)
}

fn carry_out(
    session: &Session,
    selection: Selection,
    change: &Change,
    verb: &str,
    done: &'static str,
    detail: Option<String>,
) -> Result<Outcome, Stop> {
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let names = admitted.selection().names();
    let client = SlurmClient::of(session)?;
    refuse_names_of_sets(&client, change)?;
    let mut preview = Preview::new(format!("{verb} in Slurm"), names.iter().cloned());
    preview.details.extend(detail);
    let permit = match gate.approve(preview)? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(permit) => permit,
    };
    let journal = Journal::of(session, &names)?;
    let mut refusals = Vec::new();
    let mut lost = None;
    for argv in change.commands() {
        match client.change(&permit, &argv) {
            Ok(None) => {}
            Ok(Some(refusal)) => refusals.push(refusal.detail),
            Err(cause) => {
                lost = Some(cause);
                break;
            }
        }
    }
    if refusals.is_empty() && lost.is_none() {
        names.iter().for_each(|node| journal.node(node, Some(ExitClass::Success), None));
        journal.finish(session, ExitClass::Success);
        let rows: Vec<Row> =
            names.iter().map(|node| Row { node: node.clone(), result: done }).collect();
        let text = format!("{done} {}\n", fold(&names));
        return Ok(Outcome::of(Output::text(text, &rows).with_nodes(names)));
    }
    let why = lost.as_ref().map_or_else(|| refusals.join("; "), |cause| cause.detail.clone());
    let class = lost.map_or(ExitClass::Failed, |cause| cause.class);
    let outcome = read_back(&client, change, &names, done, &why, class);
    names.iter().for_each(|node| journal.node(node, Some(class), Some(&why)));
    journal.finish(session, class);
    outcome
}

/// After a failure the nodes are read back, and those that changed are told from those that did not.
fn read_back(
    client: &SlurmClient<'_>,
    change: &Change,
    names: &[String],
    done: &'static str,
    why: &str,
    class: ExitClass,
) -> Result<Outcome, Stop> {
    let Ok(nodes) = client.ask(&change.read_back(SlurmClient::frame())) else {
        let sentence = format!("{why}; which of {} were {done} is not known", fold(names));
        return Err(Stop::with_class(class, sentence));
    };
    let holds = |name: &&String| nodes.iter().any(|node| node.name == **name && change.holds(node));
    let changed: Vec<String> = names.iter().filter(holds).cloned().collect();
    let unchanged: Vec<String> = names.iter().filter(|name| !holds(name)).cloned().collect();
    let mut sentence = why.to_owned();
    if !changed.is_empty() {
        sentence.push_str(&format!("; {done}: {}", fold(&changed)));
    }
    if !unchanged.is_empty() {
        sentence.push_str(&format!("; not {done}: {}", fold(&unchanged)));
    }
    let rows: Vec<Row> = names
        .iter()
        .map(|node| {
            let result = if changed.contains(node) { done } else { "unchanged" };
            Row { node: node.clone(), result }
        })
        .collect();
    let output = Output::text(String::new(), &rows).with_nodes(names.to_vec());
    Ok(Outcome::of(output).with_stop(Some(Stop::with_class(class, sentence))))
}

/// `scontrol` takes the name of a NodeSet and changes all its members; `sinfo` knows nodes only.
fn refuse_names_of_sets(client: &SlurmClient<'_>, change: &Change) -> Result<(), Stop> {
    let nodes = client.ask(&NodeQuery::of(SlurmClient::frame(), change.nodes().clone()))?;
    let missing = change.nodes().missing_in(&nodes);
    let wanted: Vec<&str> = change.nodes().iter().collect();
    let more: Vec<String> = nodes
        .iter()
        .filter(|node| !wanted.contains(&node.name.as_str()))
        .map(|node| node.name.clone())
        .collect();
    if missing.is_empty() && more.is_empty() {
        return Ok(());
    }
    let missing: Vec<String> = missing.into_iter().map(str::to_owned).collect();
    let mut sentence = format!("{} is no node of Slurm", fold(&missing));
    if !more.is_empty() {
        sentence.push_str(&format!("; Slurm would have included {}", fold(&more)));
    }
    Err(Stop::usage(sentence))
}
