//! One change through many service processors: admitted, checked, asked about, journalled.

use redfish::Delivery;

use crate::bmc::{Line, cause_of};
use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Preview};
use crate::journal::Journal;
use crate::ops::bmc::fan_out;
use crate::ops::slurm::{JobLoss, refuse_busy};
use crate::output::Outcome;
use crate::pool;
use crate::selection::Selection;
use crate::session::Session;

/// A change, in words.
pub(crate) struct Change {
    /// What is done to the hosts; the sentence goes on with the hosts.
    pub(crate) action: String,
    /// More lines of the preview.
    pub(crate) details: Vec<String>,
    /// Whether machines with jobs are refused; none where the change leaves the machine alone.
    pub(crate) loss: Option<JobLoss>,
}

impl Change {
    /// A change that leaves what runs on the machine alone.
    pub(crate) fn harmless(action: impl Into<String>) -> Change {
        Change { action: action.into(), details: Vec::new(), loss: None }
    }

    /// The same with one more line.
    pub(crate) fn with_detail(mut self, line: impl Into<String>) -> Change {
        self.details.push(line.into());
        self
    }
}

/// What came of it, node by node in the selection's order.
pub(crate) type Done<R> = Vec<(String, Result<R, Cause>)>;

/// Carries a change out, once a node, and lets `report` say what came of it.
pub(crate) fn change<R: Send>(
    session: &Session,
    selection: Selection,
    change: Change,
    act: impl Fn(&redfish::Bmc<Line>) -> Result<R, Cause> + Sync,
    report: impl FnOnce(Done<R>) -> Outcome,
) -> Result<Outcome, Stop> {
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let selection = admitted.selection();
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    fan_out::check_all(selection, |node| connections.check_redfish(node))?;
    if let Some(loss) = change.loss {
        refuse_busy(session, selection, loss)?;
    }
    let mut preview = Preview::new(change.action, selection.names()).with_detail("through Redfish");
    preview.details.extend(change.details);
    let permit = match gate.approve(preview)? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(permit) => permit,
    };
    let journal = Journal::of(session, &selection.names())?;
    let results =
        pool::run(selection.nodes(), fan_out::width(session), session.interrupt(), |node| {
            let bmc = connections.writer(node, &permit);
            act(&bmc.map_err(|error| fan_out::cause_of_setup(&error))?)
        });
    let results = results.into_iter().map(|r| r.unwrap_or_else(|| Err(Cause::interrupted())));
    let done: Done<R> = selection.names().into_iter().zip(results).collect();
    for (node, result) in &done {
        let error = result.as_ref().err();
        let class = error.map_or(ExitClass::Success, |cause| cause.class);
        journal.node(node, Some(class), error.map(|cause| cause.detail.as_str()));
    }
    let outcome = report(done);
    journal.finish(session, outcome.class());
    Ok(outcome)
}

/// A change whose outcome is open is told as such.
pub(crate) fn sent_or_unknown(error: &redfish::Error) -> Cause {
    let cause = cause_of(error);
    if error.delivery() == Delivery::PerhapsCarriedOut {
        return Cause { short: "outcome unknown".to_owned(), ..cause };
    }
    cause
}

/// What a change that is read back ended with; `shown` says what is read in place of what was asked.
pub(crate) fn of_change<T: redfish::Transport, R>(
    bmc: &redfish::Bmc<T>,
    result: Result<redfish::Change<R>, redfish::Error>,
    shown: impl Fn(&R) -> String,
) -> Result<R, Cause> {
    match result.map_err(|error| sent_or_unknown(&error))? {
        redfish::Change::Already(it) | redfish::Change::Done(it) => Ok(it),
        redfish::Change::NotTaken(it) => {
            let detail = format!("{}: it took the write, and {}", bmc.endpoint(), shown(&it));
            Err(Cause::new(ExitClass::Failed, "not taken", detail))
        }
        redfish::Change::Unverified(error) => {
            Err(Cause { short: "not verified".to_owned(), ..cause_of(&error) })
        }
        _ => Err(Cause::new(ExitClass::Failed, "unknown", "it cannot be read back")),
    }
}

/// Those that failed, for the sentence at the end.
pub(crate) fn failures<R>(done: &Done<R>) -> Vec<(String, Cause)> {
    let failed = |(node, result): &(String, Result<R, Cause>)| {
        Some((node.clone(), result.as_ref().err()?.clone()))
    };
    done.iter().filter_map(failed).collect()
}
