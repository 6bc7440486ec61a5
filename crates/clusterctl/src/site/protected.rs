//! Machines that are never changed without `--force`.

use std::collections::HashSet;

use nodeset::{Expression, Limits};
use thiserror::Error;

use crate::config::Problem;
use crate::exit::{Classify, ExitClass};
use crate::selection::{GroupError, NoGroupsYet, SelectError, Sources, select};
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

/// Entries of `safety.protectedHosts` that name no machine, as far as that can be told without
/// asking a host: groups that a command knows are resolved when something is about to change.
pub(crate) fn problems(site: &Site) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, entry) in site.settings().safety.protected_hosts.iter().enumerate() {
        let words = ["safety", "protectedHosts", &index.to_string()];
        let place = site.resolved().provenance.nearest(&words);
        let mut refuse = |message: String| {
            problems.push(Problem::at(place, format!("safety.protectedHosts: {message}")));
        };
        let names = Expression::parse(entry)
            .and_then(|expression| expression.evaluate(&NoGroupsYet::new(site), Limits::default()));
        match names {
            Ok(names) if names.is_empty() => refuse(format!("{entry:?} names nobody")),
            Ok(names) => {
                for name in &names {
                    match site.machine(name.as_str()) {
                        Ok(node) if node.is_known() => {}
                        Ok(_) => refuse(format!("the inventory does not know {name}")),
                        Err(error) => refuse(error.to_string()),
                    }
                }
            }
            Err(error) if is_of_a_host(&error) => {}
            Err(error) => refuse(format!("{entry:?}: {error}")),
        }
    }
    problems
}

fn is_of_a_host(error: &nodeset::Error) -> bool {
    matches!(error.cause::<GroupError>(), Some(GroupError::NobodyAsked(_)))
}
