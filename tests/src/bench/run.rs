//! All comparisons, and how they are printed.

use super::timing::Cost;
use super::{bmc, exec, selection};
use crate::error::{Doing, Error};
use std::io::Write as _;

/// Runs all comparisons, or those whose name is given.
pub(crate) fn bench(only: &[String]) -> Result<(), Error> {
    let wanted = |name: &str| only.is_empty() || only.iter().any(|word| word == name);
    if wanted("select") {
        selection::selection(&nodeset())?;
    }
    if wanted("exec") {
        exec::exec()?;
    }
    if wanted("bmc") {
        bmc::bmc()?;
    }
    Ok(())
}

/// The program that is measured.
pub(super) fn program() -> String {
    std::env::var("CLUSTERCTL_BIN").unwrap_or_else(|_| "clusterctl".to_owned())
}

/// ClusterShell's program.
fn nodeset() -> String {
    std::env::var("LAB_NODESET").unwrap_or_else(|_| "nodeset".to_owned())
}

/// A program and its cost.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) cost: Cost,
}

/// Prints costs, and how many times the first one's the others are.
pub(super) fn table(rows: &[Row]) -> Result<(), Error> {
    let Some(first) = rows.first() else { return Ok(()) };
    say(&format!("{:<26}{:>9}{:>9}{:>10}", "PROGRAM", "TIME", "CPU", "TIMES OURS"))?;
    for row in rows {
        let milliseconds = |duration: std::time::Duration| duration.as_secs_f64() * 1000.0;
        let ratio = row.cost.wall.as_secs_f64() / first.cost.wall.as_secs_f64();
        say(&format!(
            "{:<26}{:>6.0} ms{:>6.0} ms{:>10.1}",
            row.name,
            milliseconds(row.cost.wall),
            milliseconds(row.cost.cpu),
            ratio
        ))?;
    }
    Ok(())
}

pub(super) fn say(text: &str) -> Result<(), Error> {
    writeln!(std::io::stdout(), "{text}").doing(|| "writing to standard output".to_owned())
}
