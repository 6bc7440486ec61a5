//! Which files are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::config::error::ConfigError;
use crate::config::trust;

/// The machine's own documents, that everybody on it works with.
pub const SYSTEM_DIRECTORY: &str = "/etc/clusterctl";

/// Everything from outside the documents that decides what the configuration is.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// `--config`, most general first; replaces the built-in places.
    pub config: Vec<PathBuf>,
    /// `--context`.
    pub context: Option<String>,
    /// `--set PATH=VALUE`.
    pub set: Vec<String>,
    /// `--fanout`.
    pub fanout: Option<std::num::NonZeroUsize>,
    /// The environment.
    pub environment: BTreeMap<String, String>,
    /// The working directory.
    pub working_directory: PathBuf,
    /// This machine's name.
    pub host_name: String,
}

impl Inputs {
    /// A variable that is set and not empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.environment.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The user's home directory.
    pub fn home(&self) -> Option<&Path> {
        self.variable("HOME").map(Path::new)
    }

    /// `$XDG_STATE_HOME/clusterctl`.
    pub fn state_directory(&self) -> Option<PathBuf> {
        let base = self.variable("XDG_STATE_HOME").map(PathBuf::from);
        let base = base.or_else(|| Some(self.home()?.join(".local/state")))?;
        Some(base.join("clusterctl"))
    }

    /// The user's own documents: `$XDG_CONFIG_HOME/clusterctl`.
    pub fn user_directory(&self) -> Option<PathBuf> {
        let base = self.variable("XDG_CONFIG_HOME").map(PathBuf::from);
        let base = base.or_else(|| Some(self.home()?.join(".config")))?;
        Some(base.join("clusterctl"))
    }

    /// The files, in order, each checked for whose it is.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, ConfigError> {
        let (places, required) = self.places();
        let mut files = Vec::new();
        for place in &places {
            let metadata = match place.metadata() {
                Ok(metadata) => metadata,
                Err(error) if !required && error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(source) => return Err(ConfigError::Read { path: place.clone(), source }),
            };
            let read = |source| ConfigError::Read { path: place.clone(), source };
            if metadata.is_dir() {
                trust::check_directory(place).map_err(read)??;
                files.extend(documents_in(place)?);
            } else {
                files.push(place.clone());
            }
        }
        for file in &files {
            let read = |source| ConfigError::Read { path: file.clone(), source };
            trust::check_file(file).map_err(read)??;
        }
        if files.is_empty() { Err(ConfigError::Nothing(places)) } else { Ok(files) }
    }

    /// Where to look, and whether all of it has to be there.
    fn places(&self) -> (Vec<PathBuf>, bool) {
        let absolute = |path: &Path| self.working_directory.join(path);
        if !self.config.is_empty() {
            return (self.config.iter().map(|path| absolute(path)).collect(), true);
        }
        if let Some(list) = self.variable("CLUSTERCTL_CONFIG") {
            return (std::env::split_paths(list).map(|path| absolute(&path)).collect(), true);
        }
        let mut places = vec![PathBuf::from(SYSTEM_DIRECTORY)];
        places.extend(self.user_directory());
        (places, false)
    }
}

/// The visible YAML files of a directory, by name.
fn documents_in(folder: &Path) -> Result<Vec<PathBuf>, ConfigError> {
    let read = |source| ConfigError::Read { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let path = entry.map_err(read)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_yaml = path.extension().is_some_and(|e| e == "yaml" || e == "yml");
        if is_yaml && !name.starts_with('.') && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
