//! A directory that plays the PXE host, and the shells the scripts run under.

use std::fs;
use std::io::Write as _;
use std::net::IpAddr;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pxe_links::{
    BootPath, Changes, Layout, Lifetime, Link, Outcome, Present, ReadError, Reading,
    UnderPersistent,
};
use tempfile::TempDir;

pub(crate) struct Host {
    directory: TempDir,
}

impl Host {
    /// A root with a `links` directory, one boot file, and `once` and `static` in `links`.
    pub(crate) fn new() -> Host {
        let host = Host { directory: TempDir::new().unwrap() };
        for directory in ["links/once", "links/static", "boot"] {
            fs::create_dir_all(host.at(directory)).unwrap();
        }
        host.file("boot/ipxe");
        host
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    pub(crate) fn path(&self, path: &str) -> BootPath {
        self.at(path).to_str().unwrap().parse().unwrap()
    }

    pub(crate) fn file(&self, path: &str) {
        fs::write(self.at(path), "#!ipxe\n").unwrap();
    }

    pub(crate) fn link(&self, path: &str, target: impl AsRef<Path>) {
        symlink(target, self.at(path)).unwrap();
    }

    /// What a link holds; `None` if there is no link.
    pub(crate) fn target(&self, path: &str) -> Option<PathBuf> {
        fs::read_link(self.at(path)).ok()
    }

    pub(crate) fn suffixed(&self) -> Layout {
        Layout::suffixed(&self.path("links"), ".static").unwrap()
    }

    pub(crate) fn directories(&self) -> Layout {
        Layout::directories(&self.path("links"))
    }

    pub(crate) fn once(&self, client: &str, target: &str) -> Link {
        Link {
            client: client.parse().unwrap(),
            lifetime: Lifetime::Once,
            target: self.path(target),
        }
    }

    pub(crate) fn persistent(&self, client: &str, target: &str) -> Link {
        Link { lifetime: Lifetime::Persistent, ..self.once(client, target) }
    }

    /// Names below `path`, hidden ones included, sorted.
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.at(path))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// Reads what the links need, as a caller would.
pub(crate) fn present(layout: &Layout, wanted: &[Link]) -> Present {
    let reading = Reading::of(layout, wanted.iter().map(|link| link.client))
        .with_targets(wanted.iter().map(|link| link.target.clone()));
    read(&reading).unwrap()
}

pub(crate) fn plan(layout: &Layout, wanted: &[Link]) -> Changes {
    let present = present(layout, wanted);
    Changes::arm(layout, wanted, &present, UnderPersistent::Refuse).unwrap()
}

pub(crate) fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

pub(crate) fn failed(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Failed { reason } => reason,
        other => panic!("not a failure: {other:?}"),
    }
}

/// The shells of this machine: each takes a script on standard input.
pub(crate) fn shells() -> Vec<&'static [&'static str]> {
    let all: [&[&str]; 4] =
        [&["sh", "-s"], &["dash", "-s"], &["bash", "--posix", "-s"], &["busybox", "sh", "-s"]];
    let runs = |shell: &&[&str]| {
        Command::new(shell[0])
            .args(&shell[1..])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    let (found, missing): (Vec<&[&str]>, Vec<_>) = all.into_iter().partition(runs);
    assert!(found.contains(&all[0]), "no sh on this machine");
    for shell in missing {
        println!("skipped: {} is not installed", shell[0]);
    }
    found
}

pub(crate) fn run_in(shell: &[&str], script: &str) -> Vec<u8> {
    let mut child = Command::new(shell[0])
        .args(&shell[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let script = script.to_owned();
    let writer = std::thread::spawn(move || {
        // A shell that was killed reads no more; the test looks at what came of it.
        let _ = stdin.write_all(script.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.stdout
}

pub(crate) fn run(script: &str) -> Vec<u8> {
    run_in(&["sh", "-s"], script)
}

pub(crate) fn read(reading: &Reading) -> Result<Present, ReadError> {
    let by_script = reading.parse(&run(&reading.script()));
    let here = reading.read_local();
    if let (Ok(script), Ok(here)) = (&by_script, &here) {
        assert_eq!(script, here, "script and local reading agree");
    }
    assert_eq!(by_script.is_ok(), here.is_ok(), "{by_script:?} {here:?}");
    by_script
}

pub(crate) fn apply(changes: &Changes) -> Vec<Outcome> {
    changes.parse_report(&run(&changes.script()))
}
