//! The command from selection to result, on one screen.

use pxe_links::Lifetime;

use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Preview};
use crate::interrupt::Interrupt;
use crate::journal::Journal;
use crate::ops::bmc::fan_out;
use crate::ops::boot::{PxeHost, lines};
use crate::ops::reinstall::actions::RealActions;
use crate::ops::reinstall::facts::{self, Facts};
use crate::ops::reinstall::outcome::Machine;
use crate::ops::reinstall::report;
use crate::ops::reinstall::run::{Pace, Run, run};
use crate::ops::slurm::JobLoss;
use crate::output::Outcome;
use crate::selection::Selection;
use crate::session::Session;

/// What the person wants.
#[derive(Debug, Clone)]
pub struct Options {
    /// The boot path in place of the rules.
    pub boot_path: Option<String>,
    /// Whether the host key file is left alone.
    pub keep_host_keys: bool,
    /// Whether the machines are left for somebody else to reset.
    pub no_reset: bool,
    /// Whether jobs may be lost.
    pub loss: JobLoss,
}

/// Reinstalls the nodes.
pub fn reinstall(
    session: &Session,
    selection: Selection,
    options: &Options,
) -> Result<Outcome, Stop> {
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let selection = admitted.selection();
    let credentials = fan_out::credentials(session);
    let interrupt: Interrupt = session.interrupt().clone();
    let connections = fan_out::connections(session, &credentials);
    let pxe = PxeHost::of(session)?;
    let facts = facts::gather(session, &connections, &pxe, selection, options)?;
    let permit = match gate.approve(preview(&facts, options))? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(permit) => permit,
    };
    let journal = Journal::of(session, &facts.planned.nodes)?;
    let actions = RealActions::new(session, &connections, &pxe, &facts, &permit);
    let watch = |node: &str, step: &str, status: &str| journal.step(node, step, status);
    let run = run(&machines(&facts), &pace(session, options), &actions, &interrupt, &watch);
    let outcome = report::outcome(&run, session.program());
    write_down(&journal, &run);
    journal.finish(session, outcome.class());
    Ok(outcome)
}

fn preview(facts: &Facts, options: &Options) -> Preview {
    let mut preview = Preview::new("reinstall", facts.planned.nodes.iter().cloned())
        .with_detail("everything on these machines is lost");
    preview.details.extend(lines(&facts.planned.nodes, &facts.planned.links));
    preview.with_detail(if options.no_reset {
        "then each machine is set to boot from the network once; it is not reset"
    } else {
        "then each machine is set to boot from the network once and reset through Redfish"
    })
}

fn machines(facts: &Facts) -> Vec<Machine> {
    let nodes = facts.planned.nodes.iter().zip(&facts.planned.links);
    nodes
        .map(|(node, link)| Machine {
            node: node.clone(),
            address: link.client,
            boot_path: link.target.to_string(),
            persistent: link.lifetime == Lifetime::Persistent,
        })
        .collect()
}

fn pace(session: &Session, options: &Options) -> Pace {
    let safety = &session.site().settings().safety;
    Pace {
        width: fan_out::width(session),
        batch: safety.power_on_batch,
        stagger: safety.power_on_stagger,
        keep_host_keys: options.keep_host_keys,
        no_reset: options.no_reset,
    }
}

fn write_down(journal: &Journal, run: &Run) {
    for progress in &run.machines {
        let class = progress.class();
        let error = progress.causes().next().map(|cause| cause.detail.as_str());
        let touched =
            run.failed.is_none() || class != ExitClass::Success || progress.may_be_reset();
        journal.node(&progress.machine.node, touched.then_some(class), error);
    }
}
