//! The firmware inventory.

use super::Bmc;
use super::exchange::Run;
use crate::firmware::without_twins;
use crate::property::linked;
use crate::{Error, Firmware, ResourcePath, Transport};

const INVENTORY: &str = "/redfish/v1/UpdateService/FirmwareInventory";
const UPDATE_SERVICE: &str = "/redfish/v1/UpdateService";
/// Components that are read; X13 has 106.
const MOST_COMPONENTS: usize = 512;

impl<T: Transport> Bmc<T> {
    /// The firmware components: in two requests where the service is trusted to expand the
    /// inventory, in one for each component elsewhere. Where there is no inventory, the versions of
    /// BMC and BIOS as manager and system show them.
    pub fn firmware(&self) -> Result<Vec<Firmware>, Error> {
        let run = self.begin();
        let mut inventory = self.inventory(&run, &self.constant(INVENTORY)?)?;
        if inventory.is_empty()
            && let Some(elsewhere) = self.inventory_elsewhere(&run)?
        {
            inventory = self.inventory(&run, &elsewhere)?;
        }
        if inventory.is_empty() {
            inventory = self.own_versions(&run)?;
        }
        if inventory.is_empty() {
            return Err(self.not_there("firmware inventory"));
        }
        Ok(without_twins(inventory))
    }

    fn inventory(&self, run: &Run, path: &ResourcePath) -> Result<Vec<Firmware>, Error> {
        let query = self.expansion(run)?;
        let found = self.collection(run, path, query, &["Version"], MOST_COMPONENTS)?;
        let members = found.map(|found| found.members).unwrap_or_default();
        Ok(members.iter().map(Firmware::read).collect())
    }

    fn inventory_elsewhere(&self, run: &Run) -> Result<Option<ResourcePath>, Error> {
        let service = self.resource_if_there(run, &self.constant(UPDATE_SERVICE)?)?;
        let link = service.as_ref().and_then(|it| linked(it.resource()?, "FirmwareInventory"));
        Ok(link.filter(|link| link.as_str().trim_end_matches('/') != INVENTORY))
    }

    fn own_versions(&self, run: &Run) -> Result<Vec<Firmware>, Error> {
        let system = self.read_system(run)?;
        let manager = self.read_manager(run, &system)?;
        let bmc = manager.and_then(|manager| manager.firmware_version());
        let versions = [("BMC", bmc), ("BIOS", system.bios_version())];
        let known = versions.into_iter().filter(|(_, version)| version.is_some());
        Ok(known.map(|(name, version)| Firmware::named(name, version)).collect())
    }
}
