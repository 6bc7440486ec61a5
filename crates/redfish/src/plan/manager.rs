//! Which manager is the BMC of a system.

use crate::{Manager, ResourcePath};

/// More managers than this are not read one by one.
pub(crate) const MOST_READ: usize = 8;

/// The manager that says it manages the system, or the only one with a firmware version.
///
/// Needed where the system names none: Cray EX, and iBMC for a while after its start (gofish issue
/// 175).
pub(crate) fn choose(managers: Vec<Manager>, system: &ResourcePath) -> Option<Manager> {
    if let Some(found) = managers.iter().find(|manager| manager.manages(system)) {
        return Some(found.clone());
    }
    let mut with_firmware =
        managers.into_iter().filter(|manager| manager.firmware_version().is_some());
    match (with_firmware.next(), with_firmware.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}
