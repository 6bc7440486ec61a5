//! Runs `clusterctl` on the workstation of a lab.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use lab::{Lab, Options};

/// A lab with this many nodes; `None`, said aloud, where there can be none. Under CI a lab that
/// cannot be is a failure.
pub(crate) fn lab_or_skip(nodes: u16) -> Option<Lab> {
    lab_with(&Options { nodes, ..Options::default() })
}

pub(crate) fn lab_with(options: &Options) -> Option<Lab> {
    if let Err(why) = lab::check(options) {
        assert!(std::env::var_os("CI").is_none(), "the lab is not possible here: {}", why.chain());
        eprintln!("skipped: the lab is not possible here: {}", why.chain());
        return None;
    }
    Some(Lab::start(options).unwrap_or_else(|error| panic!("the lab: {}", error.chain())))
}

/// The program under test.
pub(crate) fn program() -> PathBuf {
    match std::env::var_os("CLUSTERCTL_BIN") {
        Some(path) => PathBuf::from(path),
        // Beside the folder of test programs: target/debug/deps/suite-….
        None => {
            let me = std::env::current_exe().unwrap();
            me.parent().and_then(|deps| deps.parent()).unwrap().join("clusterctl")
        }
    }
}

/// What a run of the program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Said {
    pub(crate) fn of(output: &Output) -> Said {
        Said {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }

    /// The cells of a node's row, split at two blanks and more.
    pub(crate) fn row(&self, node: &str) -> Vec<String> {
        let line = self.stdout.lines().find(|line| line.starts_with(node));
        let line = line.unwrap_or_else(|| panic!("no row of {node}: {self:?}"));
        line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
    }

    #[track_caller]
    pub(crate) fn ended_with(self, code: i32) -> Said {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }
}

/// The program with arguments, ready to run on the workstation.
pub(crate) fn command(lab: &Lab, arguments: &[&str]) -> Command {
    let mut command = lab.workstation().command(program());
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program on the workstation, without a terminal.
pub(crate) fn run(lab: &Lab, arguments: &[&str]) -> Said {
    said(&mut bounded(lab, arguments))
}

/// What a command says that is already set up.
pub(crate) fn said(command: &mut Command) -> Said {
    Said::of(&command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap())
}

/// The program with arguments, ended by force when it does not end by itself: no test hangs.
pub(crate) fn bounded(lab: &Lab, arguments: &[&str]) -> Command {
    let mut command = lab.workstation().command("timeout");
    command.args(["--signal=KILL", "60"]).arg(program()).args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program with these bytes on its standard input.
pub(crate) fn run_with_input(lab: &Lab, arguments: &[&str], input: &[u8]) -> Said {
    let mut child = bounded(lab, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    Said::of(&child.wait_with_output().unwrap())
}

/// Sends Ctrl-C's signal to the program.
pub(crate) fn interrupt(child: &Child) {
    let id = i32::try_from(child.id()).unwrap();
    let pid = rustix::process::Pid::from_raw(id).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
}

/// Asks again until it holds; `false` when it does not within ten seconds.
pub(crate) fn soon(mut holds: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while !holds() {
        if begun.elapsed() > Duration::from_secs(10) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// Takes a node's own declaration out of the DHCP configuration.
pub(crate) fn undeclare(lab: &Lab, node: &str) {
    let path = lab.path_on("installer", "/etc/dhcp/hosts.d/exe.conf").unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let declaration = format!("host {node} ");
    assert!(text.contains(&declaration), "{text}");
    std::fs::write(path, text.replace(&declaration, "host somebody-else ")).unwrap();
}
