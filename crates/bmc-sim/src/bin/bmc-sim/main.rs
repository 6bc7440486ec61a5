//! Serves simulated BMCs; `bmc-sim --help` says how.

mod arguments;
mod console;
mod fleet;
mod help;
mod run;

use std::process::ExitCode;

fn main() -> ExitCode {
    run::run(std::env::args_os().skip(1))
}
