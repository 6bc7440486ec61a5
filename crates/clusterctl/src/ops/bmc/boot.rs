//! `bmc boot`: the source of the next boot.

use redfish::{BootClear, BootMode, BootRequest, BootSource, ModeOption, ReadBack};
use serde::Serialize;

use crate::bmc::{Connections, cause_of};
use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Permit, Preview};
use crate::journal::Journal;
use crate::ops::bmc::change::sent_or_unknown;
use crate::ops::bmc::fan_out;
use crate::output::{Outcome, Output, Table};
use crate::pool;
use crate::selection::Selection;
use crate::session::Session;
use crate::site::Node;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: String,
    source: String,
    mode: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// How a boot source is set.
#[derive(Debug, Clone, Copy, Default)]
pub struct BootOptions {
    /// For every boot in place of the next one.
    pub persistent: bool,
    /// The firmware's mode; none leaves it to what the service processor needs.
    pub mode: Option<BootMode>,
    /// Whether a source goes that the service processor does not list.
    pub unlisted: bool,
}

/// What a machine boots next: the source, and for how long.
type Shown = Result<(String, String), Cause>;

/// The boot override of every machine.
pub fn show(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers =
        fan_out::ask(session, &connections, selection.nodes(), redfish::Bmc::boot_override);
    let shown = answers.into_iter().map(|answer| answer.map(|shown| words(&shown))).collect();
    Ok(report(selection, shown, "reading the boot source"))
}

/// Sets the source of the next boot, or of every boot, and reads it back.
pub fn set(
    session: &Session,
    selection: Selection,
    source: &str,
    options: BootOptions,
) -> Result<Outcome, Stop> {
    let source = BootSource::from(source);
    let when = if options.persistent { "at every boot" } else { "once" };
    let mode = options.mode.map(|mode| format!(", as {mode}")).unwrap_or_default();
    let action = format!("set to boot from {} {when}{mode}", source.as_str());
    let request = if options.persistent {
        BootRequest::continuous(source)
    } else {
        BootRequest::once(source)
    };
    let request = match options.mode {
        Some(mode) => request.with_mode(ModeOption::Set(mode)),
        None => request,
    };
    let request = if options.unlisted { request.even_if_not_listed() } else { request };
    change(session, selection, &action, "setting the boot source", |connections, permit, node| {
        let bmc = connections.writer(node, permit).map_err(|e| fan_out::cause_of_setup(&e))?;
        let written = bmc.set_boot_override(&request).map_err(|error| sent_or_unknown(&error))?;
        match written.read_back {
            ReadBack::Set(shown) => Ok(words(&shown)),
            ReadBack::SetReadsBackContinuous(shown) => {
                Ok((words(&shown).0, "set, reads back Continuous".to_owned()))
            }
            ReadBack::NotTaken(shown) => {
                let detail = format!(
                    "{}: it took the write and reads back {}",
                    bmc.endpoint(),
                    words(&shown).0
                );
                Err(Cause::new(ExitClass::Failed, "not taken", detail))
            }
            ReadBack::Unverified(error) => Err(cause_of(&error)),
            _ => Err(Cause::new(ExitClass::Failed, "unknown", "it cannot be read back")),
        }
    })
}

/// Clears the boot override, and reads it back.
pub fn unset(session: &Session, selection: Selection) -> Result<Outcome, Stop> {
    let action = "clear the boot override of";
    change(session, selection, action, "clearing the boot override", |connections, permit, node| {
        let bmc = connections.writer(node, permit).map_err(|e| fan_out::cause_of_setup(&e))?;
        match bmc.clear_boot_override().map_err(|error| sent_or_unknown(&error))? {
            BootClear::Cleared => Ok(("none".to_owned(), String::new())),
            BootClear::StillSet(shown) => {
                let detail = format!("{}: it still reads back {}", bmc.endpoint(), words(&shown).0);
                Err(Cause::new(ExitClass::Failed, "still set", detail))
            }
            BootClear::Unverified(error) => Err(cause_of(&error)),
            _ => Err(Cause::new(ExitClass::Failed, "unknown", "it cannot be read back")),
        }
    })
}

fn change(
    session: &Session,
    selection: Selection,
    action: &str,
    doing: &str,
    act: impl Fn(&Connections<'_>, &Permit, &Node) -> Shown + Sync,
) -> Result<Outcome, Stop> {
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let selection = admitted.selection();
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    fan_out::check_all(&connections, selection)?;
    let preview = Preview::new(action, selection.names()).with_detail("through Redfish");
    let permit = match gate.approve(preview)? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(permit) => permit,
    };
    let journal = Journal::of(session, &selection.names())?;
    let results =
        pool::run(selection.nodes(), fan_out::width(session), session.interrupt(), |node| {
            act(&connections, &permit, node)
        });
    let shown: Vec<Shown> = results
        .into_iter()
        .map(|result| result.unwrap_or_else(|| Err(Cause::interrupted())))
        .collect();
    for (node, shown) in selection.names().iter().zip(&shown) {
        let error = shown.as_ref().err();
        let class = error.map_or(ExitClass::Success, |cause| cause.class);
        journal.node(node, Some(class), error.map(|cause| cause.detail.as_str()));
    }
    let outcome = report(selection, shown, doing);
    journal.finish(session, outcome.class());
    Ok(outcome)
}

fn report(selection: &Selection, shown: Vec<Shown>, doing: &str) -> Outcome {
    let mut table = Table::titled(&["NODE", "SOURCE", "MODE", "ERROR"]);
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for (node, shown) in selection.names().into_iter().zip(shown) {
        let row = match shown {
            Ok((source, mode)) => Row { node, source, mode, error: None },
            Err(cause) => {
                let row = Row {
                    node: node.clone(),
                    source: cause.short.clone(),
                    mode: String::new(),
                    error: Some(cause.detail.clone()),
                };
                failures.push((node, cause));
                row
            }
        };
        let error = row.error.as_deref().unwrap_or("");
        table.push([row.node.as_str(), row.source.as_str(), row.mode.as_str(), error]);
        rows.push(row);
    }
    let output = Output::table(table, &rows).with_nodes(selection.names());
    Outcome::of(output).with_stop(fan_out::stop_for(doing, &failures))
}

/// The source and how long it counts, in Redfish's words; none where there is no override.
pub(crate) fn words(shown: &redfish::BootOverride) -> (String, String) {
    if shown.is_set() == Some(false) {
        return ("none".to_owned(), String::new());
    }
    let source = shown.source().map_or("unknown", BootSource::as_str).to_owned();
    let enabled =
        shown.enabled().map_or("unknown".to_owned(), |enabled| enabled.as_str().to_lowercase());
    (source, enabled)
}
