//! Kind Cluster.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::decode::{duration, optional_duration};

/// One cluster.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClusterSpec {
    /// The Site document.
    pub site: String,
    /// Slurm.
    #[serde(default)]
    pub slurm: SlurmSpec,
    /// Groups of nodes.
    #[serde(default)]
    pub groups: GroupsSpec,
    /// What nodes boot when they are reinstalled.
    #[serde(default)]
    pub boot_paths: Vec<BootPathSpec>,
    /// The NodeInventory documents; all, if one site only is loaded.
    #[serde(default)]
    pub inventories: Vec<String>,
    /// Settings by dotted path, or nested, on top of the site's.
    #[serde(default)]
    pub overrides: BTreeMap<String, serde_json::Value>,
}

/// Slurm.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SlurmSpec {
    /// The role of the host that runs Slurm's clients.
    pub role: Option<String>,
    /// The organization of new accounts.
    pub organization: Option<String>,
    /// The account of new users.
    pub default_account: Option<String>,
    /// How far `job history` looks back.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub look_back: Duration,
}

impl Default for SlurmSpec {
    fn default() -> Self {
        SlurmSpec {
            role: None,
            organization: None,
            default_account: None,
            look_back: Duration::from_hours(1),
        }
    }
}

/// Groups of nodes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GroupsSpec {
    /// Where `@NAME` without a source is looked up.
    pub default_source: Option<String>,
    /// The sources by name.
    pub sources: BTreeMap<String, GroupSourceSpec>,
}

/// A source of groups: exactly one of static, attribute, exec.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct GroupSourceSpec {
    /// Groups written down, as node sets by name.
    #[serde(rename = "static")]
    pub fixed: Option<BTreeMap<String, String>>,
    /// An attribute: each of its values is a group.
    pub attribute: Option<String>,
    /// Commands that know.
    pub exec: Option<CommandSpec>,
    /// How long answers are remembered between commands.
    #[serde(with = "optional_duration", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub cache_ttl: Option<Duration>,
}

/// Commands that know groups; `$GROUP` and `$NODE` are replaced as whole arguments.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommandSpec {
    /// The role of the host they run on.
    pub role: String,
    /// The nodes of a group.
    pub map: Vec<String>,
    /// All nodes.
    #[serde(default)]
    pub all: Vec<String>,
    /// All groups.
    #[serde(default)]
    pub list: Vec<String>,
    /// The groups of a node.
    #[serde(default)]
    pub reverse: Vec<String>,
}

/// What some nodes boot when they are reinstalled.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BootPathSpec {
    /// The nodes, as a node set.
    pub nodes: String,
    /// The file on the PXE host.
    pub path: String,
    /// Whether the link stays after the first request.
    #[serde(default, rename = "static")]
    pub persistent: bool,
}
