//! The `clusterctl` program; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    clusterctl::front_door::main()
}
