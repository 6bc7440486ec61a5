//! The manifest of the corpus: what this crate and what dhcpd say of each file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dhcpd_conf::{ConfigSet, Finding, LoadErrors, Loader, Severity};

use crate::desk::{Desk, Stub};
use crate::judge::{Family, Verdict};

/// A line of the manifest.
#[derive(Debug)]
pub(crate) struct Entry {
    /// As the manifest has it: `valid/site.conf`, `public/subnet4.in4`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) family: Family,
    /// `accepted`, or the kinds of findings for which the server would refuse the file.
    pub(crate) ours: BTreeSet<String>,
    pub(crate) dhcpd: Verdict,
    pub(crate) stubs: Vec<Stub>,
    /// Whether dhcpd may read it in spite of a word that it runs in other places.
    pub(crate) harmless: bool,
    /// Why dhcpd and this crate differ, or why dhcpd says nothing.
    pub(crate) reason: Option<String>,
}

/// All entries, those of public files too.
pub(crate) fn all() -> Vec<Entry> {
    let text = std::fs::read_to_string(corpus().join("manifest.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(Entry::of_line).collect()
}

/// The entries whose files are here: public ones may be absent.
pub(crate) fn present() -> impl Iterator<Item = Entry> {
    let there = public().is_some();
    if !there {
        println!("SKIPPED public files: they are no part of this repository");
    }
    all().into_iter().filter(move |entry| there || !entry.is_public())
}

/// The folder of the project's own configurations.
pub(crate) fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// Files of other projects, which are no part of this repository.
pub(crate) fn public() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("CLUSTERCTL_SHARED")
        .map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let folder = shared.join("data/dhcpd");
    folder.is_dir().then_some(folder)
}

impl Entry {
    /// `FILE FAMILY OURS DHCPD [stub=PATH[:FILE]]… [harmless] [# REASON]`
    fn of_line(line: &str) -> Self {
        let (fields, reason) = match line.split_once(" # ") {
            Some((fields, reason)) => (fields, Some(reason.trim().to_owned())),
            None => (line, None),
        };
        let mut fields = fields.split_whitespace();
        let mut next = || fields.next().unwrap_or_else(|| panic!("too short: {line}"));
        let name = next().to_owned();
        let family = match next() {
            "v4" => Family::V4,
            "v6" => Family::V6,
            other => panic!("{other} is no family: {line}"),
        };
        let ours = match next() {
            "accepted" => BTreeSet::new(),
            kinds => kinds.split(',').map(str::to_owned).collect(),
        };
        let dhcpd = match next() {
            "accepted" => Verdict::Accepted,
            "refused" => Verdict::Refused,
            "crashed" => Verdict::Crashed,
            other => panic!("{other} is no verdict: {line}"),
        };
        let (harmless, rest): (Vec<_>, Vec<_>) = fields.partition(|field| *field == "harmless");
        let stub = |field: &&str| stub(field).unwrap_or_else(|| panic!("{field}: {line}"));
        let path = match name.strip_prefix("public/") {
            Some(file) => public().map_or_else(PathBuf::new, |folder| folder.join(file)),
            None => corpus().join(&name),
        };
        Self {
            name,
            path,
            family,
            ours,
            dhcpd,
            stubs: rest.iter().map(stub).collect(),
            harmless: !harmless.is_empty(),
            reason,
        }
    }

    pub(crate) fn is_public(&self) -> bool {
        self.name.starts_with("public/")
    }

    pub(crate) fn source(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The folder in which the judges find it.
    pub(crate) fn desk(&self) -> Desk {
        Desk::with(&self.source(), &self.stubs)
    }

    /// Read by this crate, with its stubs.
    pub(crate) fn load(&self) -> Result<ConfigSet, LoadErrors<String>> {
        let read = |path: &Path| {
            let is = |stub: &&Stub| Path::new("/").join(&stub.path) == path;
            match self.stubs.iter().find(is) {
                _ if path == Path::new("/dhcpd.conf") => Ok(self.source()),
                Some(stub) => Ok(stub.text.clone()),
                None => Err(format!("{}: no stub is {}", self.name, path.display())),
            }
        };
        Loader::new().relative_to("/").load("/dhcpd.conf", read)
    }

    /// The kinds of findings for which the server would refuse it.
    pub(crate) fn found(&self) -> BTreeSet<String> {
        let findings = match self.load() {
            Ok(set) => set.lint(),
            Err(errors) => errors.findings(),
        };
        let refusing = |finding: &&Finding| finding.severity() == Severity::Error;
        findings.iter().filter(refusing).map(|it| it.kind().name().to_owned()).collect()
    }
}

/// `stub=PATH` for an empty file, `stub=PATH:FILE` for a file of the corpus.
fn stub(field: &str) -> Option<Stub> {
    let field = field.strip_prefix("stub=")?;
    let (path, text) = match field.split_once(':') {
        Some((path, file)) => (path, std::fs::read(corpus().join(file)).ok()?),
        None => (field, Vec::new()),
    };
    Some(Stub { path: path.into(), text })
}
