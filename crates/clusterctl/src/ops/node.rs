//! `node`: the inventory, selection and groups. Nothing here changes anything.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use crate::exit::{Classify as _, ExitClass, Stop};
use crate::output::{Column, Outcome, Output, Table, plural};
use crate::selection::{Selection, Sources, fold};
use crate::session::Session;
use crate::site::Node;

/// How `node select` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the forms there are")]
pub enum Form {
    /// One folded set.
    Folded,
    /// One node a line.
    Expanded,
    /// How many.
    Count,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    node: String,
    host: String,
    bmc: Option<String>,
    address: Option<String>,
    attributes: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
}

/// What an expression names.
pub fn select(selection: &Selection, form: Form) -> Outcome {
    let names = selection.names();
    let text = match form {
        Form::Folded => format!("{}\n", selection.fold()),
        Form::Expanded => names.iter().flat_map(|name| [name.as_str(), "\n"]).collect(),
        Form::Count => format!("{}\n", names.len()),
    };
    let value = match form {
        Form::Count => json!(names.len()),
        _ => json!(names),
    };
    Outcome::of(Output::text(text, &value).with_nodes(names))
}

/// The inventory, or these nodes of it.
pub fn list(session: &Session, selection: Option<&Selection>) -> Result<Outcome, Stop> {
    let nodes: Vec<Node> = match selection {
        Some(selection) => selection.nodes().to_vec(),
        None => session.site().nodes().collect(),
    };
    let mut table = Table::new([
        Column::new("NODE"),
        Column::new("CLASS"),
        Column::new("VENDOR"),
        Column::new("RACK"),
        Column::new("ADDRESS"),
        Column::wide("HOST"),
        Column::wide("BMC"),
        Column::wide("MACS"),
    ]);
    let mut rows = Vec::with_capacity(nodes.len());
    let mut unknown = Vec::new();
    for node in &nodes {
        let row = row(node);
        let attribute = |key| node.attribute(key).unwrap_or_default().to_owned();
        table.push([
            row.node.clone(),
            attribute("class"),
            attribute("vendor"),
            attribute("rack"),
            row.address.clone().unwrap_or_default(),
            row.host.clone(),
            row.bmc.clone().unwrap_or_default(),
            node.entry().map(|entry| entry.macs.join(",")).unwrap_or_default(),
        ]);
        if row.error.is_some() {
            unknown.push(row.node.clone());
        }
        rows.push(row);
    }
    let names: Vec<String> = rows.iter().map(|row| row.node.clone()).collect();
    let output = Output::table(table, &rows)
        .with_caption(plural::count(names.len(), "node"))
        .with_nodes(names);
    let stop = (!unknown.is_empty()).then(|| {
        let is = plural::of(unknown.len(), "is", "are");
        Stop::usage(format!("{} {is} not in the inventory", fold(&unknown)))
    });
    Ok(Outcome::of(output).with_stop(stop))
}

fn row(node: &Node) -> Row {
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    let attributes = node.entry().map(|entry| entry.attributes.iter().map(owned).collect());
    Row {
        node: node.name().to_string(),
        host: node.host().to_string(),
        bmc: node.bmc().ok().map(str::to_owned),
        address: node.address().map(|address| address.to_string()),
        attributes: attributes.unwrap_or_default(),
        error: (!node.is_known()).then_some("not in the inventory"),
    }
}

