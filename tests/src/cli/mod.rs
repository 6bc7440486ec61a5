//! The `lab` program's command line.

mod arguments;
mod run;

pub use run::main;
