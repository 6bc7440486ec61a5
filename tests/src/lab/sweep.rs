//! What labs left behind whose owners died.
//!
//! Namespaces, mounts and processes go with the supervisor. What can be left is the directory, and
//! commands that a test had started in the workstation's namespaces.

use super::start::{MARK, RUN, registry_lock};
use crate::error::{Doing, Error};
use crate::wire::Directories;
use rustix::fs::FlockOperation;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Removes what dead labs left; returns their names.
pub fn sweep() -> Result<Vec<String>, Error> {
    let _registry = registry_lock()?;
    let mut swept = Vec::new();
    for run in directories()? {
        if owner_lives(&run) {
            continue;
        }
        let id = name(&run);
        end_processes(&id);
        fs::remove_dir_all(&run).doing(|| format!("removing {}", run.display()))?;
        swept.push(id);
    }
    Ok(swept)
}

/// The directories of labs that run now.
pub fn running() -> Result<Vec<PathBuf>, Error> {
    Ok(directories()?.into_iter().filter(|run| owner_lives(run)).collect())
}

/// Ends every process that carries the mark of this lab.
pub(super) fn end_processes(id: &str) {
    let mark = format!("{MARK}={id}");
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let marked = environment.split(|byte| *byte == 0).any(|value| value == mark.as_bytes());
        if let (true, Some(pid)) = (marked, Pid::from_raw(pid)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

fn directories() -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(RUN) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).doing(|| format!("reading {RUN}")),
    };
    Ok(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
}

/// Whether the process that started this lab still holds its lock.
fn owner_lives(run: &Path) -> bool {
    let lock = Directories { run: run.to_owned() }.lock();
    let Ok(file) = File::open(lock) else { return false };
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared).is_err()
}

fn name(run: &Path) -> String {
    run.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
