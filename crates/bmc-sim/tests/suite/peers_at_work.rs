//! Redfish clients at work on a recorded BMC: each switches a machine, and boots it once from the
//! network, as its own documentation says.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bmc_sim::{Action, Bmc, BootSource, MemoryMachine, Power, Tree};

use crate::client::Bench;
use crate::python::python;

pub(crate) const USER: &str = "root";
pub(crate) const PASSWORD: &str = "calvin-12";

/// No client takes longer; one that does is stopped and has not done it.
const PATIENCE: Duration = Duration::from_mins(2);

/// A Redfish client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    Ours,
    Sushy,
    Utilities,
    Redfishtool,
    Badfish,
}

impl Peer {
    pub(crate) const ALL: [(Peer, &'static str); 5] = [
        (Peer::Ours, "clusterctl-redfish"),
        (Peer::Sushy, "sushy 5.14.0"),
        (Peer::Utilities, "redfish_utilities 3.5.2"),
        (Peer::Redfishtool, "redfishtool 1.1.8"),
        (Peer::Badfish, "badfish 1.8.2"),
    ];

    /// Whether it is installed.
    pub(crate) fn is_here(self) -> bool {
        let module = match self {
            Self::Ours => return true,
            Self::Sushy => "sushy",
            Self::Utilities => "redfish_utilities",
            Self::Redfishtool => "redfishtoollib",
            Self::Badfish => "badfish",
        };
        python(module).is_some()
    }
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Off what is on, on what is off.
    Switch,
    /// Once from the network, now.
    BootOnce,
}

/// What became of it: whether the machine is in the state wanted, and the requests it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) done: bool,
    pub(crate) requests: usize,
}

/// One system of a BMC that is served, and what is known of it beforehand.
struct Job {
    bench: Bench,
    machine: Arc<MemoryMachine>,
    id: String,
    /// Another system is there too.
    among_others: bool,
    was: Power,
}

/// A client does a task on a fresh BMC with this tree.
pub(crate) fn work(peer: Peer, task: Task, tree: &Tree) -> Outcome {
    let job = Job::new(tree);
    match peer {
        Peer::Ours => ours(&job, task),
        Peer::Sushy => run(&job, "sushy", &[vec!["-c".to_owned(), SUSHY.to_owned()]], task),
        Peer::Utilities => run(&job, "redfish_utilities", &utilities(&job, task), task),
        Peer::Redfishtool => run(&job, "redfishtoollib", &redfishtool(&job, task), task),
        Peer::Badfish => run(&job, "badfish", &badfish(&job, task), task),
    }
    Outcome { done: job.is_done(task), requests: job.bench.bmc.requests().len() }
}

impl Job {
    fn new(tree: &Tree) -> Self {
        let builder = || Bmc::builder().credentials(USER, PASSWORD).tree(tree.clone());
        // What it shows decides the machine's first state.
        let shown = builder().build().unwrap();
        let was = shown.power().unwrap();
        let state = shown.state();
        let system = state.systems.iter().find(|system| system.power.is_some()).unwrap();
        let machine = Arc::new(MemoryMachine::new(was));
        Self {
            bench: Bench::of(builder().machine(Arc::clone(&machine) as _)),
            machine,
            id: system.path.rsplit('/').next().unwrap().to_owned(),
            among_others: state.systems.len() > 1,
            was,
        }
    }

    fn address(&self) -> String {
        self.bench.running.address().to_string()
    }

    fn url(&self) -> String {
        format!("https://{}", self.address())
    }

    /// The reset that makes the machine boot.
    fn boot(&self) -> &'static str {
        if self.was == Power::Off { "On" } else { "ForceRestart" }
    }

    fn switch(&self) -> &'static str {
        if self.was == Power::Off { "On" } else { "ForceOff" }
    }

    fn is_done(&self, task: Task) -> bool {
        let actions = self.machine.actions();
        match task {
            Task::Switch => self.bench.bmc.power() != Some(self.was),
            Task::BootOnce => {
                let boots: Vec<&BootSource> = actions.iter().filter_map(Action::boot).collect();
                let held = self.bench.bmc.boot_override();
                let is_spent = held.is_some_and(|held| held.enabled.as_str() == "Disabled");
                // Once, from the network, and no later boot is one.
                boots.len() == 1 && boots[0].is_pxe() && is_spent
            }
        }
    }
}

