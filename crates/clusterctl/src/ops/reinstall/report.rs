//! What a reinstall says at its end: a row for every machine, and what is left to do.

use serde::Serialize;

use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::ops::reinstall::progress::{LinkState, OnceState, Progress, ResetState, State};
use crate::ops::reinstall::run::{Run, Step};
use crate::output::plural;
use crate::output::{Outcome, Output, Table};
use crate::selection::fold;

/// One machine for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    node: &'a str,
    address: String,
    boot_path: &'a str,
    boot_link: &'a str,
    boot_once: &'a str,
    reset: &'a str,
    state: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The result, the notes and the failure of a run.
///
/// `program` is how the person calls this program, options that must be repeated included.
pub(crate) fn outcome(run: &Run, program: &str) -> Outcome {
    let mut table = Table::titled(&["NODE", "BOOT LINK", "BOOT ONCE", "RESET", "STATE"]);
    let mut rows = Vec::with_capacity(run.machines.len());
    for progress in &run.machines {
        let row = row(progress);
        table.push([row.node, row.boot_link, row.boot_once, row.reset, row.state]);
        rows.push(row);
    }
    let nodes = run.machines.iter().map(|progress| progress.machine.node.as_str());
    let output = Output::table(table, &rows).with_nodes(nodes);
    let mut outcome = Outcome::of(output);
    match run.failed {
        Some(step) => {
            outcome.notes = undo_failures(run);
            outcome.stop = Some(failure(run, step, program));
        }
        None => outcome.notes.push(success(run, program)),
    }
    outcome
}

fn row(progress: &Progress) -> Row<'_> {
    let causes: Vec<&str> = progress.causes().map(|cause| cause.detail.as_str()).collect();
    Row {
        node: &progress.machine.node,
        address: progress.machine.address.to_string(),
        boot_path: &progress.machine.boot_path,
        boot_link: progress.link_cell(),
        boot_once: progress.once_cell(),
        reset: progress.reset_cell(),
        state: progress.state_cell(),
        error: (!causes.is_empty()).then(|| causes.join("; ")),
    }
}

fn success(run: &Run, program: &str) -> String {
    let all = nodes_where(run, |_| true);
    let set = fold(&all);
    let is = plural::of(all.len(), "is", "are");
    if run.machines.iter().all(|progress| progress.state() == State::Reinstalling) {
        let it = plural::of(all.len(), "it", "them");
        return format!(
            "{set} {is} reinstalling; follow {it} with \"{program} provision status\" and \"{program} boot log\""
        );
    }
    let reinstalls = plural::of(all.len(), "reinstalls at its", "reinstall at their");
    let it = plural::of(all.len(), "it", "them");
    format!(
        "{set} {is} armed and {reinstalls} next network boot; reset {it} with \"{program} bmc power \
         reset -n {name}\", or disarm {it} with {disarm}",
        name = shell(&set),
        disarm = commands(program, &["bmc boot unset", "boot unset"], &set),
    )
}

fn failure(run: &Run, step: Step, program: &str) -> Stop {
    let mut parts = Vec::new();
    let mut head = if run.interrupted {
        format!("interrupted before {} was finished", step.doing())
    } else {
        format!("{} failed", step.doing())
    };
    let causes = grouped_causes(run);
    if !causes.is_empty() {
        head.push_str(": ");
        head.push_str(&causes.join("; "));
    }
    parts.push(head);
    let sentence = |nodes: &[String], one: &str, many: &str| {
        format!("{} {}", fold(nodes), plural::of(nodes.len(), one, many))
    };

    let reinstalling = nodes_where(run, |progress| progress.state() == State::Reinstalling);
    if !reinstalling.is_empty() {
        parts.push(sentence(&reinstalling, "is reinstalling", "are reinstalling"));
    }
    let untried = nodes_where(
        run,
        |progress| matches!(&progress.reset, ResetState::NotSent(cause) if cause.class == ExitClass::Success),
    );
    if !untried.is_empty() {
        parts.push(sentence(&untried, "was not tried", "were not tried"));
    }
    let undone = |progress: &Progress| {
        progress.link == LinkState::Removed || matches!(progress.once, OnceState::Cleared(_))
    };
    let disarmed =
        nodes_where(run, |progress| progress.state() == State::Disarmed && undone(progress));
    if !disarmed.is_empty() {
        let overrides = run
            .machines
            .iter()
            .any(|p| p.state() == State::Disarmed && matches!(p.once, OnceState::Cleared(_)));
        let what = if overrides { "the boot links and boot overrides" } else { "the boot links" };
        parts.push(format!("{what} of {} were removed again", fold(&disarmed)));
    }
    parts.extend(armed(run, program));
    parts.extend(unknown(run, program));
    if let Some(cause) = &run.keys_lost {
        parts.push(format!(
            "the host keys that were forgotten could not be put back ({}); collect them again with \
             \"{program} hostkey refresh\"",
            cause.detail
        ));
    }
    Stop::with_class(class(run), parts.join("; "))
}

