//! Running the machine's programs to their end.

use crate::error::{Doing, Error};
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs a program to its end and returns its standard output.
pub(crate) fn run(command: &mut Command) -> Result<String, Error> {
    let output = command.stdin(Stdio::null()).output().doing(|| format!("running {command:?}"))?;
    judge(command, &output)
}

/// The same with a standard input.
pub(crate) fn run_with_input(command: &mut Command, input: &str) -> Result<String, Error> {
    let what = format!("running {command:?}");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .doing(|| what.clone())?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).doing(|| what.clone())?;
    }
    let output = child.wait_with_output().doing(|| what)?;
    judge(command, &output)
}

fn judge(command: &Command, output: &std::process::Output) -> Result<String, Error> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Error::Program {
        program: format!("{command:?}"),
        status: output.status.to_string(),
        output: String::from_utf8_lossy(&output.stderr).trim_end().to_owned(),
    })
}
