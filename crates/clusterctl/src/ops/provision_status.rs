//! `provision status`: where nodes are on their way.

use pxe_links::{Entry, Lifetime, Place, Reading};
use serde::Serialize;

use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::ops::bmc::{fan_out, words};
use crate::ops::boot::PxeHost;
use crate::ops::dhcp::{AddressError, BootAddresses};
use crate::output::{Column, Outcome, Output, Table};
use crate::pool;
use crate::reach::Request;
use crate::selection::{Selection, fold};
use crate::session::Session;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: String,
    boot_path: Option<String>,
    boot_once: Option<String>,
    power: Option<String>,
    ssh: bool,
    uptime: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A service processor's answer: the power state and the override.
type Machine = Result<(String, String), Cause>;

/// Links, power, ssh and uptime. The service processors and the nodes are asked at the same time.
pub fn provision_status(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let ((links, machines), uptimes) = std::thread::scope(|scope| {
        let nodes = scope.spawn(|| uptimes(session, selection));
        let machines = scope.spawn(|| {
            fan_out::ask(session, &connections, selection.nodes(), |bmc| {
                let system = bmc.system()?;
                let shown = bmc.boot_override()?;
                Ok((system.power_state().to_string(), words(&shown)))
            })
        });
        let links = links(session, selection);
        let machines: Vec<Machine> = joined(machines.join())
            .into_iter()
            .map(|answer| answer.map(|(power, (source, mode))| (power, once(&source, &mode))))
            .collect();
        ((links, machines), joined(nodes.join()))
    });
    Ok(report(session, selection, links, machines, uptimes))
}

