//! JSON Schema of every kind, from the types that read it.

use serde_json::{Value, json};

use crate::config::kinds::{
    API_VERSION, ClusterSpec, ConfigDocument, InventorySpec, Kind, SecretDocument, SiteSpec,
    WorkstationSpec,
};

/// The schema of one kind of document.
pub fn schema(kind: Kind) -> Value {
    let (inner, in_spec) = match kind {
        Kind::Config => (schemars::schema_for!(ConfigDocument), false),
        Kind::Site => (schemars::schema_for!(SiteSpec), true),
        Kind::Cluster => (schemars::schema_for!(ClusterSpec), true),
        Kind::NodeInventory => (schemars::schema_for!(InventorySpec), true),
        Kind::Workstation => (schemars::schema_for!(WorkstationSpec), true),
        Kind::Secret => (schemars::schema_for!(SecretDocument), false),
    };
    let mut inner = serde_json::to_value(inner).unwrap_or(Value::Null);
    let definitions = inner.as_object_mut().and_then(|map| map.remove("$defs"));
    if let Some(map) = inner.as_object_mut() {
        map.remove("$schema");
    }
    let metadata = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "description": {"type": "string"},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": if kind == Kind::Config { json!([]) } else { json!(["name"]) },
        "additionalProperties": false,
    });
    let mut properties = json!({
        "apiVersion": {"const": API_VERSION},
        "kind": {"const": kind.name()},
        "metadata": metadata,
    });
    let mut required = vec![json!("apiVersion"), json!("kind")];
    if kind != Kind::Config {
        required.push(json!("metadata"));
    }
    if in_spec {
        properties["spec"] = inner;
        required.push(json!("spec"));
    } else {
        for (name, field) in inner["properties"].as_object().into_iter().flatten() {
            properties[name] = field.clone();
        }
        required.extend(inner["required"].as_array().into_iter().flatten().cloned());
    }
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("clusterctl {}", kind.name()),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    if let Some(definitions) = definitions {
        schema["$defs"] = definitions;
    }
    schema
}

/// The schemas of all kinds in one value: a document is of one of them.
pub fn schemas() -> Value {
    let kinds = Kind::ALL.map(|kind| (kind.name().to_owned(), schema(kind)));
    Value::Object(kinds.into_iter().collect())
}
