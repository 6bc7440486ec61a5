//! Firmware components.

use serde_json::Value;

use crate::property::{health, link, state, text};

/// A firmware component (schema `SoftwareInventory`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Firmware {
    /// `Id`.
    pub id: String,
    /// `Name`; the id where it has none. Several components may have the same.
    pub name: String,
    /// `Version`, unless missing or null.
    pub version: Option<String>,
    /// Whether it can be updated, where the BMC says so.
    pub updateable: Option<bool>,
    /// `Status.Health`.
    pub health: Option<String>,
    /// `Status.State`: Lenovo lists backups as `StandbySpare` and pending ones as `Disabled`.
    pub state: Option<String>,
}

impl Firmware {
    /// Takes a member of the inventory.
    pub(crate) fn read(resource: &Value) -> Self {
        let id = link(resource).map(|path| path.id().to_owned());
        let id = text(resource, "Id").or(id).unwrap_or_default();
        Self {
            name: text(resource, "Name").unwrap_or_else(|| id.clone()),
            version: text(resource, "Version"),
            updateable: resource.get("Updateable").and_then(Value::as_bool),
            health: health(resource),
            state: state(resource),
            id,
        }
    }

    /// A component known from another resource.
    pub(crate) fn named(id: &str, version: Option<String>) -> Self {
        let (id, name) = (id.to_owned(), id.to_owned());
        Self { id, name, version, updateable: None, health: None, state: None }
    }
}

/// Dell lists what runs twice, as `Installed-…` and as `Current-…`, and rollback images as
/// `Previous-…`: of the first two one is kept, and all of the last.
pub(crate) fn without_twins(inventory: Vec<Firmware>) -> Vec<Firmware> {
    let is_installed = |rest: &str| {
        inventory.iter().any(|other| other.id.strip_prefix("Installed-") == Some(rest))
    };
    let is_twin =
        |component: &Firmware| component.id.strip_prefix("Current-").is_some_and(is_installed);
    let keep: Vec<bool> = inventory.iter().map(|component| !is_twin(component)).collect();
    inventory.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(it, _)| it).collect()
}
