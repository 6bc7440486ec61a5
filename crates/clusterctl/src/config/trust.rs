//! Whose files are believed: the user's own and root's, that nobody else can write.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::exit::{Classify, ExitClass};

/// A file or directory that somebody else could have written.
#[derive(Debug, Error)]
#[error("{} {why}: it is not believed", .path.display())]
pub struct Distrust {
    /// Which.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

impl Classify for Distrust {
    fn exit_class(&self) -> ExitClass {
        ExitClass::Usage
    }
}

const OTHERS_MAY_WRITE: u32 = 0o022;
const STICKY: u32 = 0o1000;

/// A file of the configuration, and the directory it lies in.
pub(crate) fn check_file(path: &Path) -> io::Result<Result<(), Distrust>> {
    if let Err(distrust) = check(path, false)? {
        return Ok(Err(distrust));
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => check(parent, true),
        _ => check(Path::new("."), true),
    }
}

/// A directory of the configuration.
pub(crate) fn check_directory(path: &Path) -> io::Result<Result<(), Distrust>> {
    check(path, false)
}

fn check(path: &Path, sticky_will_do: bool) -> io::Result<Result<(), Distrust>> {
    let metadata = path.metadata()?;
    let me = rustix::process::geteuid().as_raw();
    let why = if metadata.uid() != me && metadata.uid() != 0 {
        format!("belongs to user {}", metadata.uid())
    } else if metadata.mode() & OTHERS_MAY_WRITE != 0
        && !(sticky_will_do && metadata.mode() & STICKY != 0)
    {
        format!("may be written by others (mode {:04o})", metadata.mode() & 0o7777)
    } else {
        return Ok(Ok(()));
    };
    Ok(Err(Distrust { path: path.to_owned(), why }))
}

/// The state directory, if it is there: this user's, no symbolic link, and not open to others.
pub(crate) fn check_private_directory(path: &Path) -> Result<(), Distrust> {
    let refuse = |why: String| Err(Distrust { path: path.to_owned(), why });
    let metadata = match path.symlink_metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return refuse(format!("cannot be looked at: {error}")),
    };
    if !metadata.is_dir() {
        return refuse("is no directory of its own".to_owned());
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return refuse(format!("belongs to user {}", metadata.uid()));
    }
    if metadata.mode() & OTHERS_MAY_WRITE != 0 {
        return refuse(format!("may be written by others (mode {:04o})", metadata.mode() & 0o7777));
    }
    Ok(())
}
