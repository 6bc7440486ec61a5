//! Starting a lab's processes.

use super::program;
use super::sweep::sweep;
use crate::error::{Doing, Error};
use crate::options::Options;
use crate::requirements;
use crate::wire::{Answer, Directories};
use rustix::fs::FlockOperation;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

/// Where all labs of a machine have their directories.
pub(super) const RUN: &str = "/run/clusterctl-lab";
/// In the environment of every process of a lab: which one it belongs to.
pub(super) const MARK: &str = "CLUSTERCTL_LAB";

/// A started lab's processes and directory.
#[derive(Debug)]
pub(super) struct Started {
    pub directories: Directories,
    pub child: Child,
    /// While this is open the lab lives.
    pub lifeline: ChildStdin,
    /// While this is locked nobody sweeps the directory away.
    pub lock: File,
}

/// Starts a lab and waits until it runs.
pub(super) fn start(options: &Options) -> Result<Started, Error> {
    requirements::check(options)?;
    let program = program::locate()?;
    sweep()?;
    let (directories, lock) = claim_directory()?;
    match launch(&program, options, &directories) {
        Ok((child, lifeline)) => Ok(Started { directories, child, lifeline, lock }),
        Err(error) => {
            remove_directory(&directories);
            Err(error)
        }
    }
}

/// Held while a directory is made or swept, so that no sweep sees one that is not locked yet.
pub(super) fn registry_lock() -> Result<File, Error> {
    fs::create_dir_all(RUN).doing(|| format!("creating {RUN}"))?;
    let path = PathBuf::from(RUN).join(".lock");
    let file = File::create(&path).doing(|| format!("opening {}", path.display()))?;
    rustix::fs::flock(&file, FlockOperation::LockExclusive)
        .doing(|| format!("locking {}", path.display()))?;
    Ok(file)
}

/// Removes a lab's directory; under the lock, so that no sweep removes it at the same time.
pub(super) fn remove_directory(directories: &Directories) {
    let _registry = registry_lock();
    let _ = fs::remove_dir_all(&directories.run);
}

fn claim_directory() -> Result<(Directories, File), Error> {
    let _registry = registry_lock()?;
    let run = tempfile::Builder::new()
        .prefix("clab")
        .rand_bytes(6)
        .tempdir_in(RUN)
        .doing(|| format!("creating a directory in {RUN}"))?
        .keep();
    let directories = Directories { run };
    let path = directories.lock();
    let lock = File::create(&path).doing(|| format!("creating {}", path.display()))?;
    rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)
        .doing(|| format!("locking {}", path.display()))?;
    // The clone of a lock made by fork would outlive this process; files here close on exec.
    for directory in [directories.home(), directories.config(), directories.site()] {
        fs::create_dir(&directory).doing(|| format!("creating {}", directory.display()))?;
    }
    Ok((directories, lock))
}

fn launch(
    program: &Path,
    options: &Options,
    directories: &Directories,
) -> Result<(Child, ChildStdin), Error> {
    let what = || "starting the lab's supervisor".to_owned();
    let path = directories.log();
    let log = File::create(&path).doing(|| format!("creating {}", path.display()))?;
    let id = directories.run.file_name().unwrap_or_default();
    let mut child = Command::new("unshare")
        .args(["--mount", "--net", "--uts", "--ipc", "--pid", "--fork", "--kill-child"])
        .args(["--propagation", "private"])
        .arg(program)
        .arg("supervise")
        .arg(&directories.run)
        .env_clear()
        .env("PATH", requirements::PATH)
        .env("LC_ALL", "C.UTF-8")
        .env(MARK, id)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(log)
        // An interrupt typed at a test's terminal is not meant for the lab.
        .process_group(0)
        .spawn()
        .doing(what)?;
    let answer = first_line(&mut child, options);
    let refused = match answer {
        Ok((Answer::Ok(_), lifeline)) => return Ok((child, lifeline)),
        Ok((Answer::Error(reason), _)) => Error::Refused(reason),
        Err(error) => error,
    };
    let _ = child.wait();
    Err(refused)
}

fn first_line(child: &mut Child, options: &Options) -> Result<(Answer, ChildStdin), Error> {
    let what = || "starting the lab's supervisor".to_owned();
    let missing = || Error::Refused("the supervisor has no pipe".to_owned());
    let mut lifeline = child.stdin.take().ok_or_else(missing)?;
    let output = child.stdout.take().ok_or_else(missing)?;
    let mut line = serde_json::to_string(options).doing(what)?;
    line.push('\n');
    lifeline.write_all(line.as_bytes()).doing(what)?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).doing(what)?;
    if line.is_empty() {
        return Err(Error::Refused("the supervisor ended before the lab ran".to_owned()));
    }
    Ok((serde_json::from_str(&line).doing(what)?, lifeline))
}
