//! From a node to the client of its BMC.

use std::net::ToSocketAddrs as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use redfish::https::{Client, MinTls, Trust};
use redfish::{Bmc, Endpoint, EndpointError, FilePins, Limits, Profile, ResetType};
use thiserror::Error;

use crate::bmc::announced::AnnouncedPins;
use crate::bmc::ipmi::{Ipmi, Peer, SecretError};
use crate::bmc::line::Line;
use crate::bmc::trust::trust;
use crate::config::kinds::{BmcTransport, TlsVersion};
use crate::credentials::{CredentialError, Credentials};
use crate::exit::{Classify, ExitClass};
use crate::gate::{Permit, Person};
use crate::interrupt::Interrupt;
use crate::site::{NoBmc, Node, Site};

/// Why a node's BMC cannot be asked at all; nothing was sent.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BmcError {
    /// No service processor is known.
    #[error("{node}")]
    NoBmc {
        /// The node.
        node: String,
        /// Why.
        #[source]
        source: NoBmc,
    },
    /// Its name is no host name.
    #[error("{node}: its service processor cannot be named in a URL")]
    Endpoint {
        /// The node.
        node: String,
        /// Why.
        #[source]
        source: EndpointError,
    },
    /// Another way comes first.
    #[error("{node}: its bmc.order does not begin with redfish")]
    NotRedfish {
        /// The node.
        node: String,
    },
    /// Only another way is allowed.
    #[error("{node}: its bmc.order does not name redfish")]
    NoRedfish {
        /// The node.
        node: String,
    },
    /// Its name has no address.
    #[error("{node}: {host} has no address")]
    Unresolved {
        /// The node.
        node: String,
        /// The service processor.
        host: String,
    },
    /// No credential is configured.
    #[error("{node}: no credential is configured for its service processor (bmc.credential)")]
    NoCredential {
        /// The node.
        node: String,
    },
    /// The credential's value is not to be had.
    #[error(transparent)]
    Credential(#[from] CredentialError),
    /// IPMI cannot carry it.
    #[error("{node}: the account cannot be used over IPMI")]
    Secret {
        /// The node.
        node: String,
        /// Why.
        #[source]
        source: SecretError,
    },
    /// What vouches for its certificate cannot be used.
    #[error("the authorities of service processors (bmc.redfish.caBundle) cannot be used: {0}")]
    Authorities(String),
    /// The client cannot be built.
    #[error("the Redfish client cannot be set up: {0}")]
    Client(String),
}

impl Classify for BmcError {
    fn exit_class(&self) -> ExitClass {
        match self {
            Self::Unresolved { .. } => ExitClass::Unreachable,
            Self::Credential(error) => error.exit_class(),
            _ => ExitClass::Usage,
        }
    }
}

/// Builds the clients of one run. Certificates are checked against the pins of the
/// state directory, or as `bmc.redfish` says.
pub struct Connections<'a> {
    site: &'a Site,
    credentials: &'a Credentials<'a>,
    interrupt: Interrupt,
    pins: Arc<AnnouncedPins>,
    trust: Result<Trust, String>,
    dry_run: bool,
}

impl std::fmt::Debug for Connections<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connections").field("dry_run", &self.dry_run).finish_non_exhaustive()
    }
}

