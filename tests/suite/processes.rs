//! What still runs, on the nodes and on the workstation: all of a lab's processes are the machine's.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use lab::Lab;

/// A `sleep` that no other test runs, to be found among the machine's processes.
pub(crate) struct LongSleep {
    seconds: String,
}

impl LongSleep {
    pub(crate) fn new() -> LongSleep {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        LongSleep { seconds: format!("600.{:07}{number:02}", std::process::id()) }
    }

    /// The argument of `sleep`.
    pub(crate) fn seconds(&self) -> &str {
        &self.seconds
    }

    /// How many of it run, on whichever hosts.
    pub(crate) fn count(&self) -> usize {
        let ours = |line: &String| *line == format!("sleep {}", self.seconds);
        processes().filter_map(|process| command_line(&process)).filter(ours).count()
    }

    pub(crate) fn runs(&self) -> bool {
        self.count() > 0
    }
}

/// Command lines of what a test started on the workstation and that still runs.
pub(crate) fn left_on_the_workstation(lab: &Lab) -> Vec<String> {
    let mark = format!("CLUSTERCTL_LAB={}", lab.id());
    let home = format!("HOME={}", lab.directories().home().display());
    let ours = |process: &PathBuf| {
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        let has = |wanted: &str| environment.split(|b| *b == 0).any(|v| v == wanted.as_bytes());
        has(&mark) && has(&home)
    };
    processes().filter(ours).filter_map(|process| command_line(&process)).collect()
}

fn processes() -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    entries.filter(|path| path.file_name().unwrap().to_string_lossy().parse::<u32>().is_ok())
}

/// Empty for a process that has ended and is not waited for yet.
fn command_line(process: &std::path::Path) -> Option<String> {
    let bytes = fs::read(process.join("cmdline")).ok().filter(|bytes| !bytes.is_empty())?;
    let text = String::from_utf8_lossy(&bytes).trim_end_matches('\0').replace('\0', " ");
    Some(text)
}
