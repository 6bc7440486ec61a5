//! `exec`: a command on many nodes.

use std::time::Duration;

use serde::Serialize;

use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Permit, Preview};
use crate::output::{Outcome, Output, escape, plural};
use crate::pool;
use crate::reach::{Answer, Ended, Request, Target};
use crate::selection::{Selection, fold};
use crate::session::Session;
use crate::site::Node;

/// What runs, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// The command's words, or the script's parameters.
    pub words: Vec<String>,
    /// A script in place of a command.
    pub script: Option<String>,
    /// What the command reads on every node.
    pub input: Vec<u8>,
    /// The account, in place of the context's.
    pub user: Option<String>,
    /// Whether equal answers are shown once.
    pub dedup: bool,
    /// Whether a question is asked.
    pub confirm: bool,
    /// How long it may run on a node.
    pub timeout: Option<Duration>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TargetRow {
    name: String,
    host: String,
    user: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    target: TargetRow,
    exit_code: Option<u32>,
    stdout: String,
    stderr: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Runs it on every node, side by side. A protected host is refused whether or not a question is
/// asked; Slurm is not asked.
pub fn exec(session: &Session, selection: Selection, options: &Options) -> Result<Outcome, Stop> {
    if options.words.is_empty() && options.script.is_none() {
        return Err(Stop::usage("there is no command: write it behind --, or give --script"));
    }
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let selection = admitted.selection();
    let mut preview =
        Preview::new("run a command on", selection.names()).with_detail(shown(options));
    if !options.input.is_empty() {
        let size = plural::count(options.input.len(), "byte");
        preview = preview.with_detail(format!("with {size} of standard input"));
    }
    let approval =
        if options.confirm { gate.approve(preview)? } else { gate.without_question(preview) };
    let permit = match approval {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(permit) => permit,
    };
    let answers = pool::run(selection.nodes(), session.width(), session.interrupt(), |node| {
        one(session, &permit, node, options)
    });
    let answers = answers.into_iter().map(|a| a.unwrap_or_else(|| Err(Cause::interrupted())));
    let answers: Vec<_> = answers.collect();
    Ok(report(session, selection, options, &answers))
}

fn shown(options: &Options) -> String {
    match &options.script {
        Some(_) => "a script".to_owned(),
        None => crate::reach::quote_line(options.words.iter().map(String::as_str)),
    }
}

fn target(session: &Session, node: &Node, options: &Options) -> Target {
    let mut target = session.site().target(node);
    if options.user.is_some() {
        target.user.clone_from(&options.user);
    }
    target
}

fn one(
    session: &Session,
    permit: &Permit,
    node: &Node,
    options: &Options,
) -> Result<Answer, Cause> {
    let request = match &options.script {
        Some(text) => Request::script_with(text.clone(), options.words.iter().cloned()),
        None => Request::argv(options.words.iter().cloned()).with_stdin(options.input.clone()),
    };
    let request = match options.timeout {
        Some(timeout) => request.with_timeout(timeout),
        None => request,
    };
    let target = target(session, node, options);
    session.change(permit, &target, request).map_err(|error| Cause::of_reach(&error))
}

fn report(
    session: &Session,
    selection: &Selection,
    options: &Options,
    answers: &[Result<Answer, Cause>],
) -> Outcome {
    let mut classes = Vec::new();
    let mut failures: Vec<(String, Vec<String>)> = Vec::new();
    let mut rows = Vec::new();
    for (node, answer) in selection.nodes().iter().zip(answers) {
        let (class, failure) = judge(answer);
        classes.push(class);
        if let Some(failure) = &failure {
            let name = node.name().to_string();
            match failures.iter_mut().find(|(known, _)| options.dedup && known == failure) {
                Some((_, nodes)) => nodes.push(name),
                None => failures.push((failure.clone(), vec![name])),
            }
        }
        let target = target(session, node, options);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        rows.push(Row {
            target: TargetRow { name: target.name, host: target.host, user: target.user },
            exit_code: answer.as_ref().ok().and_then(|answer| match answer.ended {
                Ended::Exit(status) => Some(status),
                _ => None,
            }),
            stdout: answer.as_ref().map_or(String::new(), |answer| text(&answer.stdout)),
            stderr: answer.as_ref().map_or(String::new(), |answer| text(&answer.stderr)),
            error: failure,
        });
    }
    let human =
        if options.dedup { together(selection, answers) } else { by_node(selection, answers) };
    let failed = classes.iter().filter(|class| **class != ExitClass::Success).count();
    let mut outcome = Outcome::of(Output::text(human, &rows).with_nodes(selection.names()));
    let notes = failures.iter().map(|(failure, nodes)| format!("{}: {failure}", fold(nodes)));
    outcome.notes = notes.collect();
    outcome.stop = (failed > 0).then(|| {
        let of = plural::count(selection.len(), "node");
        Stop::with_class(ExitClass::worst(classes), format!("{failed} of {of} failed"))
    });
    outcome
}

/// The class, and what is said of a failure.
fn judge(answer: &Result<Answer, Cause>) -> (ExitClass, Option<String>) {
    match answer {
        Err(cause) => (cause.class, Some(format!("{}: {}", cause.short, cause.detail))),
        Ok(answer) => match answer.failure() {
            None => (ExitClass::Success, None),
            Some(failure) => (ExitClass::Failed, Some(escape::line(&failure))),
        },
    }
}

/// `node: line`, in the order of the nodes.
fn by_node(selection: &Selection, answers: &[Result<Answer, Cause>]) -> String {
    let mut text = String::new();
    for (node, answer) in selection.nodes().iter().zip(answers) {
        let Ok(answer) = answer else { continue };
        for line in String::from_utf8_lossy(&answer.stdout).lines() {
            text.push_str(&format!("{}: {}\n", node.name(), escape::line(line)));
        }
    }
    text
}

/// Nodes with the same answer together: `SET (count): ok`, then the text once.
fn together(selection: &Selection, answers: &[Result<Answer, Cause>]) -> String {
    let mut groups: Vec<(String, &[u8], Vec<String>)> = Vec::new();
    for (node, answer) in selection.nodes().iter().zip(answers) {
        let (end, stdout): (String, &[u8]) = match answer {
            Err(cause) => (cause.short.clone(), &[]),
            Ok(answer) => match &answer.ended {
                Ended::Exit(0) => ("ok".to_owned(), &answer.stdout),
                Ended::Exit(status) => (format!("exit {status}"), &answer.stdout),
                Ended::Signal(signal) => (format!("signal {signal}"), &answer.stdout),
                Ended::TimedOut => ("timed out".to_owned(), &answer.stdout),
            },
        };
        let same = groups.iter_mut().find(|(known, text, _)| *known == end && *text == stdout);
        match same {
            Some((_, _, nodes)) => nodes.push(node.name().to_string()),
            None => groups.push((end, stdout, vec![node.name().to_string()])),
        }
    }
    let mut text = String::new();
    for (end, stdout, nodes) in groups {
        text.push_str(&format!("{} ({}): {end}\n", fold(&nodes), nodes.len()));
        for line in String::from_utf8_lossy(stdout).lines() {
            text.push_str(&format!("  {}\n", escape::line(line)));
        }
    }
    text
}
