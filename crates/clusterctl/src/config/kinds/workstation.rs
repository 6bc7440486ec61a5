//! Kind Workstation.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One administrator's machine.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WorkstationSpec {
    /// The machine; the document's name without it.
    pub host: Option<String>,
    /// Addresses by name.
    pub addresses: BTreeMap<String, String>,
    /// Files with age identities or ssh keys, in the order they are tried.
    pub identities: Vec<String>,
    /// The kinds of keys a Secret document may be encrypted to.
    pub sops_key_types: Vec<String>,
    /// The sops program.
    pub sops_binary: String,
    /// The browser.
    pub browser: Option<String>,
    /// The sshuttle program.
    pub sshuttle_binary: String,
    /// Settings by dotted path, or nested, on top of the cluster's.
    pub overrides: BTreeMap<String, serde_json::Value>,
}

impl Default for WorkstationSpec {
    fn default() -> Self {
        WorkstationSpec {
            host: None,
            addresses: BTreeMap::new(),
            identities: Vec::new(),
            sops_key_types: vec!["age".to_owned()],
            sops_binary: "sops".to_owned(),
            browser: None,
            sshuttle_binary: "sshuttle".to_owned(),
            overrides: BTreeMap::new(),
        }
    }
}
