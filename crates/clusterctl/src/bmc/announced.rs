//! Certificates of service processors that are said before they are recorded.

use std::fmt;
use std::sync::Arc;

use redfish::{Endpoint, FilePins, Fingerprint, PinError, PinStore};

use crate::gate::Person;

/// Pins in a file; a first contact is told to the person before its certificate is on record, so
/// that a wrong host is noticed even when the run ends right after.
pub(super) struct AnnouncedPins {
    pub(super) pins: FilePins,
    pub(super) person: Arc<dyn Person>,
    /// A rehearsal records nothing.
    pub(super) dry_run: bool,
}

impl fmt::Debug for AnnouncedPins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnnouncedPins").field("pins", &self.pins).finish_non_exhaustive()
    }
}

impl PinStore for AnnouncedPins {
    fn recorded(&self, endpoint: &Endpoint) -> Result<Option<Fingerprint>, PinError> {
        self.pins.recorded(endpoint)
    }

    fn record(&self, endpoint: &Endpoint, seen: &Fingerprint) -> Result<Fingerprint, PinError> {
        let what = if self.dry_run { "certificate not recorded" } else { "recording certificate" };
        self.person.tell(&format!("note: first contact, {what}: {endpoint}: {seen}\n"));
        self.pins.record(endpoint, seen)
    }
}
