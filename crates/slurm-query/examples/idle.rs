//! Says whether nodes are free of jobs, on a host with Slurm's clients: `idle NODE...`.

use std::error::Error;
use std::process::Command;

use slurm_query::{Frame, IdleCheck, NodeNames, Query as _};

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn Error>> {
    let check = IdleCheck::new(Frame::random(), NodeNames::new(std::env::args().skip(1))?);
    let argv = check.argv();
    let output = Command::new(&argv[0]).args(&argv[1..]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let report = check.parse(&output.stdout)?;
    for occupied in report.busy() {
        println!("{}: jobs {}", occupied.node, occupied.jobs.join(", "));
    }
    for (node, state) in report.unclear() {
        println!("{node}: {state}");
    }
    for node in report.unreported() {
        println!("{node}: not reported");
    }
    println!("{}", if report.is_idle() { "all idle" } else { "not all idle" });
    Ok(())
}
