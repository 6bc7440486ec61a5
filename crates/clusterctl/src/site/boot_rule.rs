//! What a node boots when it is reinstalled.

use nodeset::{Expression, GroupSource, Limits, NodeSet};
use thiserror::Error;

use crate::config::kinds::BootPathSpec;
use crate::exit::{Classify, ExitClass};
use crate::site::node::Node;

/// A boot path and whether its link stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BootRule {
    /// The file on the PXE host.
    pub path: String,
    /// Whether the link stays after the first request.
    pub persistent: bool,
}

/// Why a node's boot path is not known.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BootRuleError {
    /// Two rules name it.
    #[error("two boot path rules name {node}: {first} and {second}")]
    Two {
        /// The node.
        node: String,
        /// The one rule's nodes.
        first: String,
        /// The other's.
        second: String,
    },
}

impl Classify for BootRuleError {
    fn exit_class(&self) -> ExitClass {
        ExitClass::Usage
    }
}

/// The cluster's rules, ready to use.
#[derive(Debug, Default)]
pub(crate) struct BootRules {
    rules: Vec<(String, NodeSet, BootRule)>,
}

impl BootRules {
    /// Reads the rules; the error holds the index of the one that is wrong, and why.
    pub(crate) fn new(
        specs: &[BootPathSpec],
        groups: &dyn GroupSource,
    ) -> Result<BootRules, (usize, nodeset::Error)> {
        let mut rules = Vec::new();
        for (index, spec) in specs.iter().enumerate() {
            let nodes = Expression::parse(&spec.nodes)
                .and_then(|expression| expression.evaluate(groups, Limits::default()))
                .map_err(|error| (index, error))?;
            let rule = BootRule { path: spec.path.clone(), persistent: spec.persistent };
            rules.push((spec.nodes.clone(), nodes, rule));
        }
        Ok(BootRules { rules })
    }

    /// The node's own path, else the only rule that names it.
    pub(crate) fn of(&self, node: &Node) -> Result<Option<BootRule>, BootRuleError> {
        if let Some(path) = node.entry().and_then(|entry| entry.boot_path.clone()) {
            return Ok(Some(BootRule { path, persistent: false }));
        }
        let mut matching =
            self.rules.iter().filter(|(_, nodes, _)| nodes.contains(node.name().as_str()));
        let Some((first, _, rule)) = matching.next() else { return Ok(None) };
        if let Some((second, ..)) = matching.next() {
            return Err(BootRuleError::Two {
                node: node.name().to_string(),
                first: first.clone(),
                second: second.clone(),
            });
        }
        Ok(Some(rule.clone()))
    }
}
