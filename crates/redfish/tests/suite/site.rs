//! What the tests have in common with a site: an account, BMCs, recordings.

use std::path::PathBuf;
use std::sync::Arc;

use redfish::fake::{FakeBmc, FakeClock};
use redfish::{Account, Bmc, Password};
use serde_json::Value;

pub(crate) fn account() -> Account {
    Account::new("admin", Password::new("secret".to_owned())).unwrap()
}

/// A client of the fake by a clock that does not wait.
pub(crate) fn client(fake: &FakeBmc) -> Bmc<&FakeBmc> {
    client_by(fake, Arc::default())
}

pub(crate) fn client_by(fake: &FakeBmc, clock: Arc<FakeClock>) -> Bmc<&FakeBmc> {
    Bmc::new("exe0001.mgmt.example.org".parse().unwrap(), account(), fake).with_clock(clock)
}

/// The file of a recorded BMC; nothing, said, where the recordings are not at hand.
pub(crate) fn recording_file(name: &str) -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let shared = std::env::var_os("CLUSTERCTL_SHARED").map_or(root.join("shared"), PathBuf::from);
    let file = shared.join("data/redfish").join(format!("{name}.json"));
    if !file.is_file() {
        println!("skipped: no recording {}", file.display());
        return None;
    }
    Some(file)
}

/// The resources of a recorded BMC; nothing where the recordings are not at hand.
pub(crate) fn recording(name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(recording_file(name)?).unwrap();
    let mut recording: Value = serde_json::from_str(&text).unwrap();
    Some(recording["resources"].take())
}
