//! The lab: a demonstration, a shell, and benchmarks.

use crate::machine;
use crate::program::{Failure, cargo, program, step, target};

/// Reinstalls three nodes for real, saying what happens.
pub(crate) fn demo() -> Result<(), Failure> {
    build()?;
    lab(&["demo".to_owned()])
}

/// A shell on the workstation of a fresh lab.
pub(crate) fn shell(args: &[String]) -> Result<(), Failure> {
    build()?;
    let mut words = vec!["shell".to_owned()];
    if let Some(nodes) = args.first() {
        words.extend(["--nodes".to_owned(), nodes.clone()]);
    }
    lab(&words)
}

/// Benchmarks against peers.
pub(crate) fn bench(args: &[String]) -> Result<(), Failure> {
    build()?;
    let sim = ["build", "--release", "-p", "clusterctl-bmc-sim", "--bins", "--example", "load"];
    step("build the simulated BMC", cargo().args(sim))?;
    let mut words = vec!["bench".to_owned()];
    words.extend(args.iter().cloned());
    lab(&words)
}

fn build() -> Result<(), Failure> {
    step(
        "build clusterctl and the lab",
        cargo().args(["build", "--release", "-p", "clusterctl", "-p", "lab"]),
    )
}

fn lab(args: &[String]) -> Result<(), Failure> {
    let folder = target().join("release");
    let mut command = program(folder.join("lab"));
    command.args(args).env("CLUSTERCTL_BIN", folder.join("clusterctl"));
    command.env("LAB_NODESET", machine::venv().join("bin").join("nodeset"));
    command.env("LAB_PYTHON", machine::venv().join("bin").join("python3"));
    command.env("BMC_SIM_BIN", folder.join("bmc-sim"));
    command.env("BMC_SIM_LOAD", folder.join("examples").join("load"));
    step("lab", &mut command)
}
