//! `config`: whether the documents are right, and where each value comes from.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::config::kinds::Kind;
use crate::config::{
    ConfigError, Documents, Inputs, Layer, Leaf, Resolved, decode, schema, schemas,
};
use crate::exit::Stop;
use crate::output::{Column, Outcome, Output, Table, plural, yaml_document};

/// One document for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentRow {
    file: String,
    kind: &'static str,
    name: String,
}

/// `config validate`: every document, and the context they resolve to.
///
/// `check` is the part of the validation that needs the site model.
pub fn validate(
    inputs: &Inputs,
    check: impl Fn(Resolved) -> Result<(), ConfigError>,
) -> Result<Outcome, Stop> {
    let documents = Documents::read(inputs)?;
    let resolved = crate::config::resolve(&documents, inputs)?;
    let context = resolved.context.name.clone();
    check(resolved)?;
    let mut table = Table::titled(&["FILE", "KIND", "NAME"]);
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for document in documents.iter() {
        let row = DocumentRow {
            file: document.file.display().to_string(),
            kind: document.kind.name(),
            name: document.metadata.name.clone(),
        };
        table.push([row.file.as_str(), row.kind, row.name.as_str()]);
        rows.push(row);
        for (path, place) in &document.unread {
            notes.push(format!("note: {place}: {path} is accepted and has no effect"));
        }
        for (path, place) in &document.awaited {
            notes.push(format!("note: {place}: {path} is checked, but no command reads it yet"));
        }
    }
    let count = plural::count(rows.len(), "document");
    let are = plural::of(rows.len(), "is", "are");
    let output = Output::table(table, &rows)
        .with_caption(format!("{count} {are} valid; context {context} resolves"));
    let mut outcome = Outcome::of(output);
    outcome.notes = notes;
    Ok(outcome)
}

/// `config view`: the merged settings, or each value with its layer and place.
pub fn view(resolved: &Resolved, show_sources: bool) -> Outcome {
    let settings = settings(resolved);
    if !show_sources {
        return Outcome::of(Output::text(yaml_document(&settings), &settings));
    }
    let leaves = resolved.provenance.leaves(&settings);
    let mut table = Table::new([
        Column::new("PATH"),
        Column::new("LAYER"),
        Column::new("SOURCE"),
        Column::new("VALUE"),
    ]);
    let mut rows = Vec::new();
    for leaf in &leaves {
        let row = leaf_json(leaf);
        table.push([leaf.path.clone(), leaf.layer.to_string(), source(leaf), text(&leaf.value)]);
        rows.push(row);
    }
    Outcome::of(Output::table(table, &rows))
}

/// `config explain`: one value and where it comes from.
pub fn explain(resolved: &Resolved, path: &str) -> Result<Outcome, Stop> {
    let settings = settings(resolved);
    let Some(leaf) = resolved.provenance.leaf(&settings, path) else {
        let leaves = resolved.provenance.leaves(&settings);
        let known = leaves.iter().map(|leaf| leaf.path.as_str());
        let sentence = match decode::closest(path, known) {
            Some(meant) => format!("there is no setting {path:?}: did you mean {meant:?}?"),
            None => format!("there is no setting {path:?}; \"config view\" shows all"),
        };
        return Err(Stop::usage(sentence));
    };
    let mut table = Table::titled(&["FIELD", "VALUE"]);
    table.push(["path", leaf.path.as_str()]);
    table.push(["value".to_owned(), text(&leaf.value)]);
    table.push(["layer".to_owned(), leaf.layer.to_string()]);
    table.push(["source".to_owned(), source(&leaf)]);
    Ok(Outcome::of(Output::table(table, &leaf_json(&leaf))))
}

/// `config schema`: JSON Schema of one kind, or of all in one value.
pub fn show_schema(kind: Option<&str>) -> Result<Outcome, Stop> {
    let value = match kind {
        None => schemas(),
        Some(word) => {
            let names = Kind::ALL.map(Kind::name);
            let known = Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(word));
            let Some(known) = known else {
                let names = names.join(", ");
                return Err(Stop::usage(format!("unknown kind {word:?}: known are {names}")));
            };
            schema(known)
        }
    };
    let mut pretty = serde_json::to_string_pretty(&value).unwrap_or_default();
    pretty.push('\n');
    Ok(Outcome::of(Output::text(pretty, &value)))
}

/// `config contexts`: the contexts, the current one marked.
pub fn contexts(documents: &Documents, current: Option<&str>) -> Result<Outcome, Stop> {
    let mut table = Table::titled(&["CURRENT", "NAME", "CLUSTER", "USER"]);
    let mut rows = Vec::new();
    for context in crate::config::contexts(documents)? {
        let is_current = current == Some(context.name.as_str());
        let user = context.user.clone().unwrap_or_default();
        table.push([if is_current { "*" } else { "" }, &context.name, &context.cluster, &user]);
        rows.push(json!({
            "name": context.name, "cluster": context.cluster, "user": context.user,
            "current": is_current,
        }));
    }
    Ok(Outcome::of(Output::table(table, &rows)))
}

/// `config use-context`: the line that makes a context the current one of a shell.
pub fn use_context(resolved: &Resolved) -> Outcome {
    let name = &resolved.context.name;
    let line = format!("export CLUSTERCTL_CONTEXT={}\n", crate::reach::quote_word(name));
    let value = json!({"context": name, "export": line.trim_end()});
    Outcome::of(Output::text(line, &value))
}

/// All settings as one value: the site's shape, and the cluster's own parts beside it.
fn settings(resolved: &Resolved) -> Json {
    let value = |spec: serde_json::Result<Json>| match spec {
        Ok(Json::Object(mut map)) => {
            // Merged into the settings, where they are shown.
            map.remove("overrides");
            map
        }
        _ => Map::new(),
    };
    let mut all = value(serde_json::to_value(&resolved.settings));
    all.extend(value(serde_json::to_value(&resolved.cluster)));
    for (name, spec) in [
        ("context", serde_json::to_value(&resolved.context)),
        ("workstation", serde_json::to_value(&resolved.workstation)),
    ] {
        all.insert(name.to_owned(), Json::Object(value(spec)));
    }
    Json::Object(all)
}

fn leaf_json(leaf: &Leaf) -> Json {
    json!({
        "path": leaf.path, "layer": leaf.layer.to_string(), "source": source(leaf),
        "value": leaf.value,
    })
}

fn source(leaf: &Leaf) -> String {
    match (&leaf.place, leaf.layer) {
        (Some(place), layer) if layer != Layer::Default => place.to_string(),
        _ => "built in".to_owned(),
    }
}

fn text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