/// What could not be undone, and why; the failure itself names the way out.
fn undo_failures(run: &Run) -> Vec<String> {
    let mut notes = Vec::new();
    for progress in &run.machines {
        for (what, cause) in progress.undo_causes() {
            notes.push(format!("{}: {what}: {}", progress.machine.node, cause.detail));
        }
    }
    notes
}

/// Each cause once, with the machines it befell.
fn grouped_causes(run: &Run) -> Vec<String> {
    let mut groups: Vec<(&Cause, Vec<String>)> = Vec::new();
    for progress in &run.machines {
        for cause in progress.step_causes().filter(|cause| cause.class != ExitClass::Success) {
            match groups.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, nodes)) => nodes.push(progress.machine.node.clone()),
                None => groups.push((cause, vec![progress.machine.node.clone()])),
            }
        }
    }
    let mut texts: Vec<String> = groups
        .into_iter()
        .map(|(cause, nodes)| format!("{}: {}", fold(&nodes), cause.detail))
        .collect();
    texts.extend(run.shared.iter().map(|cause| cause.detail.clone()));
    texts
}

/// The machines that are left armed, by what has to be undone on them.
fn armed(run: &Run, program: &str) -> Vec<String> {
    let groups: [(bool, bool, &[&str]); 3] = [
        (true, false, &["bmc boot unset"]),
        (false, true, &["boot unset"]),
        (true, true, &["bmc boot unset", "boot unset"]),
    ];
    let mut parts = Vec::new();
    for (once, link, undo) in groups {
        let nodes = nodes_where(run, |progress| {
            progress.state() == State::Armed
                && progress.once_may_be_set() == once
                && progress.link_may_be_set() == link
        });
        if nodes.is_empty() {
            continue;
        }
        let set = fold(&nodes);
        let is_left = plural::of(
            nodes.len(),
            "is left armed and reinstalls at its next network boot",
            "are left armed and reinstall at their next network boot",
        );
        let it = plural::of(nodes.len(), "it", "them");
        parts.push(format!("{set} {is_left}"));
        parts.push(format!("disarm {it} with {}", commands(program, undo, &set)));
    }
    parts
}

/// The machines nobody can say anything of.
fn unknown(run: &Run, program: &str) -> Vec<String> {
    let nodes = nodes_where(run, |progress| progress.state() == State::Unknown);
    if nodes.is_empty() {
        return Vec::new();
    }
    let set = fold(&nodes);
    let it = plural::of(nodes.len(), "it", "them");
    vec![
        format!(
            "whether {set} {} is not known",
            plural::of(nodes.len(), "reinstalls", "reinstall")
        ),
        format!("look with \"{program} provision status -n {}\"", shell(&set)),
        format!("disarm {it} with {}", commands(program, &["bmc boot unset", "boot unset"], &set)),
    ]
}

fn class(run: &Run) -> ExitClass {
    let machines = run.machines.iter().map(Progress::class);
    let shared = run.shared.iter().chain(&run.keys_lost).map(|cause| cause.class);
    let interrupted = run.interrupted.then_some(ExitClass::Interrupted);
    ExitClass::worst(machines.chain(shared).chain(interrupted).chain([ExitClass::Failed]))
}

fn nodes_where(run: &Run, matches: impl Fn(&Progress) -> bool) -> Vec<String> {
    let kept = run.machines.iter().filter(|progress| matches(progress));
    kept.map(|progress| progress.machine.node.clone()).collect()
}

/// The commands as a person types them, each in quotation marks.
fn commands(program: &str, undo: &[&str], set: &str) -> String {
    let quoted: Vec<String> =
        undo.iter().map(|words| format!("\"{program} {words} -n {}\"", shell(set))).collect();
    quoted.join(" and ")
}

/// A node set as a shell takes it: brackets would be patterns.
fn shell(set: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ',' | '_');
    if set.chars().all(plain) { set.to_owned() } else { format!("'{set}'") }
}
