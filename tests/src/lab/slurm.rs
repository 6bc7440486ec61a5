//! Slurm as tests change it, past clusterctl.

use super::handle::Lab;
use crate::command;
use crate::error::Error;
use std::time::{Duration, Instant};

/// Slurm of a lab, as root on its controller.
#[derive(Debug, Clone, Copy)]
pub struct Slurm<'a> {
    pub(super) lab: &'a Lab,
}

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(20);

impl Slurm<'_> {
    /// Runs a job of ten minutes on a node and waits until it runs; returns its number.
    pub fn run_job(&self, node: &str) -> Result<u32, Error> {
        let script = ["--wrap", "sleep 600", "--output", "/dev/null", "--chdir", "/"];
        let nodelist = format!("--nodelist={node}");
        let arguments = [&["--parsable", "--exclusive", &nodelist][..], &script].concat();
        let job = self.run("sbatch", &arguments)?;
        let job = job.trim().parse().map_err(|_| Error::Refused(format!("no job: {job}")))?;
        self.wait_for_state(node, |state| state.starts_with("alloc"))?;
        Ok(job)
    }

    /// Ends a job and waits until its node is free of it.
    pub fn cancel(&self, job: u32, node: &str) -> Result<(), Error> {
        self.run("scancel", &[&job.to_string()])?;
        self.wait_for_state(node, |state| !state.starts_with("alloc") && !state.starts_with("comp"))
    }

    /// Drains a node.
    pub fn drain(&self, node: &str, reason: &str) -> Result<(), Error> {
        self.update(node, &["state=drain", &format!("reason={reason}")])
    }

    /// Takes a drained or downed node back.
    pub fn resume(&self, node: &str) -> Result<(), Error> {
        self.update(node, &["state=resume"])
    }

    /// A node's state as `sinfo -o %T` prints it.
    pub fn state(&self, node: &str) -> Result<String, Error> {
        let state = self.run("sinfo", &["-h", "-N", "-n", node, "-o", "%T"])?;
        Ok(state.trim().to_owned())
    }

    /// Waits until a node's state is as wanted.
    pub fn wait_for_state(&self, node: &str, wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
        wait(&format!("the awaited state of {node} in Slurm"), || Ok(wanted(&self.state(node)?)))
    }

    /// Waits until every node is idle.
    pub fn wait_until_idle(&self) -> Result<(), Error> {
        let nodes = self.lab.plan().nodes().count();
        wait("idleness of all nodes", || {
            // Until the controller answers, sinfo fails.
            let states = self.run("sinfo", &["-h", "-N", "-o", "%T"]).unwrap_or_default();
            Ok(states.lines().filter(|state| *state == "idle").count() == nodes)
        })
    }

    fn update(self, node: &str, change: &[&str]) -> Result<(), Error> {
        let node = format!("nodename={node}");
        self.run("scontrol", &[&["update", &node][..], change].concat()).map(drop)
    }

    fn run(self, program: &str, arguments: &[&str]) -> Result<String, Error> {
        command::run(self.lab.command_on("login", program)?.args(arguments))
    }
}

fn wait(what: &str, mut holds: impl FnMut() -> Result<bool, Error>) -> Result<(), Error> {
    let start = Instant::now();
    while !holds()? {
        if start.elapsed() > PATIENCE {
            return Err(Error::Timeout { waiting: what.to_owned(), seconds: PATIENCE.as_secs() });
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
