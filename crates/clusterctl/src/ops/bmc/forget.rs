//! `bmc forget`: certificates that are no longer trusted.

use std::collections::BTreeMap;

use redfish::{Endpoint, FilePins, Fingerprint};
use serde::Serialize;

use crate::exit::Stop;
use crate::gate::{Approval, Preview};
use crate::ops::bmc::fan_out;
use crate::output::{Outcome, Output, Table};
use crate::selection::Selection;
use crate::session::Session;

/// One certificate that is on record.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    bmc: String,
    fingerprint: Option<String>,
    result: &'static str,
}

/// Whose certificate is meant: by nodes, or by the service processor as a message names it.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "the command takes the one or the other")]
pub enum Whose {
    /// The nodes of -n.
    Nodes(Selection),
    /// Nodes and service processors, as typed.
    Names(Vec<String>),
}

/// Removes the certificates from the record: the next contact is a first contact. No machine is
/// touched, so nobody is protected from it.
pub fn forget(session: &Session, whose: Whose) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let pins = connections.pins();
    let recorded = pins.pins().map_err(|error| unusable(pins, &error))?;
    let wanted = match whose {
        Whose::Nodes(selection) => {
            let endpoint =
                |node| connections.place(node).map(|endpoint| (node.name().to_string(), endpoint));
            selection.nodes().iter().map(endpoint).collect::<Result<Vec<_>, _>>()?
        }
        Whose::Names(names) => {
            let named = |name: &String| named(session, &connections, name, &recorded);
            names.iter().map(named).collect::<Result<Vec<_>, _>>()?
        }
    };
    let mut preview = Preview::new("forget the certificates of", wanted.iter().map(|(n, _)| n));
    let file = pins.path().display().to_string();
    let mut any = false;
    for (_, endpoint) in &wanted {
        let found = recorded.get(&endpoint.to_string());
        any |= found.is_some();
        let what = found.map_or("nothing is recorded".to_owned(), |seen| format!("sha256:{seen}"));
        preview = preview.with_detail(format!("{endpoint} in {file}: {what}"));
    }
    if !any {
        let hosts: Vec<String> = wanted.iter().map(|(_, endpoint)| endpoint.to_string()).collect();
        let hosts = hosts.join(", ");
        return Err(Stop::failed(format!(
            "{file} has no certificate of {hosts}; nothing was removed"
        )));
    }
    if let Approval::Rehearsed(output) = session.gate().approve(preview)? {
        return Ok(Outcome::of(output));
    }
    remove(pins, wanted)
}

fn remove(pins: &FilePins, wanted: Vec<(String, Endpoint)>) -> Result<Outcome, Stop> {
    let mut table = Table::titled(&["NAME", "BMC", "FINGERPRINT", "RESULT"]);
    let mut rows = Vec::new();
    for (name, endpoint) in wanted {
        let removed = pins.forget(&endpoint).map_err(|error| unusable(pins, &error))?;
        let row = Row {
            name,
            bmc: endpoint.to_string(),
            fingerprint: removed.map(|seen| format!("sha256:{seen}")),
            result: if removed.is_some() { "forgotten" } else { "nothing recorded" },
        };
        let fingerprint = row.fingerprint.as_deref().unwrap_or("");
        table.push([row.name.as_str(), row.bmc.as_str(), fingerprint, row.result]);
        rows.push(row);
    }
    let missing: Vec<&str> =
        rows.iter().filter(|row| row.fingerprint.is_none()).map(|row| row.bmc.as_str()).collect();
    let stop = (!missing.is_empty())
        .then(|| Stop::failed(format!("no certificate was recorded of {}", missing.join(", "))));
    Ok(Outcome::of(Output::table(table, &rows)).with_stop(stop))
}

/// A service processor as a message names it comes first; everything else is a node.
fn named(
    session: &Session,
    connections: &crate::bmc::Connections<'_>,
    name: &str,
    recorded: &BTreeMap<String, Fingerprint>,
) -> Result<(String, Endpoint), Stop> {
    let port = session.site().settings().bmc.redfish.port;
    if let Ok(endpoint) = Endpoint::new(name, port)
        && recorded.contains_key(&endpoint.to_string())
    {
        return Ok((name.to_owned(), endpoint));
    }
    if let Some((host, port)) = name.rsplit_once(':')
        && let Some(endpoint) = port.parse().ok().and_then(|port| Endpoint::new(host, port).ok())
        && recorded.contains_key(&endpoint.to_string())
    {
        return Ok((name.to_owned(), endpoint));
    }
    let node = session.node(name)?;
    let endpoint = connections.place(&node)?;
    Ok((node.name().to_string(), endpoint))
}

fn unusable(pins: &FilePins, error: &redfish::PinError) -> Stop {
    let why = crate::diagnostics::chain(error);
    Stop::failed(format!("{}: {why}", pins.path().display()))
}
