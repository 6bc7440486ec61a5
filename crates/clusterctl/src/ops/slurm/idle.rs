//! Whether machines may lose their power: Slurm is asked, and silence counts as busy.

use slurm_query::{IdleCheck, IdleReport};

use crate::exit::{ExitClass, Stop};
use crate::ops::slurm::SlurmClient;
use crate::output::plural;
use crate::selection::{Selection, fold};
use crate::session::Session;

/// Whether jobs may be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "jobs are lost or not")]
pub enum JobLoss {
    /// `--lose-jobs`.
    Accepted,
    /// Without it.
    Refused,
}

/// Refuses machines that run a job, or that Slurm cannot say about. `--force` does not lift this.
pub fn refuse_busy(session: &Session, selection: &Selection, loss: JobLoss) -> Result<(), Stop> {
    let asked = session.site().settings().safety.slurm_aware
        && session.site().cluster_spec().slurm.role.is_some();
    if loss == JobLoss::Accepted || !asked {
        return Ok(());
    }
    let client = SlurmClient::of(session)?;
    let check = IdleCheck::new(SlurmClient::frame(), SlurmClient::names(selection)?);
    let report = client.ask(&check).map_err(|stop| {
        let why = crate::diagnostics::chain(stop.error());
        // A host that answered with an error refuses as a rule of safety does.
        let class = if stop.class() == ExitClass::Failed { ExitClass::Usage } else { stop.class() };
        let sentence = format!(
            "Slurm cannot say whether {} {} jobs: {why}; --lose-jobs goes ahead all the same",
            selection.fold(),
            plural::of(selection.len(), "runs", "run"),
        );
        Stop::with_class(class, sentence)
    })?;
    if report.is_idle() { Ok(()) } else { Err(Stop::usage(refusal(&report))) }
}

fn refusal(report: &IdleReport) -> String {
    let mut parts = Vec::new();
    for occupied in report.busy() {
        let what = match (occupied.jobs.as_slice(), &occupied.state) {
            ([], Some(state)) => format!("is {}", state.as_str()),
            ([job], _) => format!("runs job {job}"),
            (jobs, _) => format!("runs jobs {}", jobs.join(", ")),
        };
        parts.push(format!("{} {what}", occupied.node));
    }
    for (node, state) in report.unclear() {
        parts.push(format!(
            "{node} is {}, which does not say whether it runs a job",
            state.as_str()
        ));
    }
    if !report.unreported().is_empty() {
        let nodes = report.unreported();
        let is = plural::of(nodes.len(), "is", "are");
        parts.push(format!("{} {is} not known to Slurm", fold(nodes)));
    }
    format!(
        "{}; nothing was done: drain first, or accept the loss with --lose-jobs",
        parts.join("; ")
    )
}
