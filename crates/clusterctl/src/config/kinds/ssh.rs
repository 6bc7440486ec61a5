//! How hosts are reached.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::decode::duration;

/// Which transport carries commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "the transports there are")]
pub enum SshTransport {
    /// In process, by libssh2; hosts that need more use `openssh` all the same.
    Libssh2,
    /// By the system's ssh.
    Openssh,
}

/// ssh.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SshSpec {
    /// The one file that vouches for hosts. Without it nothing is connected to.
    pub known_hosts_file: Option<String>,
    /// Whether a host without a key there is refused; `false` is for bringing up a site.
    pub strict_host_key_checking: bool,
    /// ssh's own configuration files that are honoured; the user's and the system's without it.
    pub include: Option<Vec<String>>,
    /// How long a connection may take.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub connect_timeout: Duration,
    /// How often a connection is tried.
    pub connection_attempts: NonZeroU32,
    /// How long a connection may be silent before it is asked whether it lives.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub server_alive_interval: Duration,
    /// How often it is asked before it counts as lost.
    pub server_alive_count_max: NonZeroU32,
    /// How long an interactive session's shared connection stays; `0s` ends it with the session.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub control_persist: Duration,
    /// Where shared connections have their socket.
    pub control_path: Option<String>,
    /// Whether old key types are accepted.
    pub legacy_key_types: bool,
    /// Variables that interactive sessions pass on.
    pub send_env: Vec<String>,
    /// More `ssh_config(5)` keywords for the system's ssh.
    pub options: BTreeMap<String, String>,
    /// Which transport carries commands.
    pub transport: SshTransport,
    /// The ssh program.
    pub binary: String,
    /// The scp program.
    pub scp_binary: String,
}

impl Default for SshSpec {
    fn default() -> Self {
        SshSpec {
            known_hosts_file: None,
            strict_host_key_checking: true,
            include: None,
            connect_timeout: Duration::from_secs(10),
            connection_attempts: NonZeroU32::new(2).unwrap_or(NonZeroU32::MIN),
            server_alive_interval: Duration::from_mins(1),
            server_alive_count_max: NonZeroU32::new(3).unwrap_or(NonZeroU32::MIN),
            control_persist: Duration::from_mins(5),
            control_path: None,
            legacy_key_types: false,
            send_env: Vec::new(),
            options: BTreeMap::new(),
            transport: SshTransport::Libssh2,
            binary: "ssh".to_owned(),
            scp_binary: "scp".to_owned(),
        }
    }
}

/// A tunnel by sshuttle.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TunnelSpec {
    /// The role or host at the other end.
    pub remote: String,
    /// The account.
    pub user: Option<String>,
    /// Networks, by name or in CIDR notation.
    pub subnets: Vec<String>,
    /// Networks that are left out.
    pub excludes: Vec<String>,
    /// Whether name look-ups go through it.
    pub dns: bool,
    /// sshuttle's method.
    pub method: Option<String>,
    /// More options of sshuttle.
    pub options: Vec<String>,
    /// For people.
    pub description: Option<String>,
}
