//! The nodes, from entries that refine each other.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use nodeset::{Expression, Limits, NoGroups, padding_blind};

use crate::config::{InventoryEntry, Place, Problem};
use crate::site::attributes::Attributes;
use crate::site::host_name::{HostName, HostNameError};

/// What the inventory says of one node.
#[derive(Debug, Clone)]
pub struct InventoryNode {
    /// Its name.
    pub name: HostName,
    /// Where it is named first.
    pub place: Place,
    /// Its attributes; `rack` among them.
    pub attributes: Attributes,
    /// The height in the rack.
    pub level: Option<u32>,
    /// Its address.
    pub address: Option<IpAddr>,
    /// Its service processor's name or address.
    pub bmc_address: Option<HostName>,
    /// Its DHCP client identifier.
    pub cid: Option<String>,
    /// Its hardware addresses, in lower case with colons.
    pub macs: Vec<String>,
    /// What it boots when it is reinstalled.
    pub boot_path: Option<String>,
}

/// All nodes, in natural order.
#[derive(Debug, Default)]
pub struct Inventory {
    nodes: Vec<Arc<InventoryNode>>,
    /// By the name with its padding taken away.
    by_blind: HashMap<String, usize>,
    by_attribute: OnceLock<ByAttribute>,
}

/// The nodes of each value of each attribute.
type ByAttribute = HashMap<String, HashMap<String, Vec<usize>>>;

impl Inventory {
    /// Builds it; every mistake of every entry is told.
    pub fn build(entries: &[InventoryEntry]) -> Result<Inventory, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut nodes: Vec<InventoryNode> = Vec::with_capacity(entries.len());
        let mut by_blind: HashMap<String, usize> = HashMap::with_capacity(entries.len());
        for entry in entries {
            if let Err(why) = add(entry, &mut nodes, &mut by_blind) {
                problems.push(Problem::at(&entry.place, why));
            }
        }
        unique(&nodes, &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        let natural = |a: &InventoryNode, b: &InventoryNode| {
            nodeset::natural_cmp(a.name.as_str(), b.name.as_str())
        };
        if !nodes.is_sorted_by(|a, b| natural(a, b).is_le()) {
            nodes.sort_by(natural);
            by_blind.clear();
            let blind = nodes.iter().map(|node| padding_blind(node.name.as_str()));
            by_blind.extend(blind.zip(0..));
        }
        let nodes = nodes.into_iter().map(Arc::new).collect();
        Ok(Inventory { nodes, by_blind, by_attribute: OnceLock::new() })
    }

    /// All nodes, in natural order.
    pub fn nodes(&self) -> &[Arc<InventoryNode>] {
        &self.nodes
    }

    /// The node of exactly this name.
    pub fn node(&self, name: &str) -> Option<&Arc<InventoryNode>> {
        self.node_in_any_padding(name).filter(|node| node.name.as_str() == name)
    }

    /// The node of this name in any padding.
    pub fn node_in_any_padding(&self, name: &str) -> Option<&Arc<InventoryNode>> {
        self.by_blind.get(&padding_blind(name)).map(|index| &self.nodes[*index])
    }
}

impl Inventory {
    /// The nodes whose attribute has this value, in natural order.
    pub fn with_attribute(
        &self,
        attribute: &str,
        value: &str,
    ) -> impl Iterator<Item = &Arc<InventoryNode>> {
        let values = self.by_attribute.get_or_init(|| self.attributes()).get(attribute);
        let found = values.and_then(|values| values.get(value));
        found.into_iter().flatten().map(|index| &self.nodes[*index])
    }

    fn attributes(&self) -> ByAttribute {
        let mut all = ByAttribute::new();
        for (index, node) in self.nodes.iter().enumerate() {
            for (attribute, value) in node.attributes.iter() {
                let values = all.entry(attribute.to_owned()).or_default();
                values.entry(value.to_owned()).or_default().push(index);
            }
        }
        all
    }
}

/// Applies one entry to the nodes it names.
fn add(
    entry: &InventoryEntry,
    nodes: &mut Vec<InventoryNode>,
    by_blind: &mut HashMap<String, usize>,
) -> Result<(), String> {
    let text = &entry.entry.nodes;
    // Most entries of a great inventory name one node, and a host name is no expression.
    if text.parse::<HostName>().is_ok() {
        return add_node(text, entry, nodes, by_blind);
    }
    let names = Expression::parse(text)
        .and_then(|expression| expression.evaluate(&NoGroups, Limits::default()))
        .map_err(|error| format!("\"nodes\": {error}"))?;
    if names.is_empty() {
        return Err("\"nodes\" names no node".to_owned());
    }
    let single = &entry.entry;
    let is_single = single.address.is_some()
        || single.bmc_address.is_some()
        || single.cid.is_some()
        || !single.macs.is_empty();
    if is_single && names.len() > 1 {
        return Err(format!(
            "address, bmcAddress, cid and macs are for one node, and {text:?} is {}",
            names.len()
        ));
    }
    names.iter().try_for_each(|name| add_node(name.as_str(), entry, nodes, by_blind))
}

