//! Every test: units, suites, documentation, and the lab's end-to-end tests.

use crate::machine;
use crate::program::{Failure, cargo, step, target};

/// Where generated tests begin, so that a run says the same as the one before it; another one
/// explores.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20261206");

/// Runs them; a filter narrows them as `cargo test` does.
pub(crate) fn all(filter: &[String]) -> Result<(), Failure> {
    step("build", cargo().args(["build", "--workspace", "--all-targets"]))?;
    let mut test = cargo();
    test.args(["test", "--workspace", "--no-fail-fast"]).args(filter);
    if std::env::var_os(SEED.0).is_none() {
        test.env(SEED.0, SEED.1);
    }
    // The end-to-end tests run the program that was just built.
    test.env("CLUSTERCTL_BIN", target().join("debug").join("clusterctl"));
    test.env("LAB_BIN", target().join("debug").join("lab"));
    test.env("LAB_PYTHON", machine::venv().join("bin").join("python3"));
    if let Some(sops) = machine::sops() {
        test.env("SOPS", sops);
    }
    step("test", &mut test)?;
    // Its features are for other programs; nothing of the workspace turns all of them on.
    step("test", cargo().args(["test", "-p", "dhcpd-conf", "--all-features"]).args(filter))
}

/// Writes the page of what Redfish clients do with recorded BMCs.
pub(crate) fn peers() -> Result<(), Failure> {
    let mut test = cargo();
    test.args(["test", "-p", "clusterctl-bmc-sim", "--test", "suite", "the_page_says"]);
    test.env("BMC_SIM_WRITE_PEERS", "1");
    test.env("LAB_PYTHON", machine::venv().join("bin").join("python3"));
    step("peers", &mut test)
}
