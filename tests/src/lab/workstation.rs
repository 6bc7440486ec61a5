//! Running commands on hosts of a lab.

use super::start::MARK;
use crate::requirements::PATH;
use crate::wire::Directories;
use std::ffi::OsStr;
use std::process::Command;

/// The administrator's workstation.
#[derive(Debug, Clone)]
pub struct Workstation {
    pub(super) pid: u32,
    pub(super) directories: Directories,
}

impl Workstation {
    /// A command on the workstation. It becomes the process itself: signals sent to the child reach
    /// the program, and its exit status is the program's. Working directory is the home directory.
    ///
    /// The workstation sees the machine's files under their own paths, `/etc` and `/root` excepted;
    /// programs beside this executable are on its `PATH`.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let home = self.directories.home();
        let mut command = Command::new("nsenter");
        command.arg(format!("--target={}", self.pid)).args(["--mount", "--uts", "--net", "--"]);
        command.args(["env", "-C"]).arg(&home).arg(program);
        command.env_clear();
        for name in ["TERM", "COLUMNS", "LINES", "RUST_BACKTRACE"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.envs([("USER", "root"), ("LOGNAME", "root"), ("SHELL", "/bin/bash")]);
        command.env("LC_ALL", "C.UTF-8").env("HOME", &home).env("PATH", search_path());
        command.env(MARK, self.directories.run.file_name().unwrap_or_default());
        command
    }
}

/// A command on any other host, as root, past ssh.
pub(super) fn on_host(pid: u32, id: &OsStr, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("nsenter");
    command.arg(format!("--target={pid}"));
    command.args(["--mount", "--uts", "--net", "--root", "--wd", "--"]).arg(program);
    command.env_clear().env("PATH", PATH).env("HOME", "/root").env("LC_ALL", "C.UTF-8");
    if let Some(terminal) = std::env::var_os("TERM") {
        command.env("TERM", terminal);
    }
    command.env(MARK, id);
    command
}

/// The machine's directories, before them those where cargo puts programs.
fn search_path() -> String {
    let this = std::env::current_exe().unwrap_or_default();
    let built = this.ancestors().skip(1).take(2).map(|directory| directory.display().to_string());
    built.chain([PATH.to_owned()]).collect::<Vec<_>>().join(":")
}
