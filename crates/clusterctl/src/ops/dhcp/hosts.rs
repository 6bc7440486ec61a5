//! `dhcp hosts`: what DHCP knows of nodes.

use dhcpd_conf::ConfigSet;
use serde::Serialize;

use crate::exit::Stop;
use crate::ops::dhcp::Declarations;
use crate::output::{Outcome, Output, Table};
use crate::selection::Selection;

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

/// A node as declarations may name it.
#[derive(Debug, Clone)]
pub struct Wanted {
    name: String,
    full: String,
}

impl Wanted {
    /// The nodes of a selection.
    pub fn of(selection: &Selection) -> Vec<Wanted> {
        let wanted = |node: &crate::site::Node| Wanted {
            name: node.name().to_string(),
            full: node.host().to_string(),
        };
        selection.nodes().iter().map(wanted).collect()
    }

    /// Names that no site says anything about.
    pub fn named(names: impl IntoIterator<Item = String>) -> Vec<Wanted> {
        names.into_iter().map(|name| Wanted { full: name.clone(), name }).collect()
    }
}

/// The declarations of the nodes; a node without one has a row that says so.
pub fn hosts(set: &ConfigSet, nodes: &[Wanted]) -> Outcome {
    let declarations = Declarations::new(set);
    let mut table = Table::titled(&["NODE", "DECLARATION", "MATCH", "ADDRESS", "MAC", "BOOT FILE"]);
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for node in nodes {
        let found = declarations.of_name(&node.name, &node.full);
        if found.is_empty() {
            missing.push(node.name.clone());
            rows.push(Row {
                node: node.name.clone(),
                declaration: None,
                r#match: None,
                addresses: Vec::new(),
                mac: None,
                boot_file: None,
                error: Some("no declaration"),
            });
            table.push([node.name.clone(), "none".to_owned()]);
        }
        for declaration in found {
            let row = Row {
                node: node.name.clone(),
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
    let names = nodes.iter().map(|node| node.name.clone());
    let output = Output::table(table, &rows).with_nodes(names);
    let stop = (!missing.is_empty()).then(|| {
        Stop::failed(format!("DHCP has no declaration of {}", crate::selection::fold(&missing)))
    });
    Outcome::of(output).with_stop(stop)
}
