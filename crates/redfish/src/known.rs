//! What is known of a BMC already.

use crate::plan::boot::BootRoute;
use crate::quirk::{self, Quirk};
use crate::{ResetType, ResourcePath, System};

/// What operations learned about a BMC: its system, where resets and boot overrides go, what they
/// carry. Keep it ([`Bmc::known`](crate::Bmc::known)) and hand it back
/// ([`Bmc::with_known`](crate::Bmc::with_known)) and a one-time boot with its reset takes three
/// requests. It belongs to one machine: drop it when the machine behind the address is another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    pub(crate) system: Option<ResourcePath>,
    pub(crate) quirks: Vec<Quirk>,
    pub(crate) reset: Option<ResetRoute>,
    pub(crate) boot: Option<BootRoute>,
}

impl Known {
    /// The path of the system.
    pub fn system(&self) -> Option<&ResourcePath> {
        self.system.as_ref()
    }

    /// The resource that takes a boot override.
    pub fn boot_resource(&self) -> Option<&ResourcePath> {
        self.boot.as_ref().map(|route| &route.resource)
    }

    /// The quirks of the firmware.
    pub fn quirks(&self) -> &[Quirk] {
        &self.quirks
    }

    pub(crate) fn learn(&mut self, system: &System) {
        self.system = Some(system.path().clone());
        self.quirks = quirk::quirks(system);
        let looked_up = self.reset.take().and_then(|route| route.types);
        self.reset = system.reset_target().map(|target| ResetRoute {
            target,
            types: system.reset_types().or(looked_up),
            action_info: system.reset_action_info(),
        });
    }
}

/// Where resets go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResetRoute {
    pub(crate) target: ResourcePath,
    pub(crate) types: Option<Vec<ResetType>>,
    pub(crate) action_info: Option<ResourcePath>,
}

/// What is configured about a BMC or its vendor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// What it is called in messages.
    pub name: String,
    /// The system: a path (`/redfish/v1/Systems/Node0`, which skips the discovery) or an id
    /// (`Node0`). Unset means to discover it.
    pub system: Option<String>,
    /// The only reset types to be sent, whatever the BMC offers.
    pub reset_types: Option<Vec<ResetType>>,
    /// Each request has a connection of its own.
    pub close_connections: bool,
}
