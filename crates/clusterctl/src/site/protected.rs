//! Machines that are never changed without `--force`.

use std::collections::HashSet;

use thiserror::Error;

use crate::exit::{Classify, ExitClass};
use crate::selection::Sources;
use crate::selection::{SelectError, select};
use crate::site::node::{Node, NodeName};
use crate::site::resolved::Site;

/// The protected machines, compared as machines and not as texts.
#[derive(Debug, Clone, Default)]
pub struct Protected {
    names: HashSet<NodeName>,
}

/// An entry of `safety.protectedHosts` that cannot be resolved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProtectedError {
    /// The entry is no node set, or its source cannot be asked.
    #[error("safety.protectedHosts: {entry:?}")]
    Select {
        /// The entry.
        entry: String,
        /// Why.
        #[source]
        source: SelectError,
    },
    /// It names a machine that nothing knows: a misspelt entry protects nobody.
    #[error("safety.protectedHosts: {entry:?} names {name}, which the inventory does not know")]
    Unknown {
        /// The entry.
        entry: String,
        /// The machine.
        name: String,
    },
}

impl Classify for ProtectedError {
    fn exit_class(&self) -> ExitClass {
        match self {
            Self::Select { source, .. } => source.exit_class(),
            Self::Unknown { .. } => ExitClass::Usage,
        }
    }
}

impl Protected {
    /// Resolves the entries.
    pub fn resolve(site: &Site, sources: &Sources<'_>) -> Result<Protected, ProtectedError> {
        let mut names = HashSet::new();
        for entry in &site.settings().safety.protected_hosts {
            let selection = select(site, entry, sources)
                .map_err(|source| ProtectedError::Select { entry: entry.clone(), source })?;
            for node in selection.nodes() {
                if !node.is_known() {
                    let name = node.name().to_string();
                    return Err(ProtectedError::Unknown { entry: entry.clone(), name });
                }
                names.insert(node.name().clone());
            }
        }
        Ok(Protected { names })
    }

    /// Whether a machine is protected.
    pub fn contains(&self, node: &Node) -> bool {
        self.names.contains(node.name())
    }
}
