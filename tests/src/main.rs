//! A whole site on one machine, on the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    lab::main()
}
