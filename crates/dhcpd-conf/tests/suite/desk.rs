//! The folder in which the judges find a configuration and what it includes.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file that a configuration includes, by the path it is included by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stub {
    pub(crate) path: PathBuf,
    pub(crate) text: Vec<u8>,
}

/// A folder of its own. Includes never leave it: an absolute path is put below it, in the files as
/// in their texts; relative ones count from it.
pub(crate) struct Desk(tempfile::TempDir);

impl Desk {
    /// A configuration that includes nothing.
    pub(crate) fn new(text: &[u8]) -> Self {
        Self::with(text, &[])
    }

    /// A configuration, and what it includes.
    pub(crate) fn with(text: &[u8], stubs: &[Stub]) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        std::fs::write(desk.main(), desk.moved(text, stubs)).unwrap();
        for stub in stubs {
            let path = desk.below(&stub.path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, desk.moved(&stub.text, stubs)).unwrap();
        }
        desk
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The configuration.
    pub(crate) fn main(&self) -> PathBuf {
        self.path().join("dhcpd.conf")
    }

    /// A program that runs in the folder.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path());
        command
    }

    fn below(&self, path: &Path) -> PathBuf {
        self.path().join(path.strip_prefix("/").unwrap_or(path))
    }

    fn moved(&self, text: &[u8], stubs: &[Stub]) -> Vec<u8> {
        stubs.iter().filter(|stub| stub.path.is_absolute()).fold(text.to_vec(), |text, stub| {
            let quoted = |path: &Path| format!("\"{}\"", path.display()).into_bytes();
            replace(&text, &quoted(&stub.path), &quoted(&self.below(&stub.path)))
        })
    }
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        replaced.extend_from_slice(&rest[..at]);
        replaced.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    replaced.extend_from_slice(rest);
    replaced
}
