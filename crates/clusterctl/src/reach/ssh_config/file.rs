//! Files and what they include, read once for all hosts.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::hostkeys::wildcard;
use crate::reach::ssh_config::words;
use crate::reach::{Delivery, ReachError, ReachErrorKind};

/// The files of `ssh.include`, parsed.
#[derive(Debug, Clone, Default)]
pub(in crate::reach) struct SshConfig {
    pub(super) files: Vec<Vec<Item>>,
}

/// One line with a meaning.
#[derive(Debug, Clone)]
pub(super) enum Item {
    /// `Host` with its patterns.
    Host(Vec<String>),
    /// `Match` with its criteria.
    Match(Vec<String>),
    /// `Include`: the files it names, in order.
    Include(Vec<Vec<Item>>),
    /// A setting: its keyword in lower case and its arguments.
    Set(String, Vec<String>),
}

/// ssh stops at 16 files deep, too.
const DEEPEST: usize = 16;

impl SshConfig {
    /// Reads files; a missing one is skipped, an unreadable one is an error.
    pub(in crate::reach) fn read(
        patterns: &[PathBuf],
        home: &Path,
    ) -> Result<SshConfig, ReachError> {
        let mut files = Vec::new();
        for pattern in patterns {
            for path in expand(&under_home(pattern, home)) {
                files.extend(read_file(&path, home, 0)?);
            }
        }
        Ok(SshConfig { files })
    }
}

fn read_file(path: &Path, home: &Path, depth: usize) -> Result<Option<Vec<Item>>, ReachError> {
    let fail = |why: String| {
        let text = format!("cannot read the ssh configuration {}: {why}", path.display());
        ReachError::new(ReachErrorKind::Configuration, Delivery::NotSent, text)
    };
    if depth > DEEPEST {
        return Err(fail("files include each other too deeply".to_owned()));
    }
    let text = match std::fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fail(error.to_string())),
    };
    let mut items = Vec::new();
    for (keyword, arguments) in text.lines().filter_map(words::split) {
        match keyword.as_str() {
            "host" => items.push(Item::Host(arguments)),
            "match" => items.push(Item::Match(arguments)),
            "include" => {
                let mut included = Vec::new();
                for argument in &arguments {
                    let base = if path.starts_with("/etc/ssh") {
                        PathBuf::from("/etc/ssh")
                    } else {
                        home.join(".ssh")
                    };
                    let pattern = base.join(under_home(Path::new(argument), home));
                    for path in expand(&pattern) {
                        included.extend(read_file(&path, home, depth + 1)?);
                    }
                }
                items.push(Item::Include(included));
            }
            _ => items.push(Item::Set(keyword, arguments)),
        }
    }
    Ok(Some(items))
}

/// A path with a leading `~/` put under the home directory.
pub(in crate::reach) fn under_home(path: &Path, home: &Path) -> PathBuf {
    path.strip_prefix("~").map_or_else(|_| path.to_owned(), |rest| home.join(rest))
}

/// The paths a pattern names, sorted, as glob(7) gives them: `*` and `?` in any component, and a
/// leading dot only where it is written.
fn expand(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let text = component.as_os_str().to_string_lossy().into_owned();
        if !text.contains(['*', '?']) {
            for path in &mut found {
                path.push(component);
            }
            continue;
        }
        let mut next = Vec::new();
        for directory in &found {
            let Ok(entries) = std::fs::read_dir(directory) else { continue };
            for name in entries.flatten().map(|entry| entry.file_name()) {
                let name_text = name.to_string_lossy();
                let hidden = name_text.starts_with('.') && !text.starts_with('.');
                if !hidden && wildcard(text.as_bytes(), name_text.as_bytes()) {
                    next.push(directory.join(&name));
                }
            }
        }
        next.sort();
        found = next;
    }
    found
}
