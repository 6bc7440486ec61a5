//! `boot set`: writes links.

use pxe_links::{Lifetime, Outcome as LinkOutcome};
use serde::Serialize;

use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Preview};
use crate::journal::Journal;
use crate::ops::boot::plan::{Wish, lines};
use crate::ops::boot::pxe_host::Applied;
use crate::ops::boot::{PxeHost, plan};
use crate::output::{Outcome, Output, Table};
use crate::selection::{Selection, fold};
use crate::session::Session;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: String,
    address: String,
    boot_path: String,
    mode: &'static str,
    result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Writes the links after a question; every node is tried and listed.
pub fn set(
    session: &Session,
    selection: Selection,
    path: Option<&str>,
    persistent: bool,
) -> Result<Outcome, Stop> {
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let pxe = PxeHost::of(session)?;
    let planned = plan(session, &pxe, admitted.selection(), Wish { path, persistent })?;
    let mut preview =
        Preview::new("set the network boot configuration of", planned.nodes.iter().cloned());
    preview.details = lines(&planned.nodes, &planned.links);
    let permit = match gate.approve(preview)? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(permit) => permit,
    };
    let journal = Journal::of(session, &planned.nodes)?;
    let applied = pxe.apply(&planned.changes, &permit);
    let mut table = Table::titled(&["NODE", "ADDRESS", "BOOT PATH", "MODE", "RESULT"]);
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    let mut classes = Vec::new();
    for ((node, link), outcome) in planned.nodes.iter().zip(&planned.links).zip(&applied.outcomes) {
        let (result, class, error) = judge(outcome, &applied, "set");
        if class != ExitClass::Success {
            failed.push(node.clone());
        }
        classes.push(class);
        journal.node(node, Some(class), error.as_deref());
        let row = Row {
            node: node.clone(),
            address: link.client.to_string(),
            boot_path: link.target.to_string(),
            mode: if link.lifetime == Lifetime::Persistent { "persistent" } else { "once" },
            result,
            error,
        };
        table.push([&row.node, &row.address, &row.boot_path, row.mode, &row.result]);
        rows.push(row);
    }
    let class = ExitClass::worst(classes);
    journal.finish(session, class);
    let output = Output::table(table, &rows).with_nodes(planned.nodes);
    let stop = (!failed.is_empty()).then(|| {
        let why = trouble(&applied);
        let sentence = format!(
            "the boot links of {set} were not all written{why}; look with \"{program} boot status -n \
             '{set}'\", then repeat this command or remove them with \"{program} boot unset -n '{set}'\"",
            set = fold(&failed),
            program = session.program(),
        );
        Stop::with_class(class, sentence)
    });
    Ok(Outcome::of(output).with_stop(stop))
}

/// What an outcome is called, what it means for the exit code, and why.
pub(crate) fn judge(
    outcome: &LinkOutcome,
    applied: &Applied,
    done: &str,
) -> (String, ExitClass, Option<String>) {
    match outcome {
        LinkOutcome::Done => (done.to_owned(), ExitClass::Success, None),
        LinkOutcome::Absent => ("none".to_owned(), ExitClass::Success, None),
        LinkOutcome::Replaced { target } => {
            let why = format!("it points at {target} and was left alone");
            ("left alone".to_owned(), ExitClass::Failed, Some(why))
        }
        LinkOutcome::Failed { reason } => {
            (format!("failed: {reason}"), ExitClass::Failed, Some(reason.clone()))
        }
        _ => match &applied.trouble {
            Some(cause) if applied.not_sent => {
                ("not sent".to_owned(), cause.class, Some(cause.detail.clone()))
            }
            Some(cause) => ("unknown".to_owned(), cause.class, Some(cause.detail.clone())),
            None => {
                let why = "the host did not report this link".to_owned();
                ("unknown".to_owned(), ExitClass::Failed, Some(why))
            }
        },
    }
}

pub(crate) fn trouble(applied: &Applied) -> String {
    applied.trouble.as_ref().map_or(String::new(), |cause| format!(": {}", cause.detail))
}
