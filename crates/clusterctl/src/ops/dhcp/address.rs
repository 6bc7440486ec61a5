//! The address a node boots with: the inventory's, else the one its own declaration hands out.

use std::collections::HashMap;
use std::net::IpAddr;

use dhcpd_conf::{ConfigSet, FixedAddress};
use thiserror::Error;

use crate::exit::{Classify, ExitClass, Stop};
use crate::ops::dhcp::{Declarations, Match, fetch};
use crate::selection::Selection;
use crate::session::Session;
use crate::site::Node;

/// Why a node's boot address is not known. Nothing is guessed.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressError {
    /// Nothing is declared.
    #[error("{node} has no address in the inventory, and no DHCP declaration is named after it")]
    None {
        /// The node.
        node: String,
    },
    /// Its declarations hand out several, or none, or a name.
    #[error(
        "{node} has no address in the inventory, and DHCP does not give exactly one: {candidates}; set its address in the inventory to settle it"
    )]
    Ambiguous {
        /// The node.
        node: String,
        /// What there is.
        candidates: String,
    },
    /// Two nodes have one address.
    #[error("{first} and {second} have the same address {address}")]
    Shared {
        /// The address.
        address: IpAddr,
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
}

impl Classify for AddressError {
    fn exit_class(&self) -> ExitClass {
        ExitClass::Usage
    }
}

/// The boot addresses of a selection, in its order.
#[derive(Debug)]
pub struct BootAddresses {
    addresses: Vec<Result<IpAddr, AddressError>>,
}

impl BootAddresses {
    /// Finds them. DHCP is asked once, and only if the inventory leaves one open.
    pub fn find(session: &Session, selection: &Selection) -> Result<BootAddresses, Stop> {
        let complete = selection.nodes().iter().all(|node| node.address().is_some());
        let set = if complete { None } else { Some(fetch(session)?) };
        Ok(BootAddresses::of(session, selection, set.as_ref()))
    }

    fn of(session: &Session, selection: &Selection, set: Option<&ConfigSet>) -> BootAddresses {
        let declarations = set.map(Declarations::new);
        let mut owners: HashMap<IpAddr, String> = HashMap::new();
        for node in session.site().nodes() {
            owners.extend(node.address().map(|address| (address, node.name().to_string())));
        }
        let mut addresses = Vec::with_capacity(selection.len());
        for node in selection.nodes() {
            let name = node.name().to_string();
            let found = match (node.address(), &declarations) {
                (Some(address), _) => Ok(address),
                (None, Some(declarations)) => declared(node, declarations),
                (None, None) => Err(AddressError::None { node: name.clone() }),
            };
            addresses.push(found.and_then(|address| {
                let other = owners.insert(address, name.clone()).filter(|other| *other != name);
                let other =
                    other.or_else(|| stranger(session, node, address, declarations.as_ref()));
                match other {
                    Some(first) => Err(AddressError::Shared { address, first, second: name }),
                    None => Ok(address),
                }
            }));
        }
        BootAddresses { addresses }
    }

    /// All of them, or every reason why not.
    pub fn all(&self) -> Result<Vec<IpAddr>, Stop> {
        let errors: Vec<String> = self
            .addresses
            .iter()
            .filter_map(|a| a.as_ref().err().map(ToString::to_string))
            .collect();
        if !errors.is_empty() {
            return Err(Stop::usage(errors.join("; ")));
        }
        Ok(self.addresses.iter().flatten().copied().collect())
    }

    /// Each with its own reason.
    pub fn each(&self) -> impl Iterator<Item = &Result<IpAddr, AddressError>> {
        self.addresses.iter()
    }
}

/// The one address of the declarations that are named after the node.
fn declared(node: &Node, declarations: &Declarations<'_>) -> Result<IpAddr, AddressError> {
    let name = node.name().to_string();
    let found = declarations.of(node);
    let own: Vec<_> = found.iter().filter(|d| d.kind == Match::Name).collect();
    if own.is_empty() {
        return Err(AddressError::None { node: name });
    }
    let with_address: Vec<_> =
        own.iter().filter(|declaration| !declaration.host.fixed_addresses().is_empty()).collect();
    if let [only] = with_address.as_slice()
        && let [FixedAddress::Ip(address)] = only.host.fixed_addresses().as_slice()
    {
        return Ok(*address);
    }
    let candidates: Vec<String> = own
        .iter()
        .map(|declaration| {
            let addresses = declaration.addresses();
            let given =
                if addresses.is_empty() { "no address".to_owned() } else { addresses.join(",") };
            format!("{} has {given}", declaration.host.name())
        })
        .collect();
    Err(AddressError::Ambiguous { node: name, candidates: candidates.join(", ") })
}

/// Another node's own declaration that hands out the same address.
fn stranger(
    session: &Session,
    node: &Node,
    address: IpAddr,
    declarations: Option<&Declarations<'_>>,
) -> Option<String> {
    let holders = declarations?.holders(address);
    holders.into_iter().find_map(|holder| {
        let other = session.site().machine(holder).ok()?;
        (other.is_known() && other.name() != node.name()).then(|| other.name().to_string())
    })
}
