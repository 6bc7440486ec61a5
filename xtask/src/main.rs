//! The project's own commands; `cargo xtask help` lists them.

mod check;
mod command;
mod fuzz;
mod keama;
mod machine;
mod program;
mod site;
mod tests;

use std::process::ExitCode;

fn main() -> ExitCode {
    command::run(std::env::args().skip(1).collect())
}
