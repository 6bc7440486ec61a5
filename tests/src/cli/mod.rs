//! The `lab` program's command line.

mod arguments;
mod demo;
mod run;

pub use run::main;
