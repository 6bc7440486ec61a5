//! Kind Config.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Contexts, and which one is current.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfigDocument {
    /// The context without `--context`; the only one, if there is one only.
    #[serde(default)]
    pub current_context: Option<String>,
    /// The contexts by name; a later document replaces a context of the same name.
    #[serde(default)]
    pub contexts: Vec<ContextSpec>,
}

/// A cluster, an account and what differs from the documents.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContextSpec {
    /// The name, unique in its document.
    pub name: String,
    /// The Cluster document.
    pub cluster: String,
    /// The account on nodes; without it ssh's configuration decides, then the local user.
    #[serde(default)]
    pub user: Option<String>,
    /// Settings by dotted path, or nested.
    #[serde(default)]
    pub overrides: BTreeMap<String, serde_json::Value>,
}
