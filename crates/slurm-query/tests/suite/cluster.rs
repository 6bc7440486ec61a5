//! A Slurm of its own: one controller and a daemon per node, in a network and process namespace
//! that ends with the test.

use std::fmt::Write as _;
use std::fs;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use slurm_query::{Frame, NodeNames, Query};
use tempfile::TempDir;

/// Nodes `n1` to `n16` are in the default partition, `h1` to `h3` in a hidden one.
const NODES: usize = 16;
const HIDDEN: usize = 3;

pub(crate) struct Cluster {
    directory: TempDir,
    namespaces: Child,
    /// The namespaces end when this closes, with the test process at the latest.
    _stdin: ChildStdin,
}

/// The cluster of this test run; `None`, with a message, where there can be none.
pub(crate) fn cluster() -> Option<&'static Cluster> {
    static CLUSTER: OnceLock<Option<Cluster>> = OnceLock::new();
    let cluster = CLUSTER.get_or_init(|| match missing() {
        None => Some(Cluster::start()),
        Some(reason) => {
            let required = std::env::var_os("CI").is_some_and(|value| value == "true");
            assert!(!required, "{reason}");
            println!("skipped: {reason}");
            None
        }
    });
    cluster.as_ref()
}

fn missing() -> Option<String> {
    for program in ["slurmctld", "slurmd", "sinfo", "sbatch", "unshare", "nsenter", "ip"] {
        let found =
            std::env::var("PATH").unwrap_or_default().split(':').chain(["/usr/sbin", "/sbin"]).any(
                |directory| fs::exists(format!("{directory}/{program}")).is_ok_and(|there| there),
            );
        if !found {
            return Some(format!("{program} is not installed, so there is no real Slurm to ask"));
        }
    }
    let allowed = Command::new("unshare")
        .args(["--net", "--pid", "--fork", "--mount-proc", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    (!allowed).then(|| "namespaces cannot be made here, so no real Slurm is asked".to_owned())
}

impl Cluster {
    fn start() -> Cluster {
        let directory = tempfile::Builder::new().prefix("slurm-query").tempdir().unwrap();
        let path = directory.path().to_str().unwrap();
        fs::write(directory.path().join("slurm.conf"), configuration(path)).unwrap();
        let mut daemons = String::new();
        for node in node_names() {
            let _ = writeln!(daemons, "slurmd -D -N {node} -f {path}/slurm.conf &");
        }
        // The address on the veth pair is there because the resolver wants a network that is up.
        let script = format!(
            "set -e; PATH=$PATH:/usr/sbin:/sbin
             ip link set lo up; ip link add v0 type veth peer name v1
             ip addr add 192.0.2.1/24 dev v0; ip link set v0 up; ip link set v1 up
             exec 3<&0 </dev/null >{path}/log 2>&1; export SLURM_CONF={path}/slurm.conf
             slurmctld -D -f {path}/slurm.conf &
             until scontrol ping | grep -q UP; do sleep 0.05; done
             {daemons}
             cat <&3; kill -9 -1; rm -rf {path}"
        );
        let mut namespaces = Command::new("unshare")
            .args(["--net", "--pid", "--fork", "--kill-child", "--mount-proc"])
            .args(["timeout", "300", "sh", "-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdin = namespaces.stdin.take().unwrap();
        let cluster = Cluster { directory, namespaces, _stdin: stdin };
        cluster.wait_for("every node to be idle", |cluster| {
            let output = cluster.run(&["sinfo", "-a", "-h", "-N", "-o", "%t"]);
            let states = String::from_utf8(output.stdout).unwrap();
            states.lines().count() >= NODES + HIDDEN && states.lines().all(|state| state == "idle")
        });
        cluster
    }

    /// Runs a client in the cluster's network.
    pub(crate) fn run<S: AsRef<str>>(&self, argv: &[S]) -> Output {
        self.run_with(&[], argv)
    }

    pub(crate) fn run_with<S: AsRef<str>>(&self, env: &[(&str, &str)], argv: &[S]) -> Output {
        Command::new("nsenter")
            .arg(format!("--net=/proc/{}/ns/net", self.namespaces.id()))
            .args(argv.iter().map(AsRef::as_ref))
            .env("SLURM_CONF", self.directory.path().join("slurm.conf"))
            .envs(env.iter().copied())
            .current_dir("/")
            .output()
            .unwrap()
    }

    pub(crate) fn ask<Q: Query>(&self, query: &Q) -> Q::Answer {
        let output = self.run(&query.argv());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        query.parse(&output.stdout).unwrap()
    }

    /// Starts a job on a node, with a name of its owner's choice, and waits until it runs.
    pub(crate) fn job(&self, node: &str, name: &str, options: &[&str]) -> String {
        let mut argv =
            vec!["sbatch", "--parsable", "-o", "/dev/null", "-w", node, "-n1", "-J", name];
        argv.extend(options);
        argv.extend(["--wrap", "sleep 600"]);
        let output = self.run(&argv);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let id = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        self.wait_for("the job to run", |cluster| {
            cluster.run(&["squeue", "-a", "-h", "-j", &id, "-o", "%T"]).stdout == b"RUNNING\n"
        });
        id
    }

    pub(crate) fn succeed<S: AsRef<str>>(&self, argv: &[S]) {
        let output = self.run(argv);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    pub(crate) fn wait_for(&self, what: &str, condition: impl Fn(&Cluster) -> bool) {
        let deadline = Instant::now() + Duration::from_mins(1);
        while !condition(self) {
            if Instant::now() >= deadline {
                let log = fs::read_to_string(self.directory.path().join("log"));
                panic!("gave up waiting for {what}:\n{}", log.unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

pub(crate) fn frame() -> Frame {
    Frame::random()
}

pub(crate) fn names(names: &[&str]) -> NodeNames {
    NodeNames::new(names.iter().copied()).unwrap()
}

fn node_names() -> impl Iterator<Item = String> {
    let visible = (1..=NODES).map(|number| format!("n{number}"));
    visible.chain((1..=HIDDEN).map(|number| format!("h{number}")))
}

fn configuration(path: &str) -> String {
    let host = Command::new("hostname").arg("-s").output().unwrap();
    let host = String::from_utf8(host.stdout).unwrap();
    let host = host.trim();
    let mut text = format!(
        "ClusterName=judge
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation={path}
SlurmdSpoolDir={path}/spool.%n
SlurmctldPidFile={path}/slurmctld.pid
SlurmdPidFile={path}/%n.pid
SlurmctldLogFile={path}/slurmctld.log
SlurmdLogFile={path}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
MpiDefault=none
ReturnToService=1
SlurmdParameters=config_overrides
"
    );
    for (number, node) in node_names().enumerate() {
        let _ = writeln!(
            text,
            "NodeName={node} NodeHostname={host} NodeAddr=127.0.1.{number} Port={} CPUs=4 \
             RealMemory=100 State=UNKNOWN",
            16900 + number
        );
    }
    let _ = writeln!(
        text,
        "NodeSet=evens Nodes=n2,n4
PartitionName=main Nodes=n[1-{NODES}] Default=YES State=UP
PartitionName=second Nodes=n1 State=UP
PartitionName=hidden Nodes=h[1-{HIDDEN}] Hidden=YES State=UP"
    );
    text
}
