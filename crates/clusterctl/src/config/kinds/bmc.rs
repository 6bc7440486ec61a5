//! Service processors.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::decode::{duration, optional_duration};

/// A way to talk to a service processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "the transports there are")]
pub enum BmcTransport {
    /// Redfish over HTTPS.
    Redfish,
    /// IPMI over LAN, from a role's host.
    Ipmi,
}

impl std::fmt::Display for BmcTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            BmcTransport::Redfish => "redfish",
            BmcTransport::Ipmi => "ipmi",
        })
    }
}

/// How service processors are reached.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct BmcSpec {
    /// The credential's name.
    pub credential: Option<String>,
    /// Which way comes first.
    pub order: Vec<BmcTransport>,
    /// IPMI.
    pub ipmi: IpmiSpec,
    /// Redfish.
    pub redfish: RedfishSpec,
    /// Power distribution units.
    pub pdu: PduSpec,
    /// What differs by vendor, keyed by the node's `vendor` attribute.
    pub vendors: BTreeMap<String, VendorSpec>,
}

impl Default for BmcSpec {
    fn default() -> Self {
        BmcSpec {
            credential: None,
            order: vec![BmcTransport::Redfish, BmcTransport::Ipmi],
            ipmi: IpmiSpec::default(),
            redfish: RedfishSpec::default(),
            pdu: PduSpec::default(),
            vendors: BTreeMap::new(),
        }
    }
}

/// The oldest TLS version that is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::exhaustive_enums, reason = "the versions rustls speaks")]
pub enum TlsVersion {
    /// TLS 1.2.
    #[serde(rename = "1.2")]
    Tls12,
    /// TLS 1.3.
    #[serde(rename = "1.3")]
    Tls13,
}

/// Redfish.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RedfishSpec {
    /// The file of certificate fingerprints; `bmc-pins` in the state directory without it.
    pub pin_store: Option<String>,
    /// A file of authorities (PEM) that vouch for service processors, in place of the fingerprints.
    pub ca_bundle: Option<String>,
    /// Accept any certificate. Whoever is on the way can read the password.
    pub insecure: bool,
    /// How long one request may take.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub timeout: Duration,
    /// How many are asked at a time.
    pub max_concurrent: NonZeroUsize,
    /// The oldest TLS version.
    pub min_tls_version: TlsVersion,
    /// The path or id of the system; without it the system is discovered.
    pub system_path: Option<String>,
    /// The port.
    pub port: u16,
}

impl Default for RedfishSpec {
    fn default() -> Self {
        RedfishSpec {
            pin_store: None,
            ca_bundle: None,
            insecure: false,
            timeout: Duration::from_secs(30),
            max_concurrent: NonZeroUsize::new(256).unwrap_or(NonZeroUsize::MIN),
            min_tls_version: TlsVersion::Tls12,
            system_path: None,
            port: 443,
        }
    }
}

/// IPMI from a role's host.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct IpmiSpec {
    /// The role whose host runs the program.
    pub via: Option<String>,
    /// What speaks for power; boot devices are ipmitool's alone.
    pub backend: IpmiBackend,
    /// The version of the protocol.
    pub driver: IpmiDriver,
    /// Where ipmipower is.
    pub ipmipower_path: String,
    /// Where ipmitool is.
    pub ipmitool_path: String,
    /// How long one service processor may take.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub timeout: Duration,
    /// How many calls at a time.
    pub max_concurrent: NonZeroUsize,
    /// FreeIPMI's names of faults to work around (`ipmipower -W`).
    pub workaround_flags: Vec<String>,
}

/// A version of IPMI over LAN, as FreeIPMI calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::exhaustive_enums, reason = "the drivers that reach another host")]
pub enum IpmiDriver {
    /// IPMI 1.5.
    #[serde(rename = "LAN")]
    Lan,
    /// IPMI 2.0.
    #[serde(rename = "LAN_2_0")]
    Lan20,
}

impl IpmiDriver {
    /// FreeIPMI's word.
    pub fn word(self) -> &'static str {
        match self {
            IpmiDriver::Lan => "LAN",
            IpmiDriver::Lan20 => "LAN_2_0",
        }
    }
}

/// A program that speaks IPMI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "the programs that there are")]
pub enum IpmiBackend {
    /// FreeIPMI's.
    Ipmipower,
    /// ipmitool.
    Ipmitool,
}

impl Default for IpmiSpec {
    fn default() -> Self {
        IpmiSpec {
            via: None,
            backend: IpmiBackend::Ipmipower,
            driver: IpmiDriver::Lan20,
            ipmipower_path: "/usr/sbin/ipmipower".to_owned(),
            ipmitool_path: "/usr/bin/ipmitool".to_owned(),
            timeout: Duration::from_mins(1),
            max_concurrent: NonZeroUsize::new(8).unwrap_or(NonZeroUsize::MIN),
            workaround_flags: Vec::new(),
        }
    }
}

/// Power distribution units.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PduSpec {
    /// The name of a unit, from row and rack.
    pub name_format: String,
    /// The domain of the units.
    pub domain: Option<String>,
    /// The account.
    pub user: String,
    /// The credential's name.
    pub credential: Option<String>,
}

impl Default for PduSpec {
    fn default() -> Self {
        PduSpec {
            name_format: "pdu%s-%s".to_owned(),
            domain: None,
            user: "admin".to_owned(),
            credential: None,
        }
    }
}

/// What differs for the service processors of one vendor.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct VendorSpec {
    /// The credential's name.
    pub credential: Option<String>,
    /// Which way comes first.
    pub order: Option<Vec<BmcTransport>>,
    /// The only reset types that are sent.
    pub reset_types: Option<Vec<String>>,
    /// The path or id of the system.
    pub system_path: Option<String>,
    /// The oldest TLS version.
    pub min_tls_version: Option<TlsVersion>,
    /// How long one request may take.
    #[serde(with = "optional_duration", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub timeout: Option<Duration>,
}
