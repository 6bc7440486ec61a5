//! `boot unset`: removes both links of nodes.

use pxe_links::{Changes, Lifetime, Place};
use serde::Serialize;

use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Preview};
use crate::journal::Journal;
use crate::ops::boot::PxeHost;
use crate::ops::boot::set::{judge, trouble};
use crate::ops::dhcp::BootAddresses;
use crate::output::{Outcome, Output, Table};
use crate::selection::{Selection, fold};
use crate::session::Session;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: String,
    address: String,
    mode: &'static str,
    result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Removes the once link and the persistent link of every node, after a question.
pub fn unset(session: &Session, selection: Selection) -> Result<Outcome, Stop> {
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let selection = admitted.selection();
    let pxe = PxeHost::of(session)?;
    let addresses = BootAddresses::find(session, selection)?.all()?;
    let nodes = selection.names();
    let mut preview = Preview::new("remove the boot links of", nodes.iter().cloned());
    let with_address = nodes.iter().zip(&addresses);
    preview.details =
        vec![with_address.map(|(n, a)| format!("{n} ({a})")).collect::<Vec<_>>().join(", ")];
    let permit = match gate.approve(preview)? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(permit) => permit,
    };
    let journal = Journal::of(session, &nodes)?;
    let changes = Changes::disarm(pxe.layout(), addresses.iter().copied());
    let applied = pxe.apply(&changes, &permit);
    let mut titles = vec!["NODE", "ADDRESS"];
    titles.extend(pxe.has_persistent().then_some("MODE"));
    titles.push("RESULT");
    let mut table = Table::titled(&titles);
    let mut rows = Vec::new();
    let mut failed: Vec<String> = Vec::new();
    let mut classes = Vec::new();
    for (change, outcome) in changes.iter().zip(&applied.outcomes) {
        let Place::Pxe(client, lifetime) = change.place() else { continue };
        let index = addresses.iter().position(|address| address.to_canonical() == client);
        let node = index.map(|index| nodes[index].clone()).unwrap_or_default();
        let (result, class, error) = judge(outcome, &applied, "removed");
        if class != ExitClass::Success && failed.last() != Some(&node) {
            failed.push(node.clone());
        }
        classes.push(class);
        let row = Row {
            node,
            address: client.to_string(),
            mode: if lifetime == Lifetime::Persistent { "persistent" } else { "once" },
            result,
            error,
        };
        let mut cells = vec![row.node.as_str(), row.address.as_str()];
        cells.extend(pxe.has_persistent().then_some(row.mode));
        cells.push(&row.result);
        table.push(cells);
        rows.push(row);
    }
    for node in &nodes {
        let own = rows.iter().zip(&classes).filter(|(row, _)| row.node == *node);
        let class = ExitClass::worst(own.map(|(_, class)| *class));
        journal.node(node, Some(class), None);
    }
    let class = ExitClass::worst(classes);
    journal.finish(session, class);
    let stop = (!failed.is_empty()).then(|| {
        let sentence = format!(
            "the boot links of {set} may still be there{why}; repeat \"{program} boot unset -n '{set}'\"",
            set = fold(&failed),
            why = trouble(&applied),
            program = session.program(),
        );
        Stop::with_class(class, sentence)
    });
    Ok(Outcome::of(Output::table(table, &rows).with_nodes(nodes)).with_stop(stop))
}
