//! Which system is meant.

use serde_json::Value;

use crate::{ErrorKind, ResourcePath, System};

/// More members than this are not read one by one.
const MOST_READ: usize = 32;

/// What to do about a collection of systems.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// This one, without looking further.
    Take(ResourcePath),
    /// Read these: the only one that can be reset is meant.
    Read(Vec<ResourcePath>),
    Fail(ErrorKind),
}

/// The configured system, or the only member, or those among which the reset action decides.
///
/// A configured one is compared as a whole path or as an id, case-sensitive, without regard to a
/// slash at the end. Members whose id says data processing unit or GPU baseboard are left out.
pub(crate) fn choose(members: &[ResourcePath], wanted: Option<&str>) -> Choice {
    if members.is_empty() {
        return Choice::Fail(ErrorKind::NoSystem);
    }
    if let Some(wanted) = wanted {
        return match members.iter().find(|member| is_named(member, wanted)) {
            Some(member) => Choice::Take(member.clone()),
            None => Choice::Fail(ErrorKind::NoSuchSystem {
                wanted: wanted.to_owned(),
                offered: ids(members),
            }),
        };
    }
    if let [only] = members {
        return Choice::Take(only.clone());
    }
    let machines: Vec<_> =
        members.iter().filter(|member| !is_auxiliary_id(member.id())).cloned().collect();
    if machines.is_empty() || machines.len() > MOST_READ {
        return Choice::Fail(ErrorKind::SeveralSystems { offered: ids(members) });
    }
    Choice::Read(machines)
}

/// Whether a configured name, a path or an id, means this system.
pub(crate) fn is_named(system: &ResourcePath, wanted: &str) -> bool {
    match wanted.parse::<ResourcePath>() {
        Ok(path) => path.is_same_resource(system),
        Err(_) => system.id() == wanted.trim_end_matches('/'),
    }
}

/// The only system that can be reset and is no data processing unit.
pub(crate) fn choose_by_reset(
    systems: Vec<System>,
    members: &[ResourcePath],
) -> Result<System, ErrorKind> {
    let mut machines = systems
        .into_iter()
        .filter(|system| system.reset_target().is_some() && !system.is_auxiliary());
    match (machines.next(), machines.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(ErrorKind::SeveralSystems { offered: ids(members) }),
    }
}

/// The members of a page of a collection and the next page.
///
/// Observed: null members (`BlueField`), a bare object in place of the list, members without order.
pub(crate) fn members(collection: &Value) -> (Vec<ResourcePath>, Option<ResourcePath>) {
    let link = |value: &Value| {
        ResourcePath::from_link(value.get("@odata.id").unwrap_or(value).as_str()?).ok()
    };
    let members = match collection.get("Members") {
        Some(Value::Array(items)) => items.iter().filter_map(link).collect(),
        Some(one) => link(one).into_iter().collect(),
        None => Vec::new(),
    };
    (members, collection.get("Members@odata.nextLink").and_then(link))
}

/// Whether an id names a data processing unit or the baseboard of an HGX system.
pub(crate) fn is_auxiliary_id(id: &str) -> bool {
    let id = id.to_ascii_lowercase();
    ["hgx", "dpu", "bluefield"].iter().any(|word| id.contains(word))
}

pub(crate) fn ids(members: &[ResourcePath]) -> Vec<String> {
    members.iter().map(|member| member.id().to_owned()).collect()
}
