//! `boot status`: which links there are.

use std::collections::BTreeMap;
use std::net::IpAddr;

use pxe_links::{Entry, Lifetime, Place, Present, Reading};
use serde::Serialize;

use crate::cause::Cause;
use crate::exit::Stop;
use crate::ops::bmc::fan_out::stop_for;
use crate::ops::boot::PxeHost;
use crate::ops::dhcp::BootAddresses;
use crate::output::{Outcome, Output, Table};
use crate::selection::Selection;
use crate::session::Session;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: Option<String>,
    address: Option<String>,
    boot_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persistent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip)]
    cause: Option<Cause>,
}

/// The links of these nodes, or of everybody.
pub fn status(session: &Session, selection: Option<&Selection>) -> Result<Outcome, Stop> {
    let pxe = PxeHost::of(session)?;
    let rows = match selection {
        Some(selection) => of_nodes(session, &pxe, selection),
        None => of_everybody(session, &pxe)?,
    };
    let failures: Vec<(String, Cause)> = rows
        .iter()
        .filter_map(|row| Some((row.node.clone().unwrap_or_default(), row.cause.clone()?)))
        .collect();
    let mut titles = vec!["NODE", "ADDRESS", "BOOT PATH"];
    titles.extend(pxe.has_persistent().then_some("PERSISTENT"));
    let mut table = Table::titled(&titles);
    for row in &rows {
        let mut cells = vec![
            row.node.clone().unwrap_or_default(),
            row.address.clone().unwrap_or_default(),
            row.boot_path.clone().unwrap_or_default(),
        ];
        cells.extend(pxe.has_persistent().then(|| row.persistent.clone().unwrap_or_default()));
        table.push(cells);
    }
    let stop = stop_for("reading boot links", &failures);
    let nodes: Vec<String> = rows.iter().filter_map(|row| row.node.clone()).collect();
    Ok(Outcome::of(Output::table(table, &rows).with_nodes(nodes)).with_stop(stop))
}

/// Every node has a row, whatever could not be read.
fn of_nodes(session: &Session, pxe: &PxeHost<'_>, selection: &Selection) -> Vec<Row> {
    let failed = |(node, cause): (String, Cause)| Row {
        node: Some(node),
        error: Some(cause.detail.clone()),
        cause: Some(cause),
        ..Row::default()
    };
    let all = |cause: Cause| -> Vec<Row> {
        selection.names().into_iter().map(|node| failed((node, cause.clone()))).collect()
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
    let rows = selection.names().into_iter().zip(addresses.each());
    rows.map(|(node, address)| match address {
        Ok(address) => row(Some(node), *address, &present, pxe),
        Err(error) => failed((node, Cause::unknown(error))),
    })
    .collect()
}

fn of_everybody(session: &Session, pxe: &PxeHost<'_>) -> Result<Vec<Row>, Stop> {
    let present = pxe.must_read(&Reading::all(pxe.layout()))?;
    let mut clients: Vec<IpAddr> = present
        .entries()
        .filter_map(|(place, _)| match place {
            Place::Pxe(client, _) => Some(client),
            _ => None,
        })
        .collect();
    clients.sort();
    clients.dedup();
    if clients.is_empty() {
        return Ok(Vec::new());
    }
    let mut names: BTreeMap<IpAddr, String> = BTreeMap::new();
    let everybody = Selection::of(session.site().nodes());
    if let Some(everybody) = everybody {
        let addresses = BootAddresses::find(session, &everybody)?;
        for (node, address) in everybody.names().into_iter().zip(addresses.each()) {
            names.extend(address.as_ref().ok().map(|address| (*address, node)));
        }
    }
    let rows =
        clients.into_iter().map(|client| row(names.get(&client).cloned(), client, &present, pxe));
    Ok(rows.collect())
}

fn row(node: Option<String>, client: IpAddr, present: &Present, pxe: &PxeHost<'_>) -> Row {
    let shown = |lifetime| match present.entry(Place::Pxe(client, lifetime)) {
        Some(Entry::None) => "none".to_owned(),
        Some(entry) => entry.target().map_or("not a link".to_owned(), std::borrow::Cow::into_owned),
        None => "unknown".to_owned(),
    };
    Row {
        node,
        address: Some(client.to_string()),
        boot_path: Some(shown(Lifetime::Once)),
        persistent: pxe.has_persistent().then(|| shown(Lifetime::Persistent)),
        ..Row::default()
    }
}
