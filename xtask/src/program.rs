//! Runs other programs, says which and for how long.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Why a step did not succeed.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Failure {
        Failure(text.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One line for the person who waits.
#[expect(clippy::print_stderr, reason = "xtask talks to a person on its terminal")]
pub(crate) fn say(text: &str) {
    eprintln!("{text}");
}

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// The folder that cargo builds into.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that runs this.
pub(crate) fn cargo() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root());
    command
}

/// Any other program, started in the workspace's folder.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// Runs a step to its end; its output is the person's.
pub(crate) fn step(title: &str, command: &mut Command) -> Result<(), Failure> {
    say(&format!("── {title}"));
    let started = Instant::now();
    let status =
        command.status().map_err(|error| Failure::new(format!("{title}: {command:?}: {error}")))?;
    if !status.success() {
        return Err(Failure::new(format!("{title} failed: {command:?}: {status}")));
    }
    say(&format!("   {title}: {:.1} s", started.elapsed().as_secs_f64()));
    Ok(())
}

/// Runs a program and gives its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| Failure::new(format!("{command:?}: {error}")))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!("{command:?}: {}: {stderr}", output.status)));
    }
    String::from_utf8(output.stdout).map_err(|error| Failure::new(format!("{command:?}: {error}")))
}
