//! Administers HPC clusters from a workstation: reinstalls nodes and everything around it.
//!
//! The library behind the `clusterctl` program. A command travels one way through these modules:
//! what was typed ([`cli`]) becomes a [`session`] (configuration, connections, gate), nodes are
//! selected ([`selection`]), admitted and approved ([`gate`]), an operation ([`ops`]) asks and
//! changes through [`reach`] and the libraries, and what came out is a value that [`output`]
//! renders. `docs/architecture.md` names the owner of every concern.

pub mod bmc;
pub mod browser;
pub mod cause;
pub mod cli;
pub mod config;
pub mod credentials;
pub mod diagnostics;
pub mod exit;
pub mod front_door;
pub mod gate;
pub mod hostkeys;
pub mod interrupt;
pub mod journal;
pub mod ops;
pub mod output;
pub mod pool;
pub mod reach;
pub mod selection;
pub mod session;
pub mod site;
