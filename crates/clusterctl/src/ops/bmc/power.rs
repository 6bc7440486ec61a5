//! `bmc power`: on, off, soft, cycle, reset, nmi.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use redfish::{Delivery, PowerAction, PowerOutcome, PowerState};

use crate::bmc::ipmi::{Ipmi, IpmiError, Peer, Powered};
use crate::bmc::{Connections, Line, cause_of};
use crate::cause::Cause;
use crate::config::kinds::BmcTransport;
use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Permit, Preview};
use crate::journal::Journal;
use crate::ops::bmc::fan_out::{self, StateRow};
use crate::ops::bmc::status;
use crate::ops::bmc::ways::{Answered, Missed, Ways};
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
    /// Whether IPMI is the only way, whatever the order says.
    pub only_ipmi: bool,
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
        return status(session, &selection, options.only_ipmi);
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
    let ways = Ways::new(session, &connections, options.only_ipmi)?;
    ways.check_all(selection)?;
    if action != PowerAction::On {
        refuse_busy(session, selection, options.loss)?;
    }
    let mut preview = Preview::new(describe(action), selection.names());
    preview.details.extend(ways.lines(selection));
    let permit = match gate.approve(preview)? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(permit) => permit,
    };
    let journal = Journal::of(session, &selection.names())?;
    let verify = options.verify;
    let sender =
        Sender { session, connections: &connections, ways: &ways, permit: &permit, action, verify };
    let done = in_batches(session, &sender, selection.nodes(), options);
    let outcome = report(session, selection, &journal, done, &sender);
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
    sender: &Sender<'_>,
    nodes: &[Node],
    options: &PowerOptions,
) -> Vec<(Option<BmcTransport>, Done)> {
    let action = sender.action;
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
            let untried = |_| (None, if failed { Done::NotTried } else { Done::NotSent });
            done.extend(batch.iter().map(untried));
            continue;
        }
        if batches > 1 {
            session.person().tell(&format!("batch {} of {batches}\n", index + 1));
        }
        for (via, result) in sender.send(batch) {
            failed |= !matches!(result, Done::Sent(_) | Done::NotSent);
            done.push((via, result));
        }
    }
    done
}

/// What a batch is sent with.
struct Sender<'a> {
    session: &'a Session,
    connections: &'a Connections<'a>,
    ways: &'a Ways<'a>,
    permit: &'a Permit,
    action: PowerAction,
    verify: Option<Duration>,
}

impl Sender<'_> {
    /// One result each, in order.
    fn send(&self, batch: &[Node]) -> Vec<(Option<BmcTransport>, Done)> {
        let answers = self.ways.ask(
            batch,
            |node| self.through_redfish(node),
            |ipmi, peers| self.through_ipmi(ipmi, peers),
        );
        let done = |Answered { via, result }| match result {
            Ok(done) => (via, done),
            Err(cause) if cause == Cause::interrupted() => (via, Done::NotSent),
            Err(cause) => (via, Done::Failed(cause)),
        };
        answers.into_iter().map(done).collect()
    }

    fn through_redfish(&self, node: &Node) -> Result<Done, Missed> {
        let bmc = self.connections.writer(node, self.permit).map_err(|e| Missed::from(&e))?;
        match bmc.power(self.action) {
            Ok(PowerOutcome::Already(state)) => Ok(Done::already(&state)),
            Ok(_) => Ok(self.verify.map_or_else(
                || Done::Sent("sent".to_owned()),
                |time| verified(&bmc, &proof(self.action), time),
            )),
            Err(error) if error.delivery() == Delivery::PerhapsCarriedOut => {
                Ok(Done::unknown(cause_of(&error)))
            }
            Err(error) => Err(Missed::from(&error)),
        }
    }

    fn through_ipmi(&self, ipmi: &Ipmi<'_>, peers: &[Peer]) -> Vec<Result<Done, Missed>> {
        let results = ipmi.power(self.permit, peers, self.action);
        let sent: Vec<usize> =
            (0..peers.len()).filter(|&index| results[index] == Ok(Powered::Sent)).collect();
        let mut done: Vec<_> = results.into_iter().map(of_ipmi).collect();
        if let Some(time) = self.verify {
            for (index, proven) in self.verified(ipmi, peers, sent, time) {
                done[index] = Ok(proven);
            }
        }
        done
    }

    /// Reads the states of all that were sent something until each is the wanted one.
    fn verified(
        &self,
        ipmi: &Ipmi<'_>,
        peers: &[Peer],
        mut open: Vec<usize>,
        time: Duration,
    ) -> Vec<(usize, Done)> {
        let wanted = proof(self.action);
        let end = Instant::now() + time;
        let mut done = Vec::new();
        while !open.is_empty() {
            let asked: Vec<Peer> = open.iter().map(|&index| peers[index].clone()).collect();
            let is_last = Instant::now() >= end || self.session.interrupt().is_raised();
            let states = ipmi.power_states(&asked);
            let mut still = Vec::new();
            for (index, state) in open.into_iter().zip(states) {
                match state {
                    Ok(state) if state == wanted => {
                        done.push((index, Done::Sent(format!("sent, {wanted}"))));
                    }
                    _ if !is_last => still.push(index),
                    Ok(state) => {
                        done.push((index, Done::not_proven(&peers[index].host, &state, time)));
                    }
                    Err(error) => done.push((index, Done::not_verified(error.cause()))),
                }
            }
            open = still;
            if !open.is_empty() {
                self.session.interrupt().sleep(PAUSE);
            }
        }
        done
    }
}

/// Between two looks at the power states of many.
const PAUSE: Duration = Duration::from_secs(2);

fn of_ipmi(result: Result<Powered, IpmiError>) -> Result<Done, Missed> {
    match result {
        Ok(Powered::Already(state)) => Ok(Done::already(&state)),
        Ok(Powered::Sent) => Ok(Done::Sent("sent".to_owned())),
        Err(error) if error.leaves_outcome_open() => Ok(Done::unknown(error.cause())),
        Err(error) => Err(Missed::from(&error)),
    }
}

impl Done {
    fn already(state: &PowerState) -> Done {
        Done::Sent(format!("already {}", state.to_string().to_lowercase()))
    }

    /// Nobody knows: as bad as not having reached it.
    fn unknown(cause: Cause) -> Done {
        Done::Unknown(Cause { class: cause.class.max(ExitClass::Unreachable), ..cause })
    }

    fn not_proven(place: &str, state: &PowerState, time: Duration) -> Done {
        let limit = plural::count(usize::try_from(time.as_secs()).unwrap_or(usize::MAX), "second");
        let detail = format!("{place}: sent, and {state} after {limit}");
        Done::Failed(Cause::new(ExitClass::Failed, format!("sent, {state}"), detail))
    }

    fn not_verified(cause: Cause) -> Done {
        Done::Failed(Cause { short: "sent, not verified".to_owned(), ..cause })
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
        Ok(state) => Done::not_proven(&bmc.endpoint().to_string(), &state, time),
        Err(error) => Done::not_verified(cause_of(&error)),
    }
}

fn report(
    session: &Session,
    selection: &Selection,
    journal: &Journal,
    done: Vec<(Option<BmcTransport>, Done)>,
    sender: &Sender<'_>,
) -> Outcome {
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    let mut untried = Vec::new();
    for (node, (via, done)) in selection.names().into_iter().zip(done) {
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
        rows.push(StateRow { node, state, via, error });
    }
    let mut outcome = status::outcome(sender.ways.column(selection), &rows);
    let what = format!("{} {}", describe(sender.action).trim_end_matches(','), selection.fold());
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
