//! What can be read of a running lab.

use crate::plan::Plan;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Which part of its start a host is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// No power.
    Off,
    /// The firmware asks DHCP and the PXE service.
    Firmware,
    /// A new system is written to the disk.
    Installing,
    /// The installed system starts.
    Starting,
    /// The system and its ssh server run.
    Up,
    /// Power is on, but nothing could be booted.
    Stuck,
}

/// A host as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostState {
    /// Short name.
    pub name: String,
    /// Which part of its start it is in.
    pub stage: Stage,
    /// Process id of its first process, as the machine sees it.
    pub pid: Option<u32>,
    /// Its public ssh key (algorithm and base64), if it has one.
    pub host_key: Option<String>,
    /// Whether its link is down.
    pub cut: bool,
    /// Why it is stuck.
    pub failure: Option<String>,
}

/// A machine with a service processor as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeState {
    /// What it shares with other hosts.
    #[serde(flatten)]
    pub host: HostState,
    /// Whether it has power.
    pub power: bool,
    /// Number of the installation on its disk; 0 is an empty disk, 1 the one it came with.
    pub generation: u32,
    /// Every power-on so far, oldest first.
    pub boots: Vec<BootRecord>,
}

/// One power-on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BootRecord {
    /// Whether the firmware was to ask the network first.
    pub network: bool,
    /// What came of the request to the PXE service, if there was one: the script or the failure.
    pub fetched: Option<Result<String, String>>,
    /// What was booted.
    pub outcome: BootOutcome,
    /// Since the lab started.
    pub at: Duration,
}

/// What a power-on led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BootOutcome {
    /// Not known yet, or the power went before it was.
    Unfinished,
    /// The system on the disk.
    Disk,
    /// A new system was written and started.
    Installed,
    /// Nothing.
    Nothing,
}

/// A link of the PXE service.
pub type LinkState = BTreeMap<String, String>;

/// Everything a run of `clusterctl` may change, for a comparison before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Link path relative to the service's root, to its raw target.
    pub links: LinkState,
    /// What each machine is, by name.
    pub machines: BTreeMap<String, Value>,
    /// The site's host key file, line by line.
    pub known_hosts: Vec<String>,
}

/// What the lab is and where its parts are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// Name of this lab, unique on the machine.
    pub id: String,
    /// Names and addresses.
    pub plan: Plan,
    /// Process id of every running host's first process, as the machine sees it.
    pub pids: BTreeMap<String, u32>,
}

/// Directories of a lab on the machine's own file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directories {
    /// Holds all others; its name is the lab's.
    pub run: PathBuf,
}

impl Directories {
    /// The workstation's home directory, `$HOME` of every command there.
    pub fn home(&self) -> PathBuf {
        self.run.join("home")
    }

    /// The workstation's `/etc/clusterctl`.
    pub fn config(&self) -> PathBuf {
        self.run.join("config")
    }

    /// The control socket.
    pub fn control(&self) -> PathBuf {
        self.run.join("control")
    }

    /// What the lab's processes had to complain about.
    pub fn log(&self) -> PathBuf {
        self.run.join("log")
    }

    /// Mount point of the lab's own file system, empty when seen from outside.
    pub(crate) fn site(&self) -> PathBuf {
        self.run.join("site")
    }

    /// Locked for as long as the owner of the lab lives.
    pub(crate) fn lock(&self) -> PathBuf {
        self.run.join("lock")
    }
}
