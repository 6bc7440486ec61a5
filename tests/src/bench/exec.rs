//! `exec` against pdsh and clush, on the nodes of a lab.

use super::run::{Row, program, say, table};
use super::timing::{Cost, compare, measured};
use crate::error::Error;
use crate::lab::Lab;
use crate::options::Options;
use std::process::Command;

const NODES: u16 = 64;
const WIDTH: &str = "16";
const ROUNDS: usize = 7;

/// The key exchange of the lab's `ssh_config`, and what ssh prefers by itself.
const QUICK: &str = "curve25519-sha256";
const SSHS_OWN: &str = "sntrup761x25519-sha512@openssh.com,curve25519-sha256";

/// `true` on every node, at the same width, first with one key exchange for all, then with the one
/// that ssh prefers and libssh2 does not know.
pub(super) fn exec() -> Result<(), Error> {
    let lab = Lab::start(&Options { nodes: NODES, slurm: false, ..Options::default() })?;
    let set = format!("exe[0001-{NODES:04}]");
    for (title, exchange) in
        [("the same key exchange", QUICK), ("ssh's own key exchange", SSHS_OWN)]
    {
        let costs = compare(&mut commands(&lab, &set, exchange), ROUNDS)?;
        say(&format!("\ntrue on {NODES} nodes, {WIDTH} at a time, {title}"))?;
        let names = ["clusterctl exec", "pdsh", "clush", "ssh, one after the other"];
        let rows: Vec<Row> = names
            .into_iter()
            .zip(&costs)
            .map(|(name, cost)| Row { name: name.to_owned(), cost: *cost })
            .collect();
        table(&rows)?;
        processor(&costs)?;
    }
    Ok(())
}

fn commands(lab: &Lab, set: &str, exchange: &str) -> Vec<Command> {
    let kex = format!("-oKexAlgorithms={exchange}");
    let clusterctl = [&program(), "--fanout", WIDTH, "exec", "-n", set, "--", "true"];
    let pdsh = ["pdsh", "-S", "-R", "ssh", "-f", WIDTH, "-w", set, "true"];
    let clush = ["clush", "-S", "-f", WIDTH, "-o", &kex, "-w", set, "true"];
    let each = format!("for node in $(seq -f exe%04g {NODES}); do ssh {kex} $node true; done");
    let ssh = ["bash", "-c", &each];
    let lines: [&[&str]; 4] = [&clusterctl, &pdsh, &clush, &ssh];
    let bash = |words: &&[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let mut command = lab.workstation().command("bash");
        command.env("PDSH_SSH_ARGS_APPEND", &kex);
        measured(command, &words)
    };
    lines.iter().map(bash).collect()
}

/// What a node costs the workstation.
fn processor(costs: &[Cost]) -> Result<(), Error> {
    let each = |cost: &Cost| cost.cpu.as_secs_f64() * 1000.0 / f64::from(NODES);
    let (ours, ssh) = (each(&costs[0]), each(&costs[3]));
    say(&format!(
        "processor time a node: clusterctl {ours:.2} ms, an ssh process {ssh:.2} ms: 1/{:.1}",
        ssh / ours
    ))
}
