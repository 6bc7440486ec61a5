//! `node select` against ClusterShell's `nodeset`.

use super::run::{Row, program, say, table};
use super::timing::{compare, measured};
use crate::error::{Doing, Error};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const ENTRIES: u32 = 10_000;
const RACK: u32 = 40;
const EXPRESSION: &str = "@rack:R[010-200]!@rack:R020&exe[00001-09000]";
const ROUNDS: usize = 15;

/// The same expression on the same content: an inventory of separate entries with addresses and
/// racks, and a group file with a name for name.
pub(super) fn selection(nodeset: &str) -> Result<(), Error> {
    let folder = tempfile::tempdir().doing(|| "making a directory".to_owned())?;
    write(&folder.path().join("site.yaml"), SITE)?;
    write(&folder.path().join("inventory.yaml"), &inventory())?;
    write(&folder.path().join("groups.conf"), GROUPS_CONF)?;
    write(&folder.path().join("groups.d/racks.yaml"), &groups())?;
    let config = folder.path().join("site.yaml").display().to_string();
    let entries = folder.path().join("inventory.yaml").display().to_string();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let ours = words(&[
        &program(),
        "--config",
        &config,
        "--config",
        &entries,
        "node",
        "select",
        EXPRESSION,
    ]);
    let theirs = words(&[nodeset, "-f", EXPRESSION]);
    agree(&ours, &theirs, folder.path())?;
    let bash = |words: &[String]| {
        let mut command = Command::new("bash");
        command.env("CLUSTERSHELL_CFGDIR", folder.path());
        measured(command, words)
    };
    let costs = compare(&mut [bash(&ours), bash(&theirs)], ROUNDS)?;
    say(&format!("\nnode select on {ENTRIES} entries, {EXPRESSION}"))?;
    table(&[
        Row { name: "clusterctl node select".to_owned(), cost: costs[0] },
        Row { name: "nodeset".to_owned(), cost: costs[1] },
    ])
}

/// Both give the same nodes, or the comparison means nothing.
fn agree(ours: &[String], theirs: &[String], folder: &Path) -> Result<(), Error> {
    let said = |words: &[String]| {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).env("CLUSTERSHELL_CFGDIR", folder);
        crate::command::run(&mut command)
    };
    let (ours, theirs) = (said(ours)?, said(theirs)?);
    if ours == theirs && !ours.trim().is_empty() {
        return Ok(());
    }
    Err(Error::Refused(format!("clusterctl selects {ours:?}, nodeset {theirs:?}")))
}

const SITE: &str = "\
apiVersion: clusterctl/v1alpha1
kind: Site
metadata:
  name: bench
spec:
  domains: {hpc: hpc.example.org}
---
apiVersion: clusterctl/v1alpha1
kind: Cluster
metadata:
  name: bench
spec:
  site: bench
  groups:
    sources:
      rack: {attribute: rack}
---
apiVersion: clusterctl/v1alpha1
kind: Config
currentContext: bench
contexts:
  - {name: bench, cluster: bench}
";

const GROUPS_CONF: &str = "[Main]\ndefault: rack\nautodir: $CFGDIR/groups.d\n";

fn nodes() -> impl Iterator<Item = (String, u32)> {
    (1..=ENTRIES).map(|number| (format!("exe{number:05}"), (number - 1) / RACK + 1))
}

fn inventory() -> String {
    let mut text = "\
apiVersion: clusterctl/v1alpha1
kind: NodeInventory
metadata:
  name: bench
spec:
  nodes:
"
    .to_owned();
    for (index, (name, rack)) in nodes().enumerate() {
        let (high, low) = (index / 250, index % 250 + 1);
        let _ = write!(
            text,
            "    - nodes: {name}\n      rack: R{rack:03}\n      address: 10.0.{high}.{low}\n",
        );
    }
    text
}

/// Names one by one, as the inventory has them.
fn groups() -> String {
    let mut text = "rack:\n".to_owned();
    let mut last = 0;
    for (name, rack) in nodes() {
        if rack == last {
            let _ = write!(text, ",{name}");
        } else {
            let end = if last == 0 { "" } else { "'\n" };
            let _ = write!(text, "{end}  R{rack:03}: '{name}");
        }
        last = rack;
    }
    text.push_str("'\n");
    text
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).doing(|| format!("creating {}", parent.display()))?;
    }
    std::fs::write(path, text).doing(|| format!("writing {}", path.display()))
}
