//! The kinds of documents, each typed: one definition a field serves reading, default, schema and
//! documentation.

mod bmc;
mod cluster;
mod config;
mod envelope;
mod inventory;
mod safety;
mod secret;
mod services;
mod site;
mod ssh;
mod unread;
mod workstation;

pub use bmc::{
    BmcSpec, BmcTransport, IpmiBackend, IpmiDriver, IpmiSpec, PduSpec, RedfishSpec, TlsVersion,
    VendorSpec,
};
pub use cluster::{BootPathSpec, ClusterSpec, CommandSpec, GroupSourceSpec, GroupsSpec, SlurmSpec};
pub use config::{ConfigDocument, ContextSpec};
pub use envelope::{API_VERSION, Envelope, Kind, Metadata};
pub use inventory::{DefaultsSpec, EntrySpec, InventorySpec};
pub use safety::{FanoutSpec, SafetySpec};
pub use secret::SecretDocument;
pub use services::{
    CincSpec, DhcpSpec, DnsSpec, FabricSpec, HttpSpec, LinkLayout, PxesrvSpec, SecretFileSpec,
    SecretKeySpec, ServicesSpec, TftpSpec,
};
pub use site::{
    CredentialSpec, NamingSpec, PasswordSpec, RoleSpec, RuleMatchSpec, RuleSpec, SiteSpec,
};
pub use ssh::{SshSpec, SshTransport, TunnelSpec};
pub(crate) use unread::{AWAITED, UNREAD};
pub use workstation::WorkstationSpec;
