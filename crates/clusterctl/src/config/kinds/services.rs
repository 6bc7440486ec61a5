//! The services around a reinstall.

use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::decode::duration;

/// The services, each on the host of a role.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ServicesSpec {
    /// The DHCP server.
    pub dhcp: DhcpSpec,
    /// The PXE service.
    pub pxesrv: PxesrvSpec,
    /// The TFTP server.
    pub tftp: TftpSpec,
    /// Configuration management.
    pub cinc: CincSpec,
    /// Name service.
    pub dns: DnsSpec,
    /// InfiniBand.
    pub fabric: FabricSpec,
    /// The file server.
    pub http: HttpSpec,
}

/// The DHCP server.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct DhcpSpec {
    /// The role of its host.
    pub role: Option<String>,
    /// Its configuration file there.
    pub config_path: String,
    /// The interface that is listened on by `dhcp capture`.
    pub interface: String,
    /// Its log there.
    pub log_path: String,
}

impl Default for DhcpSpec {
    fn default() -> Self {
        DhcpSpec {
            role: None,
            config_path: "/etc/dhcp/dhcpd.conf".to_owned(),
            interface: "ib0".to_owned(),
            log_path: "/var/log/syslog".to_owned(),
        }
    }
}

/// Where boot links lie below the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "the layouts of the PXE service")]
pub enum LinkLayout {
    /// `ROOT/ADDRESS`, and `ROOT/ADDRESS` with the static suffix.
    Suffix,
    /// `ROOT/once/ADDRESS` and `ROOT/static/ADDRESS`.
    Directories,
}

/// The PXE service.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PxesrvSpec {
    /// The role of its host.
    pub role: Option<String>,
    /// The directory of links there.
    pub root: String,
    /// The directory of boot files there.
    pub boot_path: String,
    /// The git work tree that `boot sync` pulls.
    pub repo_path: Option<String>,
    /// Its log there.
    pub log_path: String,
    /// Where links lie.
    pub layout: LinkLayout,
    /// What the name of a persistent link ends in; without it there are none.
    pub static_suffix: Option<String>,
}

impl Default for PxesrvSpec {
    fn default() -> Self {
        PxesrvSpec {
            role: None,
            root: "/srv/pxesrv".to_owned(),
            boot_path: "/srv/pxesrv/boot".to_owned(),
            repo_path: None,
            log_path: "/var/log/pxesrv.log".to_owned(),
            layout: LinkLayout::Suffix,
            static_suffix: None,
        }
    }
}

/// The TFTP server.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TftpSpec {
    /// The role of its host.
    pub role: Option<String>,
    /// What it serves.
    pub root: String,
    /// Where GRUB's configuration files lie.
    pub grub_path: String,
    /// Its log.
    pub log_path: String,
}

impl Default for TftpSpec {
    fn default() -> Self {
        TftpSpec {
            role: None,
            root: "/srv/tftp".to_owned(),
            grub_path: "/srv/tftp/grub".to_owned(),
            log_path: "/var/log/syslog".to_owned(),
        }
    }
}

/// Configuration management.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CincSpec {
    /// The file on a node that names the archive and the run list.
    pub solo_config_path: String,
    /// The client.
    pub binary: String,
    /// What `secrets push` puts on nodes.
    pub secrets: Vec<SecretFileSpec>,
}

impl Default for CincSpec {
    fn default() -> Self {
        CincSpec {
            solo_config_path: "/etc/cinc/solo".to_owned(),
            binary: "cinc-solo".to_owned(),
            secrets: Vec::new(),
        }
    }
}

/// A secret and where it goes: from a file or from a Secret document.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SecretFileSpec {
    /// An age file.
    pub source: Option<String>,
    /// A value of a Secret document.
    pub secret_ref: Option<SecretKeySpec>,
    /// The file on the node.
    pub target: String,
    /// Its mode, in octal digits.
    pub mode: Option<String>,
    /// Its owner.
    pub owner: Option<String>,
    /// Its group.
    pub group: Option<String>,
}

/// A value of a Secret document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SecretKeySpec {
    /// The document.
    pub name: String,
    /// The key.
    pub key: String,
}

/// Name service.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct DnsSpec {
    /// The server; the system's without it.
    pub server: Option<String>,
    /// How long a look-up may take.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub timeout: Duration,
    /// How many look-ups at a time.
    pub max_concurrent: NonZeroUsize,
    /// Names of the login pool.
    pub aliases: Vec<String>,
}

impl Default for DnsSpec {
    fn default() -> Self {
        DnsSpec {
            server: None,
            timeout: Duration::from_secs(5),
            max_concurrent: NonZeroUsize::new(16).unwrap_or(NonZeroUsize::MIN),
            aliases: Vec::new(),
        }
    }
}

/// InfiniBand.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FabricSpec {
    /// The role of the host that asks the fabric.
    pub role: Option<String>,
}

/// The file server.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct HttpSpec {
    /// The role of its host.
    pub role: Option<String>,
}
