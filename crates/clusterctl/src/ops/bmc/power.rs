//! `bmc power`: on, off, soft, cycle, reset, nmi.

use std::num::NonZeroUsize;
use std::time::Duration;

use redfish::{Delivery, PowerAction, PowerOutcome, PowerState};

use crate::bmc::{Connections, Line, cause_of};
use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Permit, Preview};
use crate::journal::Journal;
use crate::ops::bmc::fan_out::{self, StateRow};
use crate::ops::bmc::status;
use crate::ops::slurm::{JobLoss, refuse_busy};
use crate::output::{Outcome, plural};
use crate::pool;
use crate::selection::Selection;
use crate::session::Session;
use crate::site::Node;

/// What a power action takes from the command line.
#[derive(Debug, Clone)]
pub struct PowerOptions {
    /// The word of the action.
    pub action: String,
    /// Whether jobs may be lost.
    pub loss: JobLoss,
    /// How many machines at a time, in place of `safety.powerOnBatch`.
    pub batch: Option<NonZeroUsize>,
    /// The pause between batches, in place of `safety.powerOnStagger`.
    pub stagger: Option<Duration>,
    /// How long the power state may take to prove what was sent; none does not read it.
    pub verify: Option<Duration>,
}

/// What became of a machine.
#[derive(Debug)]
enum Done {
    Sent(String),
    Failed(Cause),
    Unknown(Cause),
    NotSent,
    NotTried,
}

/// Carries the action out; each action is sent at most once to each machine.
pub fn power(
    session: &Session,
    selection: Selection,
    options: &PowerOptions,
) -> Result<Outcome, Stop> {
    if options.action == "status" {
        return status(session, &selection);
    }
    let action: PowerAction = options
        .action
        .parse()
        .map_err(|error| Stop::usage(format!("{error}; or status, which only reads")))?;
    if action == PowerAction::Nmi && options.verify.is_some() {
        return Err(Stop::usage("no power state proves an nmi: leave out --verify"));
    }
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let selection = admitted.selection();
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    fan_out::check_all(&connections, selection)?;
    if action != PowerAction::On {
        refuse_busy(session, selection, options.loss)?;
    }
    let preview = Preview::new(describe(action), selection.names()).with_detail("through Redfish");
    let permit = match gate.approve(preview)? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(permit) => permit,
    };
    let journal = Journal::of(session, &selection.names())?;
    let done = in_batches(session, &connections, &permit, selection.nodes(), action, options);
    let outcome = report(session, selection, &journal, done, action);
    journal.finish(session, outcome.class());
    Ok(outcome)
}

fn describe(action: PowerAction) -> &'static str {
    match action {
        PowerAction::On => "switch on",
        PowerAction::Off => "switch off, at once,",
        PowerAction::Soft => "shut down",
        PowerAction::Cycle => "switch off and on again",
        PowerAction::Nmi => "send a non-maskable interrupt to",
        _ => "reset",
    }
}

/// What draws power at once goes out in batches of even size; a failing batch ends the rest.
fn in_batches(
    session: &Session,
    connections: &Connections<'_>,
    permit: &Permit,
    nodes: &[Node],
    action: PowerAction,
    options: &PowerOptions,
) -> Vec<Done> {
    let safety = &session.site().settings().safety;
    let batched = matches!(action, PowerAction::On | PowerAction::Cycle | PowerAction::Reset);
    let at_most = options.batch.unwrap_or(safety.power_on_batch);
    let stagger = options.stagger.unwrap_or(safety.power_on_stagger);
    let size = if batched { pool::batch_size(nodes.len(), at_most) } else { nodes.len().max(1) };
    let batches = nodes.len().div_ceil(size);
    let mut done = Vec::with_capacity(nodes.len());
    let mut failed = false;
    for (index, batch) in nodes.chunks(size).enumerate() {
        if !failed && index > 0 {
            session.interrupt().sleep(stagger);
        }
        if failed || session.interrupt().is_raised() {
            done.extend(batch.iter().map(|_| if failed { Done::NotTried } else { Done::NotSent }));
            continue;
        }
        if batches > 1 {
            session.person().tell(&format!("batch {} of {batches}\n", index + 1));
        }
        let results = pool::run(batch, fan_out::width(session), session.interrupt(), |node| {
            send(connections, permit, node, action, options.verify)
        });
        for result in results {
            let result = result.unwrap_or(Done::NotSent);
            failed |= !matches!(result, Done::Sent(_) | Done::NotSent);
            done.push(result);
        }
    }
    done
}

