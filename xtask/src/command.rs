//! What can be asked for, and in which order it is done.

use std::process::ExitCode;

use crate::program::{Failure, say};
use crate::{check, fuzz, machine, site, tests};

const HELP: &str = "\
cargo xtask test [FILTER]   every check and every test; installs what they need
cargo xtask demo            reinstall three nodes in the lab, from nothing
cargo xtask lab [NODES]     a shell on the workstation of a running lab
cargo xtask ci              the checks alone: format, lints, layering, sizes, licences, documentation
cargo xtask fuzz [RUNS]     build every fuzz target, replay its corpus, run it for a bounded count
cargo xtask bench           benchmarks against peers, printed as ratios
cargo xtask peers           write crates/bmc-sim/docs/peers.md anew: Redfish clients on recorded BMCs
cargo xtask install         only install what the tests and the lab need";

/// Runs one command and gives the process's exit code.
pub(crate) fn run(args: Vec<String>) -> ExitCode {
    let mut args = args.into_iter();
    let command = args.next().unwrap_or_else(|| "help".to_owned());
    let rest: Vec<String> = args.collect();
    let outcome = match command.as_str() {
        "test" => test(&rest),
        "demo" => machine::prepare().and_then(|()| site::demo()),
        "lab" => machine::prepare().and_then(|()| site::shell(&rest)),
        "ci" => check::all(),
        "fuzz" => fuzz::all(&rest),
        "bench" => machine::prepare().and_then(|()| site::bench(&rest)),
        "peers" => machine::prepare().and_then(|()| tests::peers()),
        "install" => machine::prepare(),
        "help" | "--help" | "-h" => {
            say(HELP);
            Ok(())
        }
        other => Err(Failure::new(format!("unknown command {other:?}\n{HELP}"))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say(&format!("xtask: {failure}"));
            ExitCode::FAILURE
        }
    }
}

fn test(filter: &[String]) -> Result<(), Failure> {
    machine::prepare()?;
    check::all()?;
    tests::all(filter)?;
    fuzz::all(&[])
}
