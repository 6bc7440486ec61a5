//! What five clients do with each recorded BMC, and in how many requests: the table of
//! `docs/peers.md`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use bmc_sim::Tree;

use crate::peers_at_work::{Outcome, Peer, Task, work};
use crate::recordings::folder;

const RECORDINGS: [&str; 9] = [
    "dell-idrac9-6.00",
    "hpe-ilo5",
    "hpe-ilo6-dl380a",
    "lenovo-xcc",
    "supermicro-x13",
    "ami-dgx-h100",
    "nvidia-gb200",
    "openbmc-stock",
    "cray-ex425",
];

const TASKS: [(Task, &str); 2] =
    [(Task::Switch, "power off, or on"), (Task::BootOnce, "boot once from the network")];

/// At a time: most of them wait.
const WORKERS: usize = 6;

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/peers.md")
}

/// With `BMC_SIM_WRITE_PEERS` the page is written, else it is read and has to agree, for the clients
/// that are installed.
#[test]
fn the_page_says_what_each_client_does_with_each_recording() {
    let Some(folder) = folder() else { return };
    let peers: Vec<Peer> =
        Peer::ALL.iter().map(|(peer, _)| *peer).filter(|peer| peer.is_here()).collect();
    let cells = all(&folder, &peers);
    if std::env::var_os("BMC_SIM_WRITE_PEERS").is_some() {
        assert_eq!(peers.len(), Peer::ALL.len(), "only {peers:?} are installed");
        std::fs::write(page(), written(&cells)).unwrap();
        return;
    }
    let page = std::fs::read_to_string(page()).unwrap();
    for (task, title) in TASKS {
        for recording in RECORDINGS {
            let known = row(&page, title, recording);
            for (column, (peer, name)) in Peer::ALL.iter().enumerate() {
                let measured = cells.iter().find(|cell| cell.is(task, recording, *peer));
                let Some(measured) = measured else { continue };
                let said = measured.text();
                assert_eq!(
                    known.get(column).copied(),
                    Some(said.as_str()),
                    "{title}: {recording} by {name}"
                );
            }
        }
    }
}

/// The client of this project does all of it, but for machines that have no override.
#[test]
fn our_client_does_every_task_in_no_more_requests_than_any_other() {
    let page = std::fs::read_to_string(page()).unwrap();
    for (task, title) in TASKS {
        for recording in RECORDINGS {
            let row = row(&page, title, recording);
            let done =
                |cell: &str| cell.strip_prefix("yes, ").map(|count| count.parse::<u32>().unwrap());
            let ours = done(row[0]);
            let has_none = task == Task::BootOnce && recording == "cray-ex425";
            assert_eq!(ours.is_none(), has_none, "{title}: {recording}");
            for other in row[1..].iter().filter_map(|cell| done(cell)) {
                assert!(ours.is_some_and(|ours| ours <= other), "{title}: {recording}: {row:?}");
            }
        }
    }
}

struct Cell {
    task: Task,
    recording: &'static str,
    peer: Peer,
    outcome: Outcome,
}

impl Cell {
    fn is(&self, task: Task, recording: &str, peer: Peer) -> bool {
        self.task == task && self.recording == recording && self.peer == peer
    }

    fn text(&self) -> String {
        let Outcome { done, requests } = self.outcome;
        format!("{}, {requests}", if done { "yes" } else { "no" })
    }
}

fn all(folder: &Path, peers: &[Peer]) -> Vec<Cell> {
    let mut jobs = Vec::new();
    for recording in RECORDINGS {
        let tree = Tree::recording(folder.join(format!("{recording}.json"))).unwrap();
        for (task, _) in TASKS {
            jobs.extend(peers.iter().map(|peer| (task, recording, *peer, tree.clone())));
        }
    }
    let (jobs, cells) = (Mutex::new(jobs), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let Some((task, recording, peer, tree)) = jobs.lock().unwrap().pop() else {
                        return;
                    };
                    let outcome = work(peer, task, &tree);
                    cells.lock().unwrap().push(Cell { task, recording, peer, outcome });
                }
            });
        }
    });
    cells.into_inner().unwrap()
}

/// The cells of a row of the page, in the order of the clients.
fn row<'a>(page: &'a str, title: &str, recording: &str) -> Vec<&'a str> {
    let (_, section) = page.split_once(&format!("## {title}")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let line = section.lines().find(|line| line.starts_with(&format!("| {recording} |")));
    line.unwrap().trim_matches('|').split('|').skip(1).map(str::trim).collect()
}

fn written(cells: &[Cell]) -> String {
    let mut text = HEAD.to_owned();
    for (task, title) in TASKS {
        let names: Vec<&str> = Peer::ALL.iter().map(|(_, name)| *name).collect();
        let _ = write!(text, "\n## {title}\n\n| recording | {} |\n", names.join(" | "));
        let _ = writeln!(text, "| --- {}|", "| --- ".repeat(names.len()));
        for recording in RECORDINGS {
            let cell =
                |peer: &Peer| cells.iter().find(|cell| cell.is(task, recording, *peer)).unwrap();
            let row: Vec<String> = Peer::ALL.iter().map(|(peer, _)| cell(peer).text()).collect();
            let _ = writeln!(text, "| {recording} | {} |", row.join(" | "));
        }
    }
    text
}

const HEAD: &str = "\
# Clients on recorded BMCs

Each client works on a fresh simulator for each recording, with the write rules that the make is known
for. *yes*: the machine ended in the state wanted; the figure counts HTTP requests, logins included.
The clients are called as their documentation says, without options for one make; sushy is told the
path of the system, and the others its id where a BMC has several. A *no* is about the rules as they
are known from reports: no real firmware was asked.

`cargo xtask peers` writes this page. A test compares the columns of the clients that are installed.
";
