//! The main job, shown: three nodes are reinstalled for real.

use crate::error::{Doing, Error};
use crate::lab::Lab;
use std::io::Write;
use std::process::ExitCode;

const NODES: [&str; 3] = ["exe0001", "exe0002", "exe0003"];

/// Runs the commands of a reinstall on the workstation, as a person would, and checks its end.
pub(super) fn demo(lab: &Lab) -> Result<ExitCode, Error> {
    say("the workstation's configuration is examples/site, in /etc/clusterctl")?;
    let before: Vec<_> = NODES.iter().map(|node| lab.node(node)).collect::<Result<_, _>>()?;
    for line in [
        "dhcp check",
        "dhcp hosts -n exe0001",
        "boot status -n exe[0001-0003]",
        "provision reinstall -n exe[0001-0003] --dry-run",
        "-y provision reinstall -n exe[0001-0003]",
        "provision status -n exe[0001-0003]",
    ] {
        clusterctl(lab, line)?;
    }
    for (node, before) in NODES.iter().zip(&before) {
        let after = lab.wait_until_up(node, before.boots.len() + 1)?;
        if after.generation == before.generation || after.host.host_key == before.host.host_key {
            return Err(Error::Refused(format!("{node} was not reinstalled")));
        }
        say(&format!("{node} is up with a fresh system and a new host key"))?;
    }
    for line in
        ["-y hostkey refresh -n exe[0001-0003]", "exec exe[0001-0003] -- hostname", "boot log"]
    {
        clusterctl(lab, line)?;
    }
    say("done: the lab is torn down")?;
    Ok(ExitCode::SUCCESS)
}

fn clusterctl(lab: &Lab, line: &str) -> Result<(), Error> {
    say(&format!("\n$ clusterctl {line}"))?;
    let program = std::env::var_os("CLUSTERCTL_BIN").unwrap_or_else(|| "clusterctl".into());
    let mut command = lab.workstation().command(program);
    let status =
        command.args(line.split(' ')).status().doing(|| format!("running clusterctl {line}"))?;
    if !status.success() {
        return Err(Error::Refused(format!("clusterctl {line}: {status}")));
    }
    Ok(())
}

fn say(text: &str) -> Result<(), Error> {
    writeln!(std::io::stdout(), "{text}").doing(|| "writing to standard output".to_owned())
}
