//! A machine of the cluster.

use std::cmp::Ordering;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use crate::site::host_name::HostName;
use crate::site::inventory::InventoryNode;
use crate::site::naming::Naming;

/// How a machine is called: the inventory's spelling, or what was typed for one it does not know.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NodeName(HostName);

impl NodeName {
    /// The name.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Ord for NodeName {
    fn cmp(&self, other: &Self) -> Ordering {
        nodeset::natural_cmp(self.as_str(), other.as_str())
    }
}

impl PartialOrd for NodeName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A machine: cheap to make and to clone, since its names are worked out when they are asked for.
#[derive(Debug, Clone)]
pub struct Node {
    name: NodeName,
    entry: Option<Arc<InventoryNode>>,
    naming: Arc<Naming>,
    host: OnceLock<HostName>,
    bmc: OnceLock<Result<HostName, NoBmc>>,
}

/// Why a machine has no service processor to talk to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoBmc {
    /// Nothing names one.
    #[error("no bmcAddress, and no naming rule with a bmc template matches it")]
    NotNamed,
    /// The template gives the machine's own name.
    #[error("the bmc template gives the machine's own name")]
    OwnName,
    /// An address has no naming rule.
    #[error("an address has no service processor: name the node")]
    Address,
    /// The template gives something that is no host name.
    #[error("the bmc template gives no host name")]
    Invalid(#[source] crate::site::HostNameError),
}

impl Node {
    /// A machine of this name, and what the inventory says of it.
    pub(crate) fn new(
        name: HostName,
        entry: Option<Arc<InventoryNode>>,
        naming: &Arc<Naming>,
    ) -> Node {
        let naming = Arc::clone(naming);
        let (host, bmc) = (OnceLock::new(), OnceLock::new());
        Node { name: NodeName(name), entry, naming, host, bmc }
    }

    /// Its name.
    pub fn name(&self) -> &NodeName {
        &self.name
    }

    /// The host name that is connected to.
    pub fn host(&self) -> &HostName {
        self.host.get_or_init(|| self.naming.host(&self.name.0))
    }

    /// Whether the inventory knows it.
    pub fn is_known(&self) -> bool {
        self.entry.is_some()
    }

    /// What the inventory says of it.
    pub fn entry(&self) -> Option<&InventoryNode> {
        self.entry.as_deref()
    }

    /// The address the inventory gives it.
    pub fn address(&self) -> Option<IpAddr> {
        self.entry()?.address
    }

    /// The name or address of its service processor.
    pub fn bmc(&self) -> Result<&str, NoBmc> {
        let bmc =
            self.bmc.get_or_init(|| match self.entry().and_then(|e| e.bmc_address.as_ref()) {
                Some(bmc) => Ok(bmc.clone()),
                None => self.naming.bmc(&self.name.0, self.host()),
            });
        bmc.as_ref().map(HostName::as_str).map_err(Clone::clone)
    }

    /// An attribute.
    pub fn attribute(&self, key: &str) -> Option<&str> {
        self.entry()?.attributes.get(key)
    }

    /// The `vendor` attribute.
    pub fn vendor(&self) -> Option<&str> {
        self.attribute("vendor")
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Node {}
