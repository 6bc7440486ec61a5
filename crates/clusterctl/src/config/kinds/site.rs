//! Kind Site: what all clusters of a site share. Also the shape of all settings and overrides.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::kinds::{BmcSpec, FanoutSpec, SafetySpec, ServicesSpec, SshSpec, TunnelSpec};

/// The settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SiteSpec {
    /// Domains by name, used as `{domains.NAME}`.
    pub domains: BTreeMap<String, String>,
    /// How host names follow from node names.
    pub naming: NamingSpec,
    /// Hosts with a job, by role.
    pub hosts: BTreeMap<String, RoleSpec>,
    /// Networks by name, in CIDR notation.
    pub networks: BTreeMap<String, String>,
    /// Accounts by name.
    pub credentials: BTreeMap<String, CredentialSpec>,
    /// Service processors.
    pub bmc: BmcSpec,
    /// How hosts are reached.
    pub ssh: SshSpec,
    /// Tunnels by name.
    pub tunnels: BTreeMap<String, TunnelSpec>,
    /// What needs a question.
    pub safety: SafetySpec,
    /// How many at once, and how long.
    pub fanout: FanoutSpec,
    /// The services around a reinstall.
    pub services: ServicesSpec,
}

/// How host names follow from node names.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NamingSpec {
    /// The rules; the first that matches counts. Without rules a node's name is its host name.
    pub rules: Vec<RuleSpec>,
    /// Used as `{bmcPrefix}`.
    pub bmc_prefix: String,
}

/// One rule of naming.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RuleSpec {
    /// Which nodes; without it, all.
    #[serde(rename = "match")]
    pub matches: Option<RuleMatchSpec>,
    /// The host name, from `{name}`, `{domains.NAME}` and `{bmcPrefix}`.
    pub fqdn: Option<String>,
    /// The service processor's name, from the same; without it there is none.
    pub bmc: Option<String>,
}

/// Which nodes a rule is for: prefixes or a pattern, not both.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RuleMatchSpec {
    /// Beginnings of the short name.
    pub prefixes: Vec<String>,
    /// A regular expression for the whole short name, in lower case.
    pub pattern: Option<String>,
}

/// A host with a job.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoleSpec {
    /// Its host name or address.
    pub host: String,
    /// The account.
    #[serde(default)]
    pub user: Option<String>,
    /// The port; without it ssh's configuration decides, then 22.
    #[serde(default)]
    pub port: Option<u16>,
    /// Whether `login` forwards the agent.
    #[serde(default)]
    pub forward_agent: bool,
    /// Whether `login` forwards X11, untrusted.
    #[serde(default)]
    pub forward_x11: bool,
    /// The role to jump through.
    #[serde(default)]
    pub proxy_jump: Option<String>,
    /// Whether interactive sessions share a connection.
    #[serde(default)]
    pub control_master: bool,
    /// Whether old algorithms are offered too.
    #[serde(default)]
    pub legacy_algorithms: bool,
    /// More `ssh_config(5)` keywords.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// For people.
    #[serde(default)]
    pub description: Option<String>,
}

/// An account.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CredentialSpec {
    /// The user's name there.
    pub username: String,
    /// Where its password comes from.
    pub password: PasswordSpec,
}

/// Where a password comes from: exactly one of these.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::exhaustive_enums, reason = "the sources are a documented contract")]
pub enum PasswordSpec {
    /// An environment variable.
    FromEnv(String),
    /// A private file; its only line.
    File(String),
    /// A file encrypted with age.
    AgeFile(String),
    /// A value of a Secret document.
    SecretRef(crate::config::kinds::SecretKeySpec),
    /// A program that prints it.
    Command(Vec<String>),
    /// A question at the terminal, with this text; `true` for the usual text.
    Prompt(serde_json::Value),
}
