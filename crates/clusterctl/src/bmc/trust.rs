//! Which certificates of service processors are accepted.

use std::sync::Arc;

use redfish::https::{Client, Trust};

use crate::bmc::announced::AnnouncedPins;
use crate::config::kinds::RedfishSpec;

/// What the settings say: the certificates on record, unless an authority vouches or nothing is
/// checked. An authority's file that cannot be used is an error, never less of a check.
pub(super) fn trust(settings: &RedfishSpec, pins: &Arc<AnnouncedPins>) -> Result<Trust, String> {
    if settings.insecure {
        pins.person.tell(
            "note: certificates of service processors are not checked (bmc.redfish.insecure): \
             whoever is on the way can read the password\n",
        );
        return Ok(Trust::Insecure);
    }
    let Some(path) = &settings.ca_bundle else {
        return Ok(Trust::Pinned(Arc::<AnnouncedPins>::clone(pins)));
    };
    let bundle = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let trust = Trust::CaBundle(bundle);
    match Client::new(trust.clone()) {
        Ok(_) => Ok(trust),
        Err(error) => Err(format!("{path}: {error}")),
    }
}
