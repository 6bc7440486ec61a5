//! `node attrs` and `node rack`: the inventory read the other way round, from values to nodes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::config::decode::closest;
use crate::exit::Stop;
use crate::output::{Outcome, Output, Table, plural};
use crate::selection::fold;
use crate::session::Session;
use crate::site::{InventoryNode, Node};

#[derive(Debug, Serialize)]
struct AttributeRow {
    key: String,
    value: String,
    nodes: Vec<String>,
}

/// `node attrs`: every attribute, or one, its values and the nodes that have them.
pub fn attributes(session: &Session, key: Option<&str>) -> Result<Outcome, Stop> {
    let mut found: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for node in session.site().inventory().nodes() {
        for (name, value) in node.attributes.iter() {
            found.entry((name, value)).or_default().push(node.name.to_string());
        }
    }
    if let Some(key) = key
        && !found.keys().any(|(name, _)| *name == key)
    {
        let known = found.keys().map(|(name, _)| *name);
        let hint = did_you_mean(closest(key, known));
        return Err(Stop::usage(format!("no node has the attribute {key:?}{hint}")));
    }
    let mut table = Table::titled(&["ATTRIBUTE", "VALUE", "COUNT", "NODES"]);
    let mut rows = Vec::new();
    for ((name, value), nodes) in found {
        if key.is_some_and(|key| key != name) {
            continue;
        }
        table.push([name, value, &nodes.len().to_string(), &fold(&nodes)]);
        rows.push(AttributeRow { key: name.to_owned(), value: value.to_owned(), nodes });
    }
    Ok(Outcome::of(Output::table(table, &rows)))
}

#[derive(Debug, Serialize)]
struct PlaceRow {
    rack: String,
    level: Option<u32>,
    nodes: Vec<String>,
}

/// `node rack`: the nodes of every rack by level, those of one rack, or the place of one node. A
/// rack is written as in the inventory, capitals included, as in `@rack:`.
pub fn racks(session: &Session, name: Option<&str>) -> Result<Outcome, Stop> {
    let nodes = session.site().inventory().nodes();
    let one = match name {
        Some(name) if !nodes.iter().any(|node| rack(node) == Some(name)) => {
            Some(racked(session, name)?)
        }
        _ => None,
    };
    let is_meant = |node: &InventoryNode| match (&one, name) {
        (Some(one), _) => one.name().as_str() == node.name.as_str(),
        (None, Some(name)) => rack(node) == Some(name),
        (None, None) => true,
    };
    let mut places: BTreeMap<(&str, Option<u32>), Vec<String>> = BTreeMap::new();
    for node in nodes.iter().filter(|node| is_meant(node)) {
        if let Some(rack) = rack(node) {
            places.entry((rack, node.level)).or_default().push(node.name.to_string());
        }
    }
    let mut table = Table::titled(&["RACK", "LEVEL", "NODES"]);
    let mut rows = Vec::new();
    for ((rack, level), nodes) in places {
        let height = level.map_or(String::new(), |level| level.to_string());
        table.push([rack, &height, &fold(&nodes)]);
        rows.push(PlaceRow { rack: rack.to_owned(), level, nodes });
    }
    let names: Vec<String> = rows.iter().flat_map(|row| row.nodes.clone()).collect();
    let output = Output::table(table, &rows)
        .with_caption(plural::count(names.len(), "node"))
        .with_nodes(names);
    Ok(Outcome::of(output))
}

/// The node of a name that is no rack; it has to stand in one.
fn racked(session: &Session, name: &str) -> Result<Node, Stop> {
    let racks = session.site().inventory().nodes().iter().filter_map(|node| rack(node));
    let hint = did_you_mean(closest(name, racks));
    let nothing = || Stop::usage(format!("there is no rack and no node {name:?}{hint}"));
    let node = session.node(name).map_err(|_| nothing())?;
    match node.entry() {
        None => Err(nothing()),
        Some(entry) if rack(entry).is_none() => {
            Err(Stop::usage(format!("the inventory gives no rack for {}", node.name())))
        }
        Some(_) => Ok(node),
    }
}

fn rack(node: &InventoryNode) -> Option<&str> {
    node.attributes.get("rack")
}

fn did_you_mean(word: Option<&str>) -> String {
    word.map_or(String::new(), |word| format!(": did you mean {word:?}?"))
}
