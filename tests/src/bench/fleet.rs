//! Many simulated BMCs, a site that has them, and a run of a program that is watched.

use crate::error::{Doing, Error};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PORT: u16 = 8443;

/// A process that serves BMCs on addresses of its own, in the loopback network.
#[derive(Debug)]
pub(super) struct Fleet {
    child: Child,
    first: Ipv4Addr,
    count: u32,
}

impl Fleet {
    /// Started, and ready.
    pub(super) fn start(count: u32, more: &[&str]) -> Result<Self, Error> {
        let program = std::env::var("BMC_SIM_BIN").unwrap_or_else(|_| "bmc-sim".to_owned());
        // Two runs side by side do not meet, nor do two fleets of one run: the older one has ended.
        let second = 64 + u8::try_from(std::process::id() % 128).unwrap_or_default();
        let first = Ipv4Addr::new(127, second, 0, 1);
        let mut command = Command::new(&program);
        command.args(["--listen", &format!("{first}:{PORT}"), "--spread", "addresses"]);
        command.args(["--count", &count.to_string()]).args(more);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().doing(|| format!("starting {program}"))?;
        let lines = child.stdout.take().map(|out| BufReader::new(out).lines());
        let is_ready =
            lines.into_iter().flatten().any(|line| line.is_ok_and(|line| line == "ready"));
        let fleet = Self { child, first, count };
        if is_ready { Ok(fleet) } else { Err(Error::Refused(format!("{program} is not ready"))) }
    }

    /// Where the first listens.
    pub(super) fn first(&self) -> String {
        format!("{}:{PORT}", self.first)
    }

    /// Where all listen.
    pub(super) fn addresses(&self) -> impl Iterator<Item = String> {
        self.ips().map(|ip| format!("{ip}:{PORT}"))
    }

    fn ips(&self) -> impl Iterator<Item = Ipv4Addr> + use<> {
        let first = self.first.to_bits();
        (first..first + self.count).map(Ipv4Addr::from)
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        // It ends with its standard input; the kill is for one that hangs.
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A site that has nothing but nodes and their BMCs.
#[derive(Debug)]
pub(super) struct Site {
    folder: tempfile::TempDir,
}

impl Site {
    pub(super) fn write(fleet: &Fleet) -> Result<Self, Error> {
        let folder = tempfile::tempdir().doing(|| "making a directory".to_owned())?;
        let site = Self { folder };
        site.file("site.yaml", SITE)?;
        let mut inventory = INVENTORY.to_owned();
        for (number, ip) in (1..).zip(fleet.ips()) {
            let _ = write!(inventory, "    - nodes: n{number:04}\n      bmcAddress: {ip}\n");
        }
        site.file("inventory.yaml", &inventory)?;
        let password = site.file("password", "password\n")?;
        let own = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(&password, own).doing(|| "protecting a password".to_owned())?;
        Ok(site)
    }

    /// Writes a file beside the configuration.
    pub(super) fn file(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).doing(|| format!("writing {}", path.display()))?;
        Ok(path)
    }

    pub(super) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }
}

const SITE: &str = "\
apiVersion: clusterctl/v1alpha1
kind: Site
metadata: {name: bench}
spec:
  naming:
    rules:
      - fqdn: \"{name}.hpc.example.org\"
  credentials:
    bmc:
      username: admin
      password: {file: password}
  bmc:
    credential: bmc
    order: [redfish]
    redfish: {maxConcurrent: 256, port: 8443, timeout: 5s, pinStore: pins}
  fanout: {max: 256}
---
apiVersion: clusterctl/v1alpha1
kind: Cluster
metadata: {name: bench}
spec: {site: bench, inventories: [bench]}
---
apiVersion: clusterctl/v1alpha1
kind: Config
currentContext: bench
contexts:
  - {name: bench, cluster: bench}
";

const INVENTORY: &str = "\
apiVersion: clusterctl/v1alpha1
kind: NodeInventory
metadata: {name: bench}
spec:
  nodes:
";

/// What was seen of a program while it ran.
#[derive(Debug)]
pub(super) struct RunOf {
    /// From start to end.
    pub(super) wall: Duration,
    /// When each line was printed.
    pub(super) lines: Vec<Duration>,
    /// The most memory it had resident, in MB.
    pub(super) memory: u64,
}

impl RunOf {
    /// Runs a program to its end, whatever it says in the end.
    pub(super) fn run(command: &mut Command) -> Result<Self, Error> {
        let what = format!("{command:?}");
        let started = Instant::now();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().doing(|| format!("running {what}"))?;
        let status = PathBuf::from(format!("/proc/{}/status", child.id()));
        let out = child.stdout.take();
        let (mut lines, mut memory) = (Vec::new(), 0);
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let read = out.into_iter().flat_map(|out| BufReader::new(out).lines());
                read.map(|_| started.elapsed()).collect::<Vec<_>>()
            });
            // The high-water mark only grows: the last one seen is short of the end by a moment.
            while let Ok(None) = child.try_wait() {
                memory = high_water(&status).max(memory);
                std::thread::sleep(Duration::from_millis(5));
            }
            lines = reader.join().unwrap_or_default();
        });
        Ok(Self { wall: started.elapsed(), lines, memory })
    }
}

/// `VmHWM` of a process, in MB.
fn high_water(status: &Path) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
