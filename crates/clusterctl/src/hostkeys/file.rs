//! Changing the host key file: locked, whole or not at all, and reversible.

use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use thiserror::Error;

use crate::exit::{Classify, ExitClass};
use crate::hostkeys::key::HostKey;
use crate::hostkeys::removal::{Removed, remove_from, restore_to};

/// How long somebody else may hold the file.
const PATIENCE: Duration = Duration::from_secs(5);
const MOMENT: Duration = Duration::from_millis(50);

/// Why the host key file was not changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HostKeyError {
    /// It cannot be read, written or replaced.
    #[error("the host key file {} cannot be {doing}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// Somebody else is changing it.
    #[error("the host key file {} is locked by somebody else", .path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
}

impl Classify for HostKeyError {
    fn exit_class(&self) -> ExitClass {
        ExitClass::Failed
    }
}

/// The host key file of a site; a symbolic link to it stays one.
#[derive(Debug, Clone)]
pub struct HostKeyFile {
    path: PathBuf,
}

impl HostKeyFile {
    /// The file behind a path; it has to be there.
    pub fn open(path: &Path) -> Result<HostKeyFile, HostKeyError> {
        let failed = |source| HostKeyError::Io { path: path.to_owned(), doing: "read", source };
        Ok(HostKeyFile { path: path.canonicalize().map_err(failed)? })
    }

    /// Its text.
    pub fn text(&self) -> Result<String, HostKeyError> {
        std::fs::read_to_string(&self.path).map_err(|error| self.failed("read", error))
    }

    /// Removes the keys of these nodes, each given by all its names. A node without a key is no
    /// mistake. Lines of authorities, revocations and wildcards stay.
    pub fn remove(&self, nodes: &[Vec<String>]) -> Result<Removed, HostKeyError> {
        self.change(|text| remove_from(text, nodes))
    }

    /// Puts back what was removed of some nodes, given by their positions.
    pub fn restore(&self, removed: &Removed, nodes: &[usize]) -> Result<(), HostKeyError> {
        self.change(|text| (restore_to(text, removed, nodes), ()))
    }

    /// Puts new keys in place of all others of these hosts: each host by all its names.
    pub fn replace_keys(&self, hosts: &[(Vec<String>, Vec<HostKey>)]) -> Result<(), HostKeyError> {
        let names: Vec<Vec<String>> = hosts.iter().map(|(names, _)| names.clone()).collect();
        self.change(|text| {
            let (mut text, _removed) = remove_from(text, &names);
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            for (names, keys) in hosts {
                for key in keys {
                    text.push_str(&format!("{} {key}\n", names.join(",")));
                }
            }
            (text, ())
        })
    }

    /// Reads, changes and replaces the text under the lock.
    pub(crate) fn change<R>(
        &self,
        change: impl FnOnce(&str) -> (String, R),
    ) -> Result<R, HostKeyError> {
        let _lock = self.lock()?;
        let text = self.text()?;
        let (changed, result) = change(&text);
        if changed != text {
            self.replace(&changed)?;
        }
        Ok(result)
    }

    /// The lock is on the directory: everybody who may replace the file can take it, and nothing is
    /// left behind.
    fn lock(&self) -> Result<File, HostKeyError> {
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        let folder = File::open(folder).map_err(|error| self.failed("locked", error))?;
        let begun = Instant::now();
        loop {
            match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(folder),
                Err(rustix::io::Errno::WOULDBLOCK) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(MOMENT);
                }
                Err(rustix::io::Errno::WOULDBLOCK) => {
                    return Err(HostKeyError::Locked { path: self.path.clone() });
                }
                Err(error) => return Err(self.failed("locked", error.into())),
            }
        }
    }

    /// Writes a neighbour with the same mode and group and moves it into place.
    fn replace(&self, text: &str) -> Result<(), HostKeyError> {
        let write = || -> io::Result<()> {
            let metadata = self.path.metadata()?;
            let folder = self.path.parent().unwrap_or(Path::new("/"));
            let mut neighbour =
                tempfile::Builder::new().prefix(".known-hosts-").tempfile_in(folder)?;
            neighbour.write_all(text.as_bytes())?;
            let file = neighbour.as_file();
            std::os::unix::fs::fchown(file, None, Some(metadata.gid()))?;
            file.set_permissions(Permissions::from_mode(metadata.mode() & 0o7777))?;
            file.sync_all()?;
            neighbour.persist(&self.path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|error| self.failed("rewritten", error))
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> HostKeyError {
        HostKeyError::Io { path: self.path.clone(), doing, source }
    }
}
