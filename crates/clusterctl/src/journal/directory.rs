//! Where the runs lie.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::exit::{Classify, ExitClass};

/// Why a run cannot be written down.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The directory is not this user's alone.
    #[error("{}: {why}: the journal of runs has to be private", .path.display())]
    NotPrivate {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The file system said no.
    #[error("{}: the journal cannot be used", .path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// Its words.
        #[source]
        source: io::Error,
    },
}

impl Classify for JournalError {
    fn exit_class(&self) -> ExitClass {
        ExitClass::Usage
    }
}

pub(crate) fn io_error(path: &Path, source: io::Error) -> JournalError {
    JournalError::Io { path: path.to_owned(), source }
}

/// `<state>/runs`, made if it is missing, refused unless it is a private directory of this user.
pub(crate) fn runs(state: &Path) -> Result<PathBuf, JournalError> {
    let path = state.join("runs");
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&path)
        .map_err(|error| io_error(&path, error))?;
    let refused = |why| Err(JournalError::NotPrivate { path: path.clone(), why });
    let metadata = path.symlink_metadata().map_err(|error| io_error(&path, error))?;
    if !metadata.is_dir() {
        return refused("is not a directory");
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return refused("belongs to somebody else");
    }
    if metadata.mode() & 0o022 != 0 {
        return refused("may be written by others");
    }
    Ok(path)
}

/// The newest run's file, if there is one.
pub(crate) fn newest(state: &Path) -> Result<Option<PathBuf>, JournalError> {
    let folder = state.join("runs");
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error(&folder, error)),
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    // The name begins with the time, so the greatest is the newest.
    files.sort();
    Ok(files.pop())
}