fn send(
    connections: &Connections<'_>,
    permit: &Permit,
    node: &Node,
    action: PowerAction,
    verify: Option<Duration>,
) -> Done {
    let bmc = match connections.writer(node, permit) {
        Ok(bmc) => bmc,
        Err(error) => return Done::Failed(fan_out::cause_of_setup(&error)),
    };
    match bmc.power(action) {
        Ok(PowerOutcome::Already(state)) => {
            Done::Sent(format!("already {}", state.to_string().to_lowercase()))
        }
        Ok(_) => verify.map_or_else(
            || Done::Sent("sent".to_owned()),
            |time| verified(&bmc, &proof(action), time),
        ),
        Err(error) if error.delivery() == Delivery::PerhapsCarriedOut => {
            Done::Unknown(Cause { class: ExitClass::Unreachable, ..cause_of(&error) })
        }
        Err(error) => Done::Failed(cause_of(&error)),
    }
}

/// The state that a machine is in when the action is over.
fn proof(action: PowerAction) -> PowerState {
    match action {
        PowerAction::Off | PowerAction::Soft => PowerState::Off,
        _ => PowerState::On,
    }
}

/// Reads the state until it is the wanted one. A reset never leaves On on most machines: there the
/// state proves no more than that the machine did not stay off.
fn verified(bmc: &redfish::Bmc<Line>, wanted: &PowerState, time: Duration) -> Done {
    match bmc.wait_for(wanted, time) {
        Ok(state) if state == *wanted => Done::Sent(format!("sent, {wanted}")),
        Ok(state) => {
            let limit =
                plural::count(usize::try_from(time.as_secs()).unwrap_or(usize::MAX), "second");
            let detail = format!("{}: sent, and {state} after {limit}", bmc.endpoint());
            Done::Failed(Cause::new(ExitClass::Failed, format!("sent, {state}"), detail))
        }
        Err(error) => {
            let cause = cause_of(&error);
            Done::Failed(Cause { short: "sent, not verified".to_owned(), ..cause })
        }
    }
}

fn report(
    session: &Session,
    selection: &Selection,
    journal: &Journal,
    done: Vec<Done>,
    action: PowerAction,
) -> Outcome {
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    let mut untried = Vec::new();
    for (node, done) in selection.names().into_iter().zip(done) {
        let (state, cause) = match done {
            Done::Sent(state) => (state, None),
            Done::Failed(cause) => (cause.short.clone(), Some(cause)),
            Done::Unknown(cause) => ("outcome unknown".to_owned(), Some(cause)),
            Done::NotSent => ("not sent".to_owned(), Some(Cause::interrupted())),
            Done::NotTried => {
                untried.push(node.clone());
                ("not tried".to_owned(), None)
            }
        };
        let class = if untried.last() == Some(&node) {
            None
        } else {
            Some(cause.as_ref().map_or(ExitClass::Success, |cause| cause.class))
        };
        let error = cause.as_ref().map(|cause| cause.detail.clone());
        journal.node(&node, class, error.as_deref());
        failures.extend(cause.map(|cause| (node.clone(), cause)));
        rows.push(StateRow { node, state, error });
    }
    let mut outcome = status::outcome(&rows);
    let what = format!("{} {}", describe(action).trim_end_matches(','), selection.fold());
    outcome.stop = fan_out::stop_for(&what, &failures).map(|stop| {
        if untried.is_empty() {
            return stop;
        }
        let sentence = format!(
            "{}; {} failed and {} were not tried: {}",
            stop.error(),
            failures.len(),
            untried.len(),
            crate::selection::fold(&untried)
        );
        Stop::with_class(stop.class(), sentence)
    });
    if session.interrupt().is_raised() && outcome.stop.is_none() {
        outcome.notes.push("interrupted after everything had been sent".to_owned());
    }
    outcome
}
