//! `bmc boot`: the source of the next boot.

use redfish::{Bmc, BootClear, BootMode, BootRequest, BootSource, ModeOption, ReadBack};
use serde::Serialize;

use crate::bmc::ipmi::{BootDevice, BootFlags, BootWish, Ipmi, IpmiError, Peer, UnknownDevice};
use crate::bmc::{Line, cause_of};
use crate::cause::Cause;
use crate::config::kinds::BmcTransport;
use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Permit, Preview};
use crate::journal::Journal;
use crate::ops::bmc::change::sent_or_unknown;
use crate::ops::bmc::fan_out;
use crate::ops::bmc::ways::{Answered, Missed, Ways, missed_read};
use crate::output::{Column, Outcome, Output, Table};
use crate::selection::Selection;
use crate::session::Session;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: String,
    source: String,
    mode: String,
    /// Which way was tried last.
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<BmcTransport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The boot override of every machine; `only_ipmi` whatever the order says.
pub fn show(session: &Session, selection: &Selection, only_ipmi: bool) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let ways = Ways::new(session, &connections, only_ipmi)?;
    let shown = ways.ask(
        selection.nodes(),
        |node| {
            let bmc = connections.reader(node).map_err(|error| Missed::from(&error))?;
            let shown = bmc.boot_override().map_err(|error| missed_read(session, &error))?;
            Ok(words(&shown))
        },
        |ipmi, peers| of_ipmi(ipmi.boot_flags(peers)),
    );
    Ok(report(selection, &ways, shown, "reading the boot source"))
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
    /// Whether IPMI is the only way, whatever the order says.
    pub only_ipmi: bool,
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
    let request = if options.persistent {
        BootRequest::continuous(source.clone())
    } else {
        BootRequest::once(source.clone())
    };
    let request = match options.mode {
        Some(mode) => request.with_mode(ModeOption::Set(mode)),
        None => request,
    };
    let request = if options.unlisted { request.even_if_not_listed() } else { request };
    let change = Change {
        action: format!("set to boot from {} {when}{mode}", source.as_str()),
        doing: "setting the boot source",
        wish: BootDevice::try_from(&source).map(|device| BootWish {
            device,
            persistent: options.persistent,
            legacy: options.mode == Some(BootMode::Legacy),
        }),
        only_ipmi: options.only_ipmi,
    };
    change.carry_out(session, selection, |bmc| {
        let written = bmc.set_boot_override(&request).map_err(|error| missed_change(&error))?;
        let shown = match written.read_back {
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
        };
        shown.map_err(Missed::finally)
    })
}

/// Clears the boot override, and reads it back.
pub fn unset(session: &Session, selection: Selection, only_ipmi: bool) -> Result<Outcome, Stop> {
    let change = Change {
        action: "clear the boot override of".to_owned(),
        doing: "clearing the boot override",
        wish: Ok(BootWish { device: BootDevice::None, persistent: false, legacy: false }),
        only_ipmi,
    };
    change.carry_out(session, selection, |bmc| {
        let shown = match bmc.clear_boot_override().map_err(|error| missed_change(&error))? {
            BootClear::Cleared => Ok(("none".to_owned(), String::new())),
            BootClear::StillSet(shown) => {
                let detail = format!("{}: it still reads back {}", bmc.endpoint(), words(&shown).0);
                Err(Cause::new(ExitClass::Failed, "still set", detail))
            }
            BootClear::Unverified(error) => Err(cause_of(&error)),
            _ => Err(Cause::new(ExitClass::Failed, "unknown", "it cannot be read back")),
        };
        shown.map_err(Missed::finally)
    })
}

/// A change whose outcome is open is told as such, and never tried another way.
fn missed_change(error: &redfish::Error) -> Missed {
    Missed { cause: sent_or_unknown(error), ..Missed::from(error) }
}

