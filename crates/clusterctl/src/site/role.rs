//! Hosts with a job.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::config::decode::closest;
use crate::config::kinds::RoleSpec;
use crate::exit::{Classify, ExitClass};
use crate::reach::Target;

/// Why a role leads to no host.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RoleError {
    /// No such role.
    #[error("there is no role {name:?}{}", hint(.meant.as_deref()))]
    Unknown {
        /// The name.
        name: String,
        /// What may be meant.
        meant: Option<String>,
    },
    /// Jumps that lead back to where they began.
    #[error("the jumps of the role {0:?} lead in a circle")]
    Circle(String),
}

fn hint(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |meant| format!(": did you mean {meant:?}?"))
}

impl Classify for RoleError {
    fn exit_class(&self) -> ExitClass {
        ExitClass::Usage
    }
}

/// The host of a role, with the hosts to jump through.
pub(crate) fn target(hosts: &BTreeMap<String, RoleSpec>, name: &str) -> Result<Target, RoleError> {
    through(hosts, name, 0)
}

fn through(
    hosts: &BTreeMap<String, RoleSpec>,
    name: &str,
    depth: usize,
) -> Result<Target, RoleError> {
    if depth > hosts.len() {
        return Err(RoleError::Circle(name.to_owned()));
    }
    let spec = hosts.get(name).ok_or_else(|| RoleError::Unknown {
        name: name.to_owned(),
        meant: closest(name, hosts.keys().map(String::as_str)).map(str::to_owned),
    })?;
    let jump = match &spec.proxy_jump {
        Some(jump) => Some(Box::new(through(hosts, jump, depth + 1)?)),
        None => None,
    };
    let mut target = Target::new(name, spec.host.clone());
    target.user.clone_from(&spec.user);
    target.port = spec.port;
    target.jump = jump;
    target.options = spec.options.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    Ok(target)
}
