//! `dhcp hosts`: what DHCP knows of nodes.

use serde::Serialize;

use crate::exit::Stop;
use crate::ops::dhcp::{Declarations, fetch};
use crate::output::{Outcome, Output, Table};
use crate::selection::Selection;
use crate::session::Session;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: String,
    declaration: Option<String>,
    r#match: Option<&'static str>,
    addresses: Vec<String>,
    mac: Option<String>,
    boot_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
}

/// The declarations of the nodes; a node without one has a row that says so.
pub fn hosts(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let set = fetch(session)?;
    let declarations = Declarations::new(&set);
    let mut table = Table::titled(&["NODE", "DECLARATION", "MATCH", "ADDRESS", "MAC", "BOOT FILE"]);
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for node in selection.nodes() {
        let found = declarations.of(node);
        if found.is_empty() {
            missing.push(node.name().to_string());
            rows.push(Row {
                node: node.name().to_string(),
                declaration: None,
                r#match: None,
                addresses: Vec::new(),
                mac: None,
                boot_file: None,
                error: Some("no declaration"),
            });
            table.push([node.name().to_string(), "none".to_owned()]);
        }
        for declaration in found {
            let row = Row {
                node: node.name().to_string(),
                declaration: Some(declaration.host.name().to_owned()),
                r#match: Some(declaration.kind.word()),
                addresses: declaration.addresses(),
                mac: declaration.mac(),
                boot_file: declaration.boot_file(),
                error: None,
            };
            table.push([
                row.node.clone(),
                declaration.host.name().to_owned(),
                declaration.kind.word().to_owned(),
                row.addresses.join(","),
                row.mac.clone().unwrap_or_default(),
                row.boot_file.clone().unwrap_or_default(),
            ]);
            rows.push(row);
        }
    }
    let output = Output::table(table, &rows).with_nodes(selection.names());
    let stop = (!missing.is_empty()).then(|| {
        Stop::failed(format!("DHCP has no declaration of {}", crate::selection::fold(&missing)))
    });
    Ok(Outcome::of(output).with_stop(stop))
}