/// A panic of a thread is a panic of the program.
fn joined<T>(result: std::thread::Result<T>) -> T {
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn once(source: &str, mode: &str) -> String {
    if mode.is_empty() { source.to_owned() } else { format!("{source} ({mode})") }
}

/// The link of every node, in order.
fn links(session: &Session, selection: &Selection) -> Vec<Result<String, Cause>> {
    let all = |cause: Cause| selection.names().iter().map(|_| Err(cause.clone())).collect();
    let pxe = match PxeHost::of(session) {
        Ok(pxe) => pxe,
        Err(stop) => return all(Cause::of_stop(&stop)),
    };
    let addresses = match BootAddresses::find(session, selection) {
        Ok(addresses) => addresses,
        Err(stop) => return all(Cause::of_stop(&stop)),
    };
    let clients = addresses.each().filter_map(|address| address.as_ref().ok()).copied();
    let present = match pxe.read(&Reading::of(pxe.layout(), clients)) {
        Ok(present) => present,
        Err(cause) => return all(cause),
    };
    let link = |address: &Result<std::net::IpAddr, AddressError>| match address {
        Ok(client) => {
            let shown =
                |lifetime| present.entry(Place::Pxe(*client, lifetime)).and_then(Entry::target);
            let found = shown(Lifetime::Once).or_else(|| shown(Lifetime::Persistent));
            Ok(found.map_or("none".to_owned(), std::borrow::Cow::into_owned))
        }
        Err(error) => Err(Cause::unknown(error)),
    };
    addresses.each().map(link).collect()
}

/// How long every node has been up; `None` for one that does not answer over ssh yet.
fn uptimes(session: &Session, selection: &Selection) -> Vec<Option<String>> {
    let ask = |node: &crate::site::Node| {
        let target = session.site().target(node);
        let answer = session.ask(&target, Request::argv(["cat", "/proc/uptime"])).ok()?;
        if !answer.succeeded() {
            return None;
        }
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let seconds: f64 = text.split_whitespace().next()?.parse().ok()?;
        Some(spoken(std::time::Duration::from_secs_f64(seconds.clamp(0.0, 1e12))))
    };
    let answers = pool::run(selection.nodes(), session.width(), session.interrupt(), ask);
    answers.into_iter().map(Option::flatten).collect()
}

/// The two greatest units, such as `3d2h` or `45s`.
fn spoken(time: std::time::Duration) -> String {
    let total = time.as_secs();
    let parts = [
        (total / 86_400, "d"),
        (total / 3_600 % 24, "h"),
        (total / 60 % 60, "m"),
        (total % 60, "s"),
    ];
    let first = parts.iter().position(|(number, _)| *number > 0).unwrap_or(3);
    let shown = parts[first..].iter().take(2).filter(|(number, _)| *number > 0 || first == 3);
    shown.map(|(number, unit)| format!("{number}{unit}")).collect()
}

fn report(
    session: &Session,
    selection: &Selection,
    links: Vec<Result<String, Cause>>,
    machines: Vec<Machine>,
    uptimes: Vec<Option<String>>,
) -> Outcome {
    let mut table = Table::new([
        Column::new("NODE"),
        Column::new("BOOT PATH"),
        Column::wide("BOOT ONCE"),
        Column::new("POWER"),
        Column::new("SSH"),
        Column::new("UPTIME"),
        Column::new("ERROR"),
    ]);
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    let (mut linked, mut overridden) = (Vec::new(), Vec::new());
    let answers = links.into_iter().zip(machines).zip(uptimes);
    for (node, ((link, machine), uptime)) in selection.names().into_iter().zip(answers) {
        if link.as_ref().is_ok_and(|path| path != "none") {
            linked.push(node.clone());
        }
        if machine.as_ref().is_ok_and(|(_, once)| boots_from_network(once)) {
            overridden.push(node.clone());
        }
        let causes: Vec<Cause> =
            [link.as_ref().err(), machine.as_ref().err()].into_iter().flatten().cloned().collect();
        let error: Vec<&str> = causes.iter().map(|cause| cause.detail.as_str()).collect();
        let row = Row {
            node: node.clone(),
            boot_path: link.ok(),
            boot_once: machine.as_ref().ok().map(|(_, once)| once.clone()),
            power: machine.ok().map(|(power, _)| power),
            ssh: uptime.is_some(),
            uptime,
            error: (!error.is_empty()).then(|| error.join("; ")),
        };
        failures.extend(causes.into_iter().map(|cause| (node.clone(), cause)));
        let cell = |cell: &Option<String>| cell.clone().unwrap_or_default();
        table.push([
            row.node.clone(),
            cell(&row.boot_path),
            cell(&row.boot_once),
            cell(&row.power),
            if row.ssh { "yes" } else { "no" }.to_owned(),
            cell(&row.uptime),
            cell(&row.error),
        ]);
        rows.push(row);
    }
    let output = Output::table(table, &rows).with_nodes(selection.names());
    let stop = fan_out::stop_for("reading boot links or power states", &failures);
    let mut outcome = Outcome::of(output).with_stop(stop);
    outcome.notes = armed_notes(session.program(), &linked, &overridden);
    if session.interrupt().is_raised() {
        outcome.stop = Some(Stop::with_class(ExitClass::Interrupted, "interrupted"));
    }
    outcome
}

/// Whether an override sends the machine to the network, as boards read it back.
fn boots_from_network(once: &str) -> bool {
    ["Pxe", "UefiHttp", "UefiBootNext"].iter().any(|source| once.starts_with(source))
}

/// Who reinstalls at the next network boot, and how to disarm it: a run that was killed says
/// nothing itself.
fn armed_notes(program: &str, linked: &[String], overridden: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    let both: Vec<String> = linked.iter().filter(|n| overridden.contains(n)).cloned().collect();
    let only = |these: &[String]| -> Vec<String> {
        these.iter().filter(|node| !both.contains(node)).cloned().collect()
    };
    let groups = [
        (both.clone(), "armed: a boot link and a boot override are set", "bmc boot unset", true),
        (only(overridden), "set to boot from the network once", "bmc boot unset", false),
        (only(linked), "armed: a boot link is set", "boot unset", false),
    ];
    for (nodes, what, undo, links_too) in groups {
        if nodes.is_empty() {
            continue;
        }
        let set = fold(&nodes);
        let is = crate::output::plural::of(nodes.len(), "is", "are");
        let it = crate::output::plural::of(nodes.len(), "it", "them");
        let mut note =
            format!("{set} {is} {what}; disarm {it} with \"{program} {undo} -n '{set}'\"");
        if links_too {
            note.push_str(&format!(" and \"{program} boot unset -n '{set}'\""));
        }
        notes.push(note);
    }
    notes
}