/// What is shown over IPMI, in the same words.
fn of_ipmi(results: Vec<Result<BootFlags, IpmiError>>) -> Vec<Result<(String, String), Missed>> {
    let shown = |flags: BootFlags| (flags.source(), flags.mode().to_owned());
    let missed = |error: IpmiError| {
        let missed = Missed::from(&error);
        if error.leaves_outcome_open() {
            let short = "outcome unknown".to_owned();
            let class = missed.cause.class.max(ExitClass::Unreachable);
            return Missed::finally(Cause { class, short, ..missed.cause });
        }
        missed
    };
    results.into_iter().map(|result| result.map(shown).map_err(missed)).collect()
}

/// A change of the boot override.
struct Change {
    action: String,
    doing: &'static str,
    /// What IPMI calls it, if it can be told.
    wish: Result<BootWish, UnknownDevice>,
    only_ipmi: bool,
}

impl Change {
    /// Carries it out by each node's ways; `redfish` is the one through Redfish.
    fn carry_out(
        &self,
        session: &Session,
        selection: Selection,
        redfish: impl Fn(&Bmc<Line>) -> Result<(String, String), Missed> + Sync,
    ) -> Result<Outcome, Stop> {
        let gate = session.gate();
        let admitted = gate.admit(selection)?;
        let selection = admitted.selection();
        let credentials = fan_out::credentials(session);
        let connections = fan_out::connections(session, &credentials);
        let ways = Ways::new(session, &connections, self.only_ipmi)?;
        ways.check_all(selection)?;
        if let Err(unknown) = &self.wish
            && ways.begin_with_ipmi(selection)
        {
            return Err(Stop::usage(unknown.to_string()));
        }
        let mut preview = Preview::new(self.action.as_str(), selection.names());
        preview.details.extend(ways.lines(selection));
        let permit = match gate.approve(preview)? {
            Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
            Approval::Granted(permit) => permit,
        };
        let journal = Journal::of(session, &selection.names())?;
        let shown = ways.ask(
            selection.nodes(),
            |node| {
                let bmc =
                    connections.writer(node, &permit).map_err(|error| Missed::from(&error))?;
                redfish(&bmc)
            },
            |ipmi, peers| self.through_ipmi(&permit, ipmi, peers),
        );
        for (node, answered) in selection.names().iter().zip(&shown) {
            let error = answered.result.as_ref().err();
            let class = error.map_or(ExitClass::Success, |cause| cause.class);
            journal.node(node, Some(class), error.map(|cause| cause.detail.as_str()));
        }
        let outcome = report(selection, &ways, shown, self.doing);
        journal.finish(session, outcome.class());
        Ok(outcome)
    }

    fn through_ipmi(
        &self,
        permit: &Permit,
        ipmi: &Ipmi<'_>,
        peers: &[Peer],
    ) -> Vec<Result<(String, String), Missed>> {
        match &self.wish {
            Ok(wish) => of_ipmi(ipmi.set_boot(permit, peers, *wish)),
            Err(unknown) => {
                let cause = Cause::new(ExitClass::Usage, "not sent", unknown.to_string());
                peers.iter().map(|_| Err(Missed::finally(cause.clone()))).collect()
            }
        }
    }
}

fn report(
    selection: &Selection,
    ways: &Ways<'_>,
    shown: Vec<Answered<(String, String)>>,
    doing: &str,
) -> Outcome {
    let via = ways.column(selection);
    let [node, source, mode, error] = ["NODE", "SOURCE", "MODE", "ERROR"].map(Column::new);
    let mut table = Table::new([node, source, mode, via, error]);
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for (node, Answered { via, result }) in selection.names().into_iter().zip(shown) {
        let row = match result {
            Ok((source, mode)) => Row { node, source, mode, via, error: None },
            Err(cause) => {
                let row = Row {
                    node: node.clone(),
                    source: cause.short.clone(),
                    mode: String::new(),
                    via,
                    error: Some(cause.detail.clone()),
                };
                failures.push((node, cause));
                row
            }
        };
        let error = row.error.as_deref().unwrap_or("");
        let via = fan_out::via_cell(row.via);
        table.push([row.node.as_str(), row.source.as_str(), row.mode.as_str(), &via, error]);
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