fn ours(job: &Job, task: Task) {
    use redfish::https::{Client, Trust};
    use redfish::{Account, BootRequest, Password, PowerAction, Profile};

    let account = Account::new(USER, Password::new(PASSWORD.to_owned())).unwrap();
    let client = Client::new(Trust::Insecure).unwrap();
    let mut bmc = redfish::Bmc::new(job.address().parse().unwrap(), account, client);
    // A GPU baseboard is told apart by itself; two nodes of a blade are not.
    if job.id.starts_with("Node") {
        let system = Some(job.id.clone());
        bmc = bmc.with_profile(Profile { system, ..Profile::default() });
    }
    match task {
        Task::Switch if job.was == Power::Off => drop(bmc.power(PowerAction::On)),
        Task::Switch => drop(bmc.power(PowerAction::Off)),
        Task::BootOnce => {
            let written = bmc.set_boot_override(&BootRequest::once(redfish::BootSource::PXE));
            if written.is_ok_and(|written| written.read_back.is_set()) {
                let _ = bmc.power(PowerAction::ResetOrOn);
            }
        }
    }
}

const SUSHY: &str = "
import sys, sushy, urllib3
urllib3.disable_warnings()
url, user, password, system, task, reset = sys.argv[1:]
auth = sushy.auth.BasicAuth(user, password)
root = sushy.Sushy(url, verify=False, auth=auth, server_side_retries=0)
system = root.get_system('/redfish/v1/Systems/' + system)
if task == 'boot':
    system.set_system_boot_options(target=sushy.BOOT_SOURCE_TARGET_PXE, enabled=sushy.BOOT_SOURCE_ENABLED_ONCE)
system.reset_system(sushy.ResetType(reset))
";

fn utilities(job: &Job, task: Task) -> Vec<Vec<String>> {
    let mut calls = match task {
        Task::Switch => vec![tool("rf_power_reset.py", &["-t", job.switch()])],
        Task::BootOnce => vec![
            tool("rf_boot_override.py", &["-t", "Pxe"]),
            tool("rf_power_reset.py", &["-t", job.boot()]),
        ],
    };
    for call in &mut calls {
        call.extend(["-r".to_owned(), job.url()]);
        call.extend(["-u", USER, "-p", PASSWORD].map(str::to_owned));
        if job.among_others {
            call.extend(["-s".to_owned(), job.id.clone()]);
        }
    }
    calls
}

fn redfishtool(job: &Job, task: Task) -> Vec<Vec<String>> {
    let words: &[&[&str]] = match task {
        Task::Switch => &[&["reset", job.switch()]],
        Task::BootOnce => &[&["setBootOverride", "Once", "Pxe"], &["reset", job.boot()]],
    };
    let address = job.address();
    let common = ["-r", &address, "-u", USER, "-p", PASSWORD, "-S", "Always", "-A", "Basic"];
    let call = |words: &&[&str]| {
        tool("redfishtool", &[&common[..], &["Systems", "-I", &job.id], words].concat())
    };
    words.iter().map(call).collect()
}

fn badfish(job: &Job, task: Task) -> Vec<Vec<String>> {
    let words: &[&str] = match (task, job.was) {
        (Task::Switch, Power::Off) => &["--power-on"],
        (Task::Switch, _) => &["--power-off"],
        (Task::BootOnce, Power::Off) => &["--pxe", "--power-on"],
        (Task::BootOnce, _) => &["--pxe", "--reboot-only"],
    };
    let address = job.address();
    let common = ["-H", &address, "-u", USER, "-p", PASSWORD, "--insecure", "-r", "3"];
    words.iter().map(|word| tool("badfish", &[&common[..], &[word]].concat())).collect()
}

/// A program beside the Python.
fn tool(name: &str, words: &[&str]) -> Vec<String> {
    let beside = "import os, sys; os.execv(os.path.join(os.path.dirname(sys.executable), sys.argv[1]), sys.argv[1:])";
    let head = ["-c", beside, name];
    head.into_iter().chain(words.iter().copied()).map(str::to_owned).collect()
}

/// Runs calls one after another, as long as they succeed.
fn run(job: &Job, module: &str, calls: &[Vec<String>], task: Task) {
    for call in calls {
        let mut command = python(module).unwrap();
        command.args(call);
        if module == "sushy" {
            let (task, reset) = match task {
                Task::Switch => ("switch", job.switch()),
                Task::BootOnce => ("boot", job.boot()),
            };
            command.args([&job.url(), USER, PASSWORD, &job.id, task, reset]);
        }
        if !succeeds(&mut command) {
            return;
        }
    }
}

fn succeeds(command: &mut Command) -> bool {
    let folder = tempfile::tempdir().unwrap();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.current_dir(folder.path()).spawn().unwrap();
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success();
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
