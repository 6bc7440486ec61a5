//! `hostkey`: the keys of hosts, in the site's file and as hosts show them.

use std::path::Path;

use serde::Serialize;

use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::gate::{Approval, Preview};
use crate::hostkeys::{Entry, HostKey, HostKeyFile, KnownHosts, Marker, Verdict};
use crate::journal::Journal;
use crate::output::{Outcome, Output, Table};
use crate::pool;
use crate::selection::Selection;
use crate::session::Session;
use crate::site::Node;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryRow {
    hosts: String,
    marker: Option<&'static str>,
    r#type: String,
    fingerprint: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HostRow {
    host: String,
    status: String,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The site's file.
fn file(session: &Session) -> Result<HostKeyFile, Stop> {
    let path = session.site().settings().ssh.known_hosts_file.clone();
    let path = path.ok_or_else(|| Stop::usage("ssh.knownHostsFile is not set"))?;
    Ok(HostKeyFile::open(Path::new(&path))?)
}

/// The names a node's keys stand under.
fn names(node: &Node) -> Vec<String> {
    let mut names = vec![node.name().to_string(), node.host().to_string()];
    names.extend(node.address().map(|address| address.to_string()));
    names.dedup();
    names
}

/// The entries of the file.
pub fn list(session: &Session) -> Result<Outcome, Stop> {
    let text = file(session)?.text()?;
    let mut table = Table::titled(&["HOSTS", "MARKER", "TYPE", "FINGERPRINT"]);
    let mut rows = Vec::new();
    for entry in text.lines().filter_map(Entry::parse) {
        let marker = entry.marker.map(|marker| match marker {
            Marker::CertAuthority => "cert-authority",
            Marker::Revoked => "revoked",
        });
        let row = EntryRow {
            hosts: entry.hosts.clone(),
            marker,
            r#type: entry.key.kind().to_owned(),
            fingerprint: entry.key.fingerprint(),
        };
        table.push([row.hosts.as_str(), marker.unwrap_or(""), &row.r#type, &row.fingerprint]);
        rows.push(row);
    }
    Ok(Outcome::of(Output::table(table, &rows)))
}

type Scanned = Vec<Result<Vec<HostKey>, Cause>>;

/// The keys that the nodes show, in their order.
fn scanned(session: &Session, selection: &Selection) -> Scanned {
    let keys = pool::run(selection.nodes(), session.width(), session.interrupt(), |node| {
        let target = session.site().target(node);
        session.reach().host_keys(&target).map_err(|error| Cause::of_reach(&error))
    });
    keys.into_iter().map(|keys| keys.unwrap_or_else(|| Err(Cause::interrupted()))).collect()
}

/// The keys that nodes show.
pub fn scan(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let mut rows = Vec::new();
    for (node, keys) in selection.nodes().iter().zip(scanned(session, selection)) {
        let host = node.host().to_string();
        match keys {
            Ok(keys) => rows.extend(keys.iter().map(|key| HostRow {
                host: host.clone(),
                status: key.kind().to_owned(),
                detail: key.fingerprint(),
                error: None,
            })),
            Err(cause) => rows.push(unreachable(host, &cause)),
        }
    }
    Ok(report("TYPE", "FINGERPRINT", &rows, selection))
}

/// Whether nodes show the keys of the file.
pub fn verify(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let known = KnownHosts::parse(&file(session)?.text()?);
    let mut rows = Vec::new();
    for (node, keys) in selection.nodes().iter().zip(scanned(session, selection)) {
        let host = node.host().to_string();
        let keys = match keys {
            Ok(keys) => keys,
            Err(cause) => {
                rows.push(unreachable(host, &cause));
                continue;
            }
        };
        let vouched = known.vouched(&host, 22);
        let judged: Vec<(Verdict, &HostKey)> =
            keys.iter().map(|key| (vouched.judge(key), key)).collect();
        let found = |wanted| judged.iter().find(|(verdict, _)| *verdict == wanted);
        let (status, key) = if let Some((_, key)) = found(Verdict::Revoked) {
            ("REVOKED", *key)
        } else if let Some((_, key)) = found(Verdict::Changed) {
            ("CHANGED", *key)
        } else if let Some((_, key)) = found(Verdict::Matches) {
            ("matches", *key)
        } else {
            ("missing", &keys[0])
        };
        let detail = format!("{} {}", key.kind(), key.fingerprint());
        let error = (status != "matches").then(|| format!("{host}: {status}"));
        rows.push(HostRow { host, status: status.to_owned(), detail, error });
    }
    let mut outcome = report("STATUS", "DETAIL", &rows, selection);
    if let Some(stop) = &outcome.stop {
        // A changed or revoked key counts before a host that does not answer.
        let text = stop.error().to_string();
        if text.contains("CHANGED") || text.contains("REVOKED") {
            outcome.stop = Some(Stop::failed(text));
        }
    }
    Ok(outcome)
}

fn unreachable(host: String, cause: &Cause) -> HostRow {
    let error = Some(format!("{host}: {}", cause.detail));
    HostRow { host, status: "unreachable".to_owned(), detail: cause.detail.clone(), error }
}

fn report(
    second: &'static str,
    third: &'static str,
    rows: &[HostRow],
    selection: &Selection,
) -> Outcome {
    let mut table = Table::titled(&["HOST", second, third]);
    for row in rows {
        table.push([row.host.as_str(), row.status.as_str(), row.detail.as_str()]);
    }
    let errors: Vec<&str> = rows.iter().filter_map(|row| row.error.as_deref()).collect();
    let class = if rows.iter().any(|row| row.status == "unreachable") {
        ExitClass::Unreachable
    } else {
        ExitClass::Failed
    };
    let stop = (!errors.is_empty()).then(|| Stop::with_class(class, errors.join("; ")));
    Outcome::of(Output::table(table, &rows).with_nodes(selection.names())).with_stop(stop)
}

/// Puts the keys that nodes show in place of their old ones. Nodes that do not answer keep theirs.
pub fn refresh(session: &Session, selection: Selection) -> Result<Outcome, Stop> {
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let selection = admitted.selection();
    let file = file(session)?;
    let known = KnownHosts::parse(&file.text()?);
    let mut preview = Preview::new("replace the host keys of", selection.names());
    let mut hosts = Vec::new();
    let mut rows = Vec::new();
    for (node, keys) in selection.nodes().iter().zip(scanned(session, selection)) {
        let host = node.host().to_string();
        match keys {
            Ok(keys) => {
                let vouched = known.vouched(&host, 22);
                for key in &keys {
                    let change = match vouched.judge(key) {
                        Verdict::Matches => "unchanged",
                        Verdict::Changed => "changed",
                        Verdict::Revoked => "REVOKED",
                        Verdict::Unknown => "new",
                    };
                    preview.details.push(format!(
                        "{host}: {} {} ({change})",
                        key.kind(),
                        key.fingerprint()
                    ));
                }
                if keys.iter().any(|key| vouched.judge(key) == Verdict::Revoked) {
                    return Err(Stop::failed(format!(
                        "{host} shows a revoked key; nothing was changed"
                    )));
                }
                rows.push(HostRow {
                    host,
                    status: "replaced".to_owned(),
                    detail: keys.iter().map(HostKey::kind).collect::<Vec<_>>().join(","),
                    error: None,
                });
                hosts.push((names(node), keys));
            }
            Err(cause) => {
                preview.details.push(format!("{host}: {} (its keys stay)", cause.detail));
                rows.push(unreachable(host, &cause));
            }
        }
    }
    match gate.approve(preview)? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(_) => {}
    }
    let journal = Journal::of(session, &selection.names())?;
    file.replace_keys(&hosts)?;
    for (node, row) in selection.names().iter().zip(&rows) {
        let class = if row.error.is_some() { ExitClass::Unreachable } else { ExitClass::Success };
        journal.node(node, Some(class), row.error.as_deref());
    }
    let outcome = report("STATUS", "DETAIL", &rows, selection);
    journal.finish(session, outcome.class());
    Ok(outcome)
}

/// Forgets the keys of nodes.
pub fn remove(session: &Session, selection: Selection) -> Result<Outcome, Stop> {
    let gate = session.gate();
    let admitted = gate.admit(selection)?;
    let selection = admitted.selection();
    let file = file(session)?;
    let preview = Preview::new("forget the host keys of", selection.names());
    match gate.approve(preview)? {
        Approval::Rehearsed(output) => return Ok(Outcome::of(output)),
        Approval::Granted(_) => {}
    }
    let journal = Journal::of(session, &selection.names())?;
    let nodes: Vec<Vec<String>> = selection.nodes().iter().map(names).collect();
    let removed = file.remove(&nodes)?;
    selection.names().iter().for_each(|node| journal.node(node, Some(ExitClass::Success), None));
    journal.finish(session, ExitClass::Success);
    let lines = crate::output::plural::count(removed.len(), "line");
    let text = format!("forgot the host keys of {} ({lines})\n", selection.fold());
    let value = serde_json::json!({"hosts": selection.names(), "lines": removed.len()});
    Ok(Outcome::of(Output::text(text, &value).with_nodes(selection.names())))
}
