//! Kind Secret: values encrypted with sops, alone in a file. The secrets crate reads them; here
//! only the names of the keys are looked at.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Encrypted values.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SecretDocument {
    /// Text values.
    #[serde(default)]
    pub data: BTreeMap<String, String>,
    /// Binary values in base64.
    #[serde(default)]
    pub binary_data: BTreeMap<String, String>,
    /// What sops wrote.
    pub sops: serde_json::Value,
}
