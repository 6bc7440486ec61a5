//! The project's Rust files.

use std::path::{Path, PathBuf};

use crate::program::{Failure, root};

/// A source file of the project, its path relative to the workspace.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// All `.rs` files below these folders, in a stable order.
pub(crate) fn below(folders: &[&str]) -> Result<Vec<Source>, Failure> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root().join(folder), &mut paths)
            .map_err(|error| Failure::new(format!("{folder}: {error}")))?;
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
        let path = path.strip_prefix(root()).map_or(path.clone(), Path::to_owned);
        Ok(Source { path, text })
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

impl Source {
    /// The lines before the tests at the end of the file.
    pub(crate) fn lines_without_tests(&self) -> impl Iterator<Item = &str> {
        self.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"))
    }

    pub(crate) fn name(&self) -> &str {
        self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }
}
