//! Benchmarks against the programs that administrators use today, in the same run.
//!
//! Every figure is the median of several runs that take turns; what counts is the ratio.

mod bmc;
mod exec;
mod fleet;
mod run;
mod selection;
mod timing;

pub(crate) use run::bench;
