//! The manager, which is the BMC itself, read tolerantly.

use serde_json::Value;

use crate::ResourcePath;
use crate::property::{health, links, text};

/// What a BMC shows of itself (schema `Manager`).
#[derive(Clone, Debug, PartialEq)]
pub struct Manager {
    path: ResourcePath,
    resource: Value,
}

impl Manager {
    /// Takes the resource that was read from `path`.
    pub fn new(path: &ResourcePath, resource: Value) -> Self {
        Self { path: path.clone(), resource }
    }

    /// Its path.
    pub fn path(&self) -> &ResourcePath {
        &self.path
    }

    /// The resource as read.
    pub fn as_json(&self) -> &Value {
        &self.resource
    }

    /// `FirmwareVersion`.
    pub fn firmware_version(&self) -> Option<String> {
        text(&self.resource, "FirmwareVersion")
    }

    /// `Model`.
    pub fn model(&self) -> Option<String> {
        text(&self.resource, "Model")
    }

    /// `ManagerType`.
    pub fn kind(&self) -> Option<String> {
        text(&self.resource, "ManagerType")
    }

    /// `Status.Health`, or `Status.HealthRollup` where only that is given.
    pub fn health(&self) -> Option<String> {
        health(&self.resource)
    }

    /// Whether it says it manages this system.
    pub(crate) fn manages(&self, system: &ResourcePath) -> bool {
        let servers = links(&self.resource, "ManagerForServers");
        servers.iter().any(|server| server.is_same_resource(system))
    }
}
