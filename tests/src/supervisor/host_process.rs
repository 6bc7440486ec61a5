//! A running host, seen from the supervisor: the child process and the line to it.

use crate::error::{Doing, Error};
use crate::wire::{Event, HostCommand, HostSpec};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// A host's process. Dropping it cuts the power.
#[derive(Debug)]
pub(super) struct HostProcess {
    child: Child,
    input: Option<ChildStdin>,
    done: Receiver<Result<(), String>>,
}

/// Longest wait for a command to be carried out.
const PATIENCE: Duration = Duration::from_secs(15);

impl HostProcess {
    /// Starts a host in its network namespace. `observe` is told every event, from a thread that
    /// ends with the host.
    pub(super) fn start(
        spec: &HostSpec,
        observe: impl Fn(Event) + Send + 'static,
    ) -> Result<HostProcess, Error> {
        let what = || format!("starting host {}", spec.name);
        let line = serde_json::to_string(spec).doing(what)?;
        // By its path: `/proc/self/exe` would be unshare by then.
        let program = std::env::current_exe().doing(what)?;
        // nsenter rather than `ip netns exec`, which would hide the control groups from slurmd.
        let mut child = Command::new("nsenter")
            .arg(format!("--net=/run/netns/{}", spec.name))
            .args(["unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child"])
            .arg(program)
            .arg("host")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .doing(what)?;
        let (mut input, output) = (child.stdin.take(), child.stdout.take());
        if let Some(input) = &mut input {
            input.write_all(format!("{line}\n").as_bytes()).doing(what)?;
        }
        let (send, done) = mpsc::channel();
        std::thread::spawn(move || {
            let lines = output.map(|output| BufReader::new(output).lines());
            for line in lines.into_iter().flatten().map_while(Result::ok) {
                match serde_json::from_str(&line) {
                    Ok(Event::Done(outcome)) => drop(send.send(outcome)),
                    Ok(event) => observe(event),
                    Err(_) => {}
                }
            }
        });
        Ok(HostProcess { child, input, done })
    }

    /// Has the running host do something.
    pub(super) fn command(&mut self, command: &HostCommand) -> Result<(), Error> {
        let what = || "talking to a host".to_owned();
        let line = serde_json::to_string(command).doing(what)?;
        let input = self.input.as_mut();
        let input = input.ok_or_else(|| Error::Refused("the host has no power".to_owned()))?;
        input.write_all(format!("{line}\n").as_bytes()).doing(what)?;
        match self.done.recv_timeout(PATIENCE) {
            Ok(outcome) => outcome.map_err(Error::Refused),
            Err(_) => Err(Error::Timeout {
                waiting: "the host's answer".to_owned(),
                seconds: PATIENCE.as_secs(),
            }),
        }
    }
}

impl Drop for HostProcess {
    /// Returns once nothing of the host runs any more: `unshare` waits for the host's process 1,
    /// and the kernel lets that go only after all others.
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