/// Host names of nodes, or names of their service processors, as one folded set.
pub fn fqdn(session: &Session, selection: Option<&Selection>, bmc: bool) -> Result<Outcome, Stop> {
    let nodes: Vec<Node> = match selection {
        Some(selection) => selection.nodes().to_vec(),
        None => session.site().nodes().collect(),
    };
    let mut names = Vec::new();
    let mut problems = Vec::new();
    for node in &nodes {
        match (bmc, node.bmc()) {
            (false, _) => names.push(node.host().to_string()),
            (true, Ok(name)) => names.push(name.to_owned()),
            (true, Err(error)) => problems.push(format!("{}: {error}", node.name())),
        }
    }
    if !problems.is_empty() {
        return Err(Stop::usage(problems.join("; ")));
    }
    let text = format!("{}\n", fold(&names));
    Ok(Outcome::of(Output::text(text, &names).with_nodes(names.clone())))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupRow {
    source: String,
    group: String,
    nodes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Every group of every source, or those that a node is in. A source that fails is named, and the
/// others are shown all the same.
pub fn groups(session: &Session, node: Option<&Node>) -> Result<Outcome, Stop> {
    let (rows, failures) = memberships(session, node);
    let mut table =
        Table::new([Column::new("SOURCE"), Column::new("GROUP"), Column::wide("NODES")]);
    for row in rows.iter().filter(|row| row.error.is_none()) {
        table.push([row.source.clone(), row.group.clone(), fold(&row.nodes)]);
    }
    let mut outcome = Outcome::of(Output::table(table, &rows));
    outcome.stop = failed(failures);
    Ok(outcome)
}

type Failures = Vec<(ExitClass, String)>;

fn failed(failures: Failures) -> Option<Stop> {
    if failures.is_empty() {
        return None;
    }
    let class = ExitClass::worst(failures.iter().map(|(class, _)| *class));
    let texts: Vec<String> = failures.into_iter().map(|(_, text)| text).collect();
    Some(Stop::with_class(class, texts.join("; ")))
}

fn memberships(session: &Session, node: Option<&Node>) -> (Vec<GroupRow>, Failures) {
    let sources = Sources::new(session.site(), session);
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for source in sources.names() {
        let groups = match sources.list(source) {
            Ok(groups) => groups,
            Err(error) => {
                let text = error.to_string();
                failures.push((error.exit_class(), text.clone()));
                let (source, group) = (source.to_owned(), String::new());
                rows.push(GroupRow { source, group, nodes: Vec::new(), error: Some(text) });
                continue;
            }
        };
        for group in groups {
            let expression = format!("@{source}:{group}");
            let members = match crate::selection::select(session.site(), &expression, &sources) {
                Ok(members) => members.names(),
                Err(error) => {
                    let text = crate::diagnostics::chain(&error);
                    failures.push((error.exit_class(), text.clone()));
                    let source = source.to_owned();
                    rows.push(GroupRow { source, group, nodes: Vec::new(), error: Some(text) });
                    continue;
                }
            };
            if node.is_none_or(|node| members.contains(&node.name().to_string())) {
                let source = source.to_owned();
                rows.push(GroupRow { source, group, nodes: members, error: None });
            }
        }
    }
    (rows, failures)
}

/// Everything that is known of one node.
pub fn describe(session: &Session, node: &Node) -> Result<Outcome, Stop> {
    let mut fields: Vec<(String, String)> = vec![
        ("name".to_owned(), node.name().to_string()),
        ("host".to_owned(), node.host().to_string()),
    ];
    match node.bmc() {
        Ok(bmc) => fields.push(("bmc".to_owned(), bmc.to_owned())),
        Err(error) => fields.push(("bmc".to_owned(), format!("none: {error}"))),
    }
    fields.extend(node.address().map(|address| ("address".to_owned(), address.to_string())));
    if let Some(entry) = node.entry() {
        fields.extend(entry.level.map(|level| ("level".to_owned(), level.to_string())));
        fields.extend(entry.cid.clone().map(|cid| ("cid".to_owned(), cid)));
        fields.extend(entry.macs.iter().map(|mac| ("mac".to_owned(), mac.clone())));
        fields.extend(entry.boot_path.clone().map(|path| ("bootPath".to_owned(), path)));
        let attributes = entry.attributes.iter();
        fields
            .extend(attributes.map(|(key, value)| (format!("attribute.{key}"), value.to_owned())));
        fields.push(("source".to_owned(), entry.place.to_string()));
    }
    let (rows, failures) = memberships(session, Some(node));
    let mut by_source: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows.into_iter().filter(|row| row.error.is_none()) {
        by_source.entry(row.source).or_default().push(row.group);
    }
    fields
        .extend(by_source.into_iter().map(|(s, groups)| (format!("groups.{s}"), groups.join(","))));
    let mut table = Table::titled(&["FIELD", "VALUE"]);
    let mut value = serde_json::Map::new();
    for (field, text) in fields {
        table.push([field.clone(), text.clone()]);
        value.insert(field, json!(text));
    }
    let output = Output::table(table, &value).with_nodes([node.name().to_string()]);
    let known =
        (!node.is_known()).then(|| Stop::usage(format!("{} is not in the inventory", node.name())));
    Ok(Outcome::of(output).with_stop(known.or_else(|| failed(failures))))
}
