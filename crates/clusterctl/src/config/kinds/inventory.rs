//! Kind NodeInventory.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The nodes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct InventorySpec {
    /// What every node has unless an entry says otherwise.
    pub defaults: DefaultsSpec,
    /// The entries; a later one refines earlier ones.
    pub nodes: Vec<EntrySpec>,
}

/// What every node has.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct DefaultsSpec {
    /// Attributes, applied when a node is first named.
    pub attributes: BTreeMap<String, String>,
}

/// What some nodes have.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EntrySpec {
    /// The nodes, as a node set without groups.
    pub nodes: String,
    /// Attributes.
    #[serde(default)]
    pub attributes: BTreeMap<String, String>,
    /// The rack.
    #[serde(default)]
    pub rack: Option<String>,
    /// The height in the rack.
    #[serde(default)]
    pub level: Option<u32>,
    /// The address of one node.
    #[serde(default)]
    pub address: Option<String>,
    /// The name or address of one node's service processor.
    #[serde(default)]
    pub bmc_address: Option<String>,
    /// The DHCP client identifier of one node.
    #[serde(default)]
    pub cid: Option<String>,
    /// The hardware addresses of one node.
    #[serde(default)]
    pub macs: Vec<String>,
    /// What the nodes boot when they are reinstalled; wins over the cluster's rules.
    #[serde(default)]
    pub boot_path: Option<String>,
}