impl<'a> Connections<'a> {
    /// The connections of a run; a dry run records no certificate.
    pub fn new(
        site: &'a Site,
        credentials: &'a Credentials<'a>,
        person: Arc<dyn Person>,
        interrupt: Interrupt,
        dry_run: bool,
    ) -> Connections<'a> {
        let configured = site.settings().bmc.redfish.pin_store.as_ref().map(PathBuf::from);
        let path = configured.unwrap_or_else(|| site.resolved().state_directory.join("bmc-pins"));
        let pins = if dry_run { FilePins::read_only(path) } else { FilePins::new(path) };
        let pins = Arc::new(AnnouncedPins { pins, person, dry_run });
        let trust = trust(&site.settings().bmc.redfish, &pins);
        Connections { site, credentials, interrupt, pins, trust, dry_run }
    }

    fn trust(&self) -> Result<Trust, BmcError> {
        self.trust.clone().map_err(BmcError::Authorities)
    }

    /// The certificates on record.
    pub fn pins(&self) -> &FilePins {
        &self.pins.pins
    }

    /// The service processor's place.
    pub fn place(&self, node: &Node) -> Result<Endpoint, BmcError> {
        let port = self.site.settings().bmc.redfish.port;
        Endpoint::new(host(node)?, port)
            .map_err(|source| BmcError::Endpoint { node: node.name().to_string(), source })
    }

    /// Everything about the BMC that Redfish needs and that can be known without a connection: its
    /// place, its address, its credential.
    pub fn check(&self, node: &Node) -> Result<(), BmcError> {
        let endpoint = self.place(node)?;
        self.account(node)?;
        self.trust()?;
        let mut addresses = (endpoint.host(), endpoint.port()).to_socket_addrs().ok();
        if addresses.as_mut().and_then(Iterator::next).is_none() {
            let host = endpoint.host().to_owned();
            return Err(BmcError::Unresolved { node: node.name().to_string(), host });
        }
        Ok(())
    }

    /// The same, for what Redfish alone knows: refuses a node whose order does not name it.
    pub fn check_redfish(&self, node: &Node) -> Result<(), BmcError> {
        host(node)?;
        if !self.site.bmc_order(node).contains(&BmcTransport::Redfish) {
            return Err(BmcError::NoRedfish { node: node.name().to_string() });
        }
        self.check(node)
    }

    /// The same, for what has to go through Redfish: refuses a node whose order begins with another
    /// way.
    pub fn check_redfish_first(&self, node: &Node) -> Result<(), BmcError> {
        host(node)?;
        if self.site.bmc_order(node).first() != Some(&BmcTransport::Redfish) {
            return Err(BmcError::NotRedfish { node: node.name().to_string() });
        }
        self.check(node)
    }

    /// The BMC as IPMI reaches it, with an account that it can carry.
    pub fn peer(&self, node: &Node, ipmi: &Ipmi<'_>) -> Result<Peer, BmcError> {
        let host = host(node)?.to_owned();
        let account = self.account(node)?;
        ipmi.check(&account)
            .map_err(|source| BmcError::Secret { node: node.name().to_string(), source })?;
        Ok(Peer { host, credential: self.credential(node)?.to_owned(), account })
    }

    /// A client that can only read what a service processor tells everybody.
    pub fn anonymous(&self, node: &Node) -> Result<Bmc<Line>, BmcError> {
        let nobody = redfish::Account::new("anonymous", redfish::Password::new(String::new()))
            .map_err(|error| BmcError::Client(error.to_string()))?;
        self.client(node, self.place(node)?, nobody, true, self.interrupt.clone())
    }

    /// A client that can only read, for what Redfish alone knows: the order must name it.
    pub fn redfish_reader(&self, node: &Node) -> Result<Bmc<Line>, BmcError> {
        host(node)?;
        if !self.site.bmc_order(node).contains(&BmcTransport::Redfish) {
            return Err(BmcError::NoRedfish { node: node.name().to_string() });
        }
        self.reader(node)
    }

    /// A client that can only read; whether Redfish is the way is for the caller to know.
    pub fn reader(&self, node: &Node) -> Result<Bmc<Line>, BmcError> {
        self.build(node, true, self.interrupt.clone())
    }

    /// A client that can change the machine; whether Redfish is the way is for the caller to know.
    pub fn writer(&self, node: &Node, _permit: &Permit) -> Result<Bmc<Line>, BmcError> {
        self.build(node, self.dry_run, self.interrupt.clone())
    }

    /// A client for the way back, which goes on after Ctrl-C.
    pub fn undoer(&self, node: &Node, _permit: &Permit) -> Result<Bmc<Line>, BmcError> {
        self.build(node, self.dry_run, Interrupt::new())
    }

    /// The name of the credential.
    pub(crate) fn credential(&self, node: &Node) -> Result<&'a str, BmcError> {
        let vendor = self.site.vendor_spec(node).and_then(|vendor| vendor.credential.as_deref());
        let name = vendor.or(self.site.settings().bmc.credential.as_deref());
        name.ok_or_else(|| BmcError::NoCredential { node: node.name().to_string() })
    }

    fn account(&self, node: &Node) -> Result<redfish::Account, BmcError> {
        Ok(self.credentials.account(self.credential(node)?)?)
    }

    fn build(
        &self,
        node: &Node,
        read_only: bool,
        interrupt: Interrupt,
    ) -> Result<Bmc<Line>, BmcError> {
        self.client(node, self.place(node)?, self.account(node)?, read_only, interrupt)
    }

    fn client(
        &self,
        node: &Node,
        endpoint: Endpoint,
        account: redfish::Account,
        read_only: bool,
        interrupt: Interrupt,
    ) -> Result<Bmc<Line>, BmcError> {
        let settings = &self.site.settings().bmc.redfish;
        let vendor = self.site.vendor_spec(node);
        let timeout = vendor.and_then(|vendor| vendor.timeout).unwrap_or(settings.timeout);
        let tls =
            vendor.and_then(|vendor| vendor.min_tls_version).unwrap_or(settings.min_tls_version);
        let tls = match tls {
            TlsVersion::Tls12 => MinTls::V1_2,
            TlsVersion::Tls13 => MinTls::V1_3,
        };
        let client = Client::builder(self.trust()?)
            .connect_timeout(timeout.min(Duration::from_secs(10)))
            .request_timeout(timeout)
            .min_tls(tls)
            .build()
            .map_err(|error| BmcError::Client(error.to_string()))?;
        let types = vendor.and_then(|vendor| vendor.reset_types.as_ref());
        let profile = Profile {
            name: node.vendor().unwrap_or_default().to_owned(),
            system: vendor
                .and_then(|vendor| vendor.system_path.clone())
                .or_else(|| settings.system_path.clone()),
            reset_types: types
                .map(|types| types.iter().map(|t| ResetType::from(t.as_str())).collect()),
            close_connections: false,
        };
        let limits = Limits { operation: (timeout * 4).max(Duration::from_secs(10)) };
        Ok(Bmc::new(endpoint, account, Line::new(client, read_only, interrupt))
            .with_profile(profile)
            .with_limits(limits))
    }
}

fn host(node: &Node) -> Result<&str, BmcError> {
    node.bmc().map_err(|source| BmcError::NoBmc { node: node.name().to_string(), source })
}
