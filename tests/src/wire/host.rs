//! Between the supervisor and the first process of a host.

use super::Stage;
use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;

/// Everything a host's first process needs; the first line on its standard input.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct HostSpec {
    /// Host name.
    pub name: String,
    /// Directory of this host in the lab's own file system.
    pub directory: PathBuf,
    /// Read-only layers under the host's disk, uppermost first; none: the machine's own root with
    /// a private `/etc` and `/root`.
    pub layers: Vec<PathBuf>,
    /// How it gets its address.
    pub address: Address,
    /// What it boots.
    pub boot: Boot,
    /// Directory on a small tmpfs of its own.
    pub link_space: Option<LinkSpace>,
    /// Bind mounts made in the host's root, as source in the machine and target in the host.
    pub binds: Vec<(PathBuf, PathBuf)>,
    /// Commands run once, in the host, before its services.
    pub setup: Vec<Vec<String>>,
    /// Services in the order of their start.
    pub services: Vec<Service>,
}

/// How a host gets its address.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Address {
    /// These, each with the interface it is on.
    Fixed(Vec<(String, Ipv4Addr)>),
    /// From the lab's dhcpd, with a real client on `eth0`.
    Dhcp,
}

/// What a host boots.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Boot {
    /// Where the firmware looks.
    pub order: Order,
    /// Number of the installation on the disk; 0 is an empty disk.
    pub generation: u32,
    /// How long an installation takes beyond what it needs.
    pub install_time: Duration,
}

/// Where the firmware looks first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Order {
    /// The disk only.
    Disk,
    /// The network, then the disk.
    Network,
}

/// A directory that can be full.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LinkSpace {
    /// Where it is mounted in the host.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// How many files it takes.
    pub inodes: u64,
}

/// A daemon that runs in the foreground.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Service {
    /// How requests call it.
    pub name: String,
    /// Program and arguments; `/proc/self/exe` is the lab itself.
    pub command: Vec<String>,
    /// A path that exists once the service is ready.
    pub ready_path: Option<PathBuf>,
    /// A TCP port that accepts once the service is ready.
    pub ready_port: Option<u16>,
}

/// What the supervisor tells a running host.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HostCommand {
    /// Start or end a service.
    Service {
        /// Its name.
        name: String,
        /// Whether it is to run.
        running: bool,
    },
    /// Leave no room in the link space, or give it back.
    DiskFull(bool),
    /// Make a path read-only by a bind mount over itself, or writable again.
    ReadOnly {
        /// The path in the host.
        path: PathBuf,
        /// Whether it is to be read-only.
        on: bool,
    },
}

/// What a host tells the supervisor.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// The first process runs, with this process id as the machine sees it.
    Started {
        /// Process id outside the lab.
        pid: u32,
    },
    /// The machine went on to the next part of its start.
    Stage(Stage),
    /// What the firmware got from the PXE service.
    Fetched {
        /// The script, or why there is none.
        script: Result<String, String>,
    },
    /// A new system is on the disk.
    Installed {
        /// Its number.
        generation: u32,
    },
    /// The services run.
    Up {
        /// The host's public ssh key, without a name.
        host_key: Option<String>,
    },
    /// Nothing could be started.
    Failed {
        /// Why.
        reason: String,
    },
    /// The last command was carried out, or not.
    Done(Result<(), String>),
}
