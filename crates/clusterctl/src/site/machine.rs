//! Which machine a name is: one answer for every command, argument and rule.

use std::collections::HashMap;
use std::net::IpAddr;

use thiserror::Error;

use crate::exit::{Classify, ExitClass};
use crate::site::host_name::{HostName, HostNameError};
use crate::site::node::Node;
use crate::site::resolved::Site;

/// A text that names no machine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(transparent)]
pub struct MachineError(#[from] HostNameError);

impl Classify for MachineError {
    fn exit_class(&self) -> ExitClass {
        ExitClass::Usage
    }
}

/// Other names of machines: service processors' names and addresses, and inventory addresses.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    by_name: HashMap<String, usize>,
}

impl Aliases {
    pub(crate) fn new(site: &Site) -> Aliases {
        let mut by_name = HashMap::new();
        for (index, entry) in site.inventory().nodes().iter().enumerate() {
            let node = site.known(entry);
            if let Ok(bmc) = node.bmc() {
                by_name.insert(bmc.to_owned(), index);
            }
            if let Some(address) = node.address() {
                by_name.insert(address.to_string(), index);
            }
        }
        Aliases { by_name }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

impl Site {
    /// The machine of a name: a short name in any padding and case, a fully qualified one, a
    /// service processor's name, an address. An inventory name is never taken over by an alias.
    /// A name that nothing knows is a machine of its own.
    pub fn machine(&self, text: &str) -> Result<Node, MachineError> {
        let name: HostName = text.parse()?;
        if let Some(entry) = self.inventory().node_in_any_padding(name.as_str()) {
            return Ok(self.known(entry));
        }
        if name.address().is_none()
            && !name.domain().is_empty()
            && let Some(entry) = self.inventory().node_in_any_padding(name.short())
        {
            let node = self.known(entry);
            if node.host().domain() == name.domain() {
                return Ok(node);
            }
        }
        if let Some(index) = self.aliases().index(name.as_str()) {
            return Ok(self.known(&self.inventory().nodes()[index]));
        }
        Ok(self.unknown(name))
    }

    /// A machine that the inventory does not know. A fully qualified name of the site's own naming
    /// is called by its short name, as its fellows are.
    fn unknown(&self, name: HostName) -> Node {
        let short = name.short().parse::<HostName>().ok();
        let name = match short {
            Some(short) if name.address().is_none() && self.naming().host(&short) == name => short,
            _ => name,
        };
        Node::new(name, None, self.naming())
    }

    /// The node whose inventory address this is.
    pub fn node_at(&self, address: IpAddr) -> Option<Node> {
        let index = self.aliases().index(&address.to_string())?;
        Some(self.known(&self.inventory().nodes()[index]))
    }
}
