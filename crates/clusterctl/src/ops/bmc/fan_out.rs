//! The same question to many service processors, one row each.

use serde::Serialize;

use crate::bmc::{BmcError, Connections, Line, cause_of};
use crate::cause::Cause;
use crate::config::Layer;
use crate::config::kinds::BmcTransport;
use crate::credentials::Credentials;
use crate::exit::{Classify, ExitClass, Stop};
use crate::pool;
use crate::selection::{Selection, fold};
use crate::session::Session;
use crate::site::Node;

/// The credentials of a run.
pub(crate) fn credentials(session: &Session) -> Credentials<'_> {
    Credentials::new(session.site(), session.person(), session.environment())
}

/// The way to the service processors of a run.
pub(crate) fn connections<'a>(
    session: &'a Session,
    credentials: &'a Credentials<'a>,
) -> Connections<'a> {
    let interrupt = session.interrupt().clone();
    let person = session.shared_person();
    Connections::new(session.site(), credentials, person, interrupt, session.is_dry_run())
}

/// How many service processors are asked at a time: `bmc.redfish.maxConcurrent`, which `--fanout` and
/// `$CLUSTERCTL_FANOUT` can only lower. A `fanout.max` of a document is about hosts and ssh.
pub(crate) fn width(session: &Session) -> std::num::NonZeroUsize {
    lowered(session, session.site().settings().bmc.redfish.max_concurrent)
}

/// A bound on service processors, which `--fanout` and `$CLUSTERCTL_FANOUT` can only lower.
pub(crate) fn lowered(session: &Session, bound: std::num::NonZeroUsize) -> std::num::NonZeroUsize {
    let fanout = session.site().resolved().provenance.nearest(&["fanout", "max"]);
    match fanout.layer {
        Layer::Environment | Layer::Flag => bound.min(session.width()),
        _ => bound,
    }
}

/// Asks every node's service processor something that changes nothing and that Redfish alone knows.
pub(crate) fn ask<R: Send>(
    session: &Session,
    connections: &Connections<'_>,
    nodes: &[Node],
    question: impl Fn(&redfish::Bmc<Line>) -> Result<R, redfish::Error> + Sync,
) -> Vec<Result<R, Cause>> {
    ask_through(session, nodes, |node| connections.redfish_reader(node), question)
}

/// As [`ask`], for what a service processor tells everybody: no credential is needed or sent.
pub(crate) fn ask_anybody<R: Send>(
    session: &Session,
    connections: &Connections<'_>,
    nodes: &[Node],
    question: impl Fn(&redfish::Bmc<Line>) -> Result<R, redfish::Error> + Sync,
) -> Vec<Result<R, Cause>> {
    ask_through(session, nodes, |node| connections.anonymous(node), question)
}

fn ask_through<R: Send>(
    session: &Session,
    nodes: &[Node],
    way: impl Fn(&Node) -> Result<redfish::Bmc<Line>, BmcError> + Sync,
    question: impl Fn(&redfish::Bmc<Line>) -> Result<R, redfish::Error> + Sync,
) -> Vec<Result<R, Cause>> {
    let answers = pool::run(nodes, width(session), session.interrupt(), |node| {
        let bmc = way(node).map_err(|error| cause_of_setup(&error))?;
        question(&bmc).map_err(|error| {
            if session.interrupt().is_raised() { Cause::interrupted() } else { cause_of(&error) }
        })
    });
    answers.into_iter().map(|answer| answer.unwrap_or_else(|| Err(Cause::interrupted()))).collect()
}

/// Why a service processor could not be asked at all.
pub(crate) fn cause_of_setup(error: &BmcError) -> Cause {
    let short = match error.exit_class() {
        ExitClass::Unreachable => "unresolved",
        _ => "not asked",
    };
    Cause::new(error.exit_class(), short, crate::diagnostics::chain(error))
}

/// Everything that can be known without a connection, for every node, before anything is sent;
/// `check` says it of one.
pub(crate) fn check_all(
    selection: &Selection,
    check: impl Fn(&Node) -> Result<(), BmcError>,
) -> Result<(), Stop> {
    let mut classes = Vec::new();
    let mut problems = Vec::new();
    for node in selection.nodes() {
        if let Err(error) = check(node) {
            classes.push(error.exit_class());
            let text = crate::diagnostics::chain(&error);
            if !problems.contains(&text) {
                problems.push(text);
            }
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(Stop::with_class(ExitClass::worst(classes), problems.join("; ")))
}

/// A row of a table of nodes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StateRow {
    pub(crate) node: String,
    pub(crate) state: String,
    /// Which way was tried last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) via: Option<BmcTransport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// The cell of the column VIA.
pub(crate) fn via_cell(way: Option<BmcTransport>) -> String {
    way.map_or_else(String::new, |way| way.to_string())
}

/// The failure of a command for the nodes that failed, its causes grouped.
pub(crate) fn stop_for(what: &str, failures: &[(String, Cause)]) -> Option<Stop> {
    if failures.is_empty() {
        return None;
    }
    let mut groups: Vec<(&Cause, Vec<String>)> = Vec::new();
    for (node, cause) in failures {
        match groups.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, nodes)) => nodes.push(node.clone()),
            None => groups.push((cause, vec![node.clone()])),
        }
    }
    let class = ExitClass::worst(groups.iter().map(|(cause, _)| cause.class));
    let causes: Vec<String> =
        groups.iter().map(|(cause, nodes)| format!("{}: {}", fold(nodes), cause.detail)).collect();
    Some(Stop::with_class(class, format!("{what} failed: {}", causes.join("; "))))
}
