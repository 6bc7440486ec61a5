//! The same on this host, without a script.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::changes::{Action, Change, Changes, Outcome};
use crate::path::BootPath;
use crate::place::{Entry, Target};
use crate::reading::{Present, ReadError, Reading, Scope, directories, owner};

impl Changes {
    /// Makes the changes on this host, in order, and says what became of each: never
    /// [`Outcome::Unknown`]. The outcomes are those of the script.
    pub fn apply_local(&self) -> Vec<Outcome> {
        self.iter().map(apply).collect()
    }
}

impl Reading {
    /// Looks at the links and boot paths of this host.
    pub fn read_local(&self) -> Result<Present, ReadError> {
        let root: &Path = self.root.as_ref();
        if !root.is_dir() {
            return Err(unreadable(&self.root, "not a directory"));
        }
        let mut present = Present {
            complete: matches!(self.scope, Scope::All(_)),
            entries: BTreeMap::new(),
            targets: BTreeMap::new(),
        };
        match &self.scope {
            Scope::These(places) => {
                for (place, directory, name) in places {
                    let path = directory.child(name);
                    let entry = look(path.as_ref())
                        .map_err(|error| unreadable(directory, &error.to_string()))?;
                    present.entries.insert(*place, entry);
                }
            }
            Scope::All(layout) => {
                for directory in directories(layout) {
                    let failed = |error: io::Error| unreadable(&directory, &error.to_string());
                    let listing = match fs::read_dir(&directory) {
                        Err(error) if error.kind() == ErrorKind::NotFound => continue,
                        listing => listing.map_err(failed)?,
                    };
                    for file in listing {
                        let file = file.map_err(failed)?;
                        let name = file.file_name();
                        if let Some(place) = owner(layout, &directory, name.as_bytes()) {
                            let entry = look(&file.path()).map_err(failed)?;
                            present.entries.insert(place, entry);
                        }
                    }
                }
            }
        }
        let kinds = self.targets.iter().map(|(path, within)| {
            (path.clone(), target(path.as_ref(), within.as_ref().map(AsRef::as_ref)))
        });
        present.targets.extend(kinds);
        Ok(present)
    }
}

fn unreadable(path: &BootPath, reason: &str) -> ReadError {
    ReadError::Directory { path: path.to_string(), reason: reason.to_owned() }
}

fn look(path: &Path) -> io::Result<Entry> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => match fs::read_link(path) {
            Ok(target) => Ok(Entry::Link(target.into_os_string().into_vec())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Entry::None),
            Err(error) => Err(error),
        },
        Ok(_) => Ok(Entry::NotALink),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Entry::None),
        Err(error) => Err(error),
    }
}

fn target(path: &Path, within: Option<&Path>) -> Target {
    let Ok(found) = fs::metadata(path) else { return Target::Missing };
    if !found.is_file() {
        return Target::NotAFile;
    }
    let Some(root) = within else { return Target::File };
    match (fs::canonicalize(path), fs::canonicalize(root)) {
        (Ok(path), Ok(root)) if path.starts_with(&root) => Target::File,
        _ => Target::Outside,
    }
}

fn apply(change: &Change) -> Outcome {
    let path = change.path();
    let path: &Path = path.as_ref();
    match &change.action {
        Action::Write { content, file, unless } => {
            if let Some(persistent) = unless
                && fs::symlink_metadata(persistent).is_ok()
            {
                return failed(format!("there is a persistent link: {persistent}"));
            }
            if target(file.as_ref(), None) != Target::File {
                return failed(format!("the boot path is not a regular file: {file}"));
            }
            match look(path) {
                Ok(Entry::None | Entry::Link(_)) => {}
                Ok(Entry::NotALink) => return not_a_link(path),
                Err(error) => return failed(error.to_string()),
            }
            match replace(change.directory.as_ref(), &change.name, content) {
                Ok(()) => Outcome::Done,
                Err(error) => failed(error.to_string()),
            }
        }
        Action::Remove { only } => match look(path) {
            Ok(Entry::Link(held)) => match only {
                Some(only) if only.as_bytes() != held => {
                    Outcome::Replaced { target: String::from_utf8_lossy(&held).into_owned() }
                }
                _ => match fs::remove_file(path) {
                    Ok(()) => Outcome::Done,
                    Err(error) if error.kind() == ErrorKind::NotFound => Outcome::Absent,
                    Err(error) => failed(error.to_string()),
                },
            },
            Ok(Entry::NotALink) => not_a_link(path),
            Ok(Entry::None) => absent(change.directory.as_ref()),
            Err(error) => failed(error.to_string()),
        },
    }
}

/// Writes the link in a hidden directory of its own and renames it.
fn replace(directory: &Path, name: &str, content: &str) -> io::Result<()> {
    let hidden = unused(directory)?;
    let prepared = hidden.join(name);
    let written =
        symlink(content, &prepared).and_then(|()| fs::rename(&prepared, directory.join(name)));
    if written.is_err() {
        let _ = fs::remove_file(&prepared);
    }
    let _ = fs::remove_dir(&hidden);
    written
}

/// A new directory whose name no service looks for.
fn unused(directory: &Path) -> io::Result<PathBuf> {
    let process = std::process::id();
    let mut number = 0;
    loop {
        let path = directory.join(format!(".pxe-links.{process}.{number}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Nothing at a link's place: absent if its directory, or at least the one above, can be seen.
fn absent(directory: &Path) -> Outcome {
    match fs::symlink_metadata(directory) {
        Ok(_) if directory.is_dir() => Outcome::Absent,
        Err(_) if directory.parent().is_some_and(Path::is_dir) => Outcome::Absent,
        _ => failed(format!("not a directory: {}", directory.display())),
    }
}

fn not_a_link(path: &Path) -> Outcome {
    failed(format!("not a symbolic link: {}", path.display()))
}

fn failed(reason: String) -> Outcome {
    Outcome::Failed { reason }
}
