//! The site, resolved for one context.

use std::sync::{Arc, OnceLock};

use crate::config::kinds::{BmcTransport, ClusterSpec, SiteSpec, VendorSpec, WorkstationSpec};
use crate::config::{ConfigError, Problem, Resolved};
use crate::reach::Target;
use crate::selection::NoGroupsYet;
use crate::site::boot_rule::{BootRule, BootRuleError, BootRules};
use crate::site::distinct;
use crate::site::inventory::{Inventory, InventoryNode};
use crate::site::machine::Aliases;
use crate::site::naming::Naming;
use crate::site::node::Node;
use crate::site::protected;
use crate::site::role::{self, RoleError};
use crate::site::validate;

/// Everything that is known of a site without asking anybody.
#[derive(Debug)]
pub struct Site {
    resolved: Resolved,
    inventory: Inventory,
    naming: Arc<Naming>,
    boot_rules: BootRules,
    aliases: OnceLock<Aliases>,
}

impl Site {
    /// Builds it from the configuration. Every mistake is told, with its place where it has one.
    pub fn new(resolved: Resolved) -> Result<Site, ConfigError> {
        let mut problems = Vec::new();
        let mut keep = |found: Vec<Problem>| problems.extend(found);
        let inventory = Inventory::build(&resolved.inventory).unwrap_or_else(|found| {
            keep(found);
            Inventory::default()
        });
        let settings = &resolved.settings;
        let naming = Naming::new(&settings.naming, &settings.domains).unwrap_or_else(|found| {
            let at = |(index, why): (usize, String)| {
                let place = resolved.provenance.nearest(&["naming", "rules", &index.to_string()]);
                Problem::at(place, format!("naming.rules: {why}"))
            };
            keep(found.into_iter().map(at).collect());
            Naming::default()
        });
        keep(validate::settings(&resolved));
        let site = Site {
            resolved,
            inventory,
            naming: Arc::new(naming),
            boot_rules: BootRules::default(),
            aliases: OnceLock::new(),
        };
        if !problems.is_empty() {
            // What follows would only repeat them.
            return Err(problems_of(problems));
        }
        problems.extend(protected::problems(&site));
        let groups = NoGroupsYet::new(&site);
        let boot_rules = BootRules::new(&site.resolved.cluster.boot_paths, &groups)
            .map_err(|(index, why)| {
                let tree = &site.resolved.cluster_tree;
                let place = &tree.nearest(&["bootPaths", &index.to_string()]).place;
                problems.push(Problem::at(place, format!("bootPaths: {why}")));
            })
            .unwrap_or_default();
        if problems.is_empty() {
            return Ok(Site { boot_rules, ..site });
        }
        Err(problems_of(problems))
    }

    /// The context's name.
    pub fn context(&self) -> &str {
        &self.resolved.context.name
    }

    /// The cluster's name.
    pub fn cluster(&self) -> &str {
        &self.resolved.context.cluster
    }

    /// How many contexts are loaded.
    pub fn contexts(&self) -> usize {
        self.resolved.contexts_loaded
    }

    /// The configuration itself.
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// The settings.
    pub fn settings(&self) -> &SiteSpec {
        &self.resolved.settings
    }

    /// The cluster's document.
    pub fn cluster_spec(&self) -> &ClusterSpec {
        &self.resolved.cluster
    }

    /// This workstation.
    pub fn workstation(&self) -> &WorkstationSpec {
        &self.resolved.workstation
    }

    /// The inventory.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// The naming rules.
    pub fn naming(&self) -> &Arc<Naming> {
        &self.naming
    }

    /// All nodes, in natural order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        self.inventory.nodes().iter().map(|entry| self.known(entry))
    }

    /// Whether every machine's service processor is its own. It takes the names of all machines, so
    /// that commands that only read go without.
    pub fn check_distinct(&self) -> Result<(), ConfigError> {
        let problems = distinct::problems(self);
        if problems.is_empty() { Ok(()) } else { Err(problems_of(problems)) }
    }

    /// A node of the inventory.
    pub(crate) fn known(&self, entry: &Arc<InventoryNode>) -> Node {
        Node::new(entry.name.clone(), Some(Arc::clone(entry)), &self.naming)
    }

    pub(crate) fn aliases(&self) -> &Aliases {
        self.aliases.get_or_init(|| Aliases::new(self))
    }

    /// The host of a role.
    pub fn role(&self, name: &str) -> Result<Target, RoleError> {
        role::target(&self.settings().hosts, name)
    }

    /// A node to log in to: the context's account, never a role's, even on the same host.
    pub fn target(&self, node: &Node) -> Target {
        let mut target = Target::new(node.name().as_str(), node.host().as_str());
        target.user.clone_from(&self.resolved.context.user);
        target
    }

    /// What a node boots when it is reinstalled.
    pub fn boot_rule(&self, node: &Node) -> Result<Option<BootRule>, BootRuleError> {
        self.boot_rules.of(node)
    }

    /// What differs for the service processors of the node's vendor.
    pub fn vendor_spec(&self, node: &Node) -> Option<&VendorSpec> {
        self.settings().bmc.vendors.get(node.vendor()?)
    }

    /// Which way to the node's service processor comes first.
    pub fn bmc_order(&self, node: &Node) -> &[BmcTransport] {
        let vendor = self.vendor_spec(node).and_then(|vendor| vendor.order.as_deref());
        vendor.unwrap_or(&self.settings().bmc.order)
    }
}

fn problems_of(mut problems: Vec<Problem>) -> ConfigError {
    Problem::sort(&mut problems);
    ConfigError::Problems(problems)
}