fn add_node(
    name: &str,
    entry: &InventoryEntry,
    nodes: &mut Vec<InventoryNode>,
    by_blind: &mut HashMap<String, usize>,
) -> Result<(), String> {
    let host: HostName = name.parse().map_err(|error: HostNameError| error.to_string())?;
    if host.as_str() != name {
        return Err(format!("{name:?} has to be written {:?}", host.as_str()));
    }
    let index = match by_blind.entry(padding_blind(name)) {
        Entry::Occupied(known) => {
            let (index, known) = (*known.get(), &nodes[*known.get()]);
            if known.name != host {
                return Err(format!(
                    "{name} and {} (at {}) differ in padding only: write {}",
                    known.name, known.place, known.name
                ));
            }
            index
        }
        Entry::Vacant(free) => {
            nodes.push(first_named(host, entry));
            *free.insert(nodes.len() - 1)
        }
    };
    refine(&mut nodes[index], entry)
}

fn first_named(name: HostName, entry: &InventoryEntry) -> InventoryNode {
    InventoryNode {
        name,
        place: entry.place.clone(),
        attributes: pairs(&entry.defaults.attributes).collect(),
        level: None,
        address: None,
        bmc_address: None,
        cid: None,
        macs: Vec::new(),
        boot_path: None,
    }
}

fn pairs(map: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, &str)> {
    map.iter().map(|(key, value)| (key.as_str(), value.as_str()))
}

fn refine(node: &mut InventoryNode, entry: &InventoryEntry) -> Result<(), String> {
    let spec = &entry.entry;
    if let (Some(field), Some(attribute)) = (&spec.rack, spec.attributes.get("rack"))
        && field != attribute
    {
        return Err(format!("the rack is {field:?} as a field and {attribute:?} as an attribute"));
    }
    for (key, value) in pairs(&spec.attributes) {
        node.attributes.insert(key, value);
    }
    if let Some(rack) = &spec.rack {
        node.attributes.insert("rack", rack);
    }
    node.level = spec.level.or(node.level);
    if let Some(address) = &spec.address {
        let parsed =
            address.parse().map_err(|_| format!("address: {address:?} is no IP address"))?;
        node.address = Some(parsed);
    }
    if let Some(bmc) = &spec.bmc_address {
        node.bmc_address = Some(bmc.parse().map_err(|error| format!("bmcAddress: {error}"))?);
    }
    if spec.cid.is_some() {
        node.cid.clone_from(&spec.cid);
    }
    if !spec.macs.is_empty() {
        node.macs = spec.macs.iter().map(|mac| hardware_address(mac)).collect::<Result<_, _>>()?;
    }
    if spec.boot_path.is_some() {
        node.boot_path.clone_from(&spec.boot_path);
    }
    Ok(())
}

/// Six to twenty octets with colons, hyphens, dots or nothing between, in lower case with colons.
fn hardware_address(text: &str) -> Result<String, String> {
    let digits: String = text.chars().filter(|c| !matches!(c, ':' | '-' | '.')).collect();
    let is_hex = digits.chars().all(|c| c.is_ascii_hexdigit());
    if !is_hex || digits.len() % 2 == 1 || !(12..=40).contains(&digits.len()) {
        return Err(format!("macs: {text:?} is no hardware address"));
    }
    let digits = digits.to_ascii_lowercase();
    let octets: Vec<&str> = (0..digits.len()).step_by(2).map(|at| &digits[at..at + 2]).collect();
    Ok(octets.join(":"))
}

/// What only one node may have.
#[derive(PartialEq, Eq, Hash)]
enum Belonging<'n> {
    /// Of the machine or of its service processor.
    Address(IpAddr),
    ServiceProcessor(&'n str),
    ClientIdentifier(&'n str),
    HardwareAddress(&'n str),
}

impl fmt::Display for Belonging<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Belonging::Address(address) => write!(f, "address {address}"),
            Belonging::ServiceProcessor(name) => write!(f, "service processor {name}"),
            Belonging::ClientIdentifier(cid) => write!(f, "client identifier {cid}"),
            Belonging::HardwareAddress(mac) => write!(f, "hardware address {mac}"),
        }
    }
}

/// No two nodes share an address, a service processor, a client identifier or a hardware address,
/// and no node's address is another's service processor.
fn unique(nodes: &[InventoryNode], problems: &mut Vec<Problem>) {
    let mut owners: HashMap<Belonging<'_>, &InventoryNode> = HashMap::with_capacity(nodes.len());
    for node in nodes {
        let machine = node.address.map(Belonging::Address);
        let bmc = node.bmc_address.as_ref().map(|bmc| match bmc.address() {
            Some(address) => Belonging::Address(address),
            None => Belonging::ServiceProcessor(bmc.as_str()),
        });
        let cid = node.cid.as_deref().map(Belonging::ClientIdentifier);
        let macs = node.macs.iter().map(|mac| Belonging::HardwareAddress(mac));
        for belonging in machine.into_iter().chain(bmc).chain(cid).chain(macs) {
            match owners.entry(belonging) {
                Entry::Vacant(free) => {
                    free.insert(node);
                }
                Entry::Occupied(taken) => {
                    let (what, first) = (taken.key(), taken.get());
                    let message = if first.name == node.name {
                        format!("{} has the {what} twice", node.name)
                    } else {
                        format!(
                            "{} has the {what} of {} (at {})",
                            node.name, first.name, first.place
                        )
                    };
                    problems.push(Problem::at(&node.place, message));
                }
            }
        }
    }
}
