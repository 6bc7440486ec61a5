//! The handle of a running lab.

use super::bmc::BmcHandle;
use super::ipmi::IpmiHandle;
use super::request::{ask, tell};
use super::slurm::Slurm;
use super::start::{self, Started};
use super::sweep::end_processes;
use super::workstation::{Workstation, on_host};
use crate::error::Error;
use crate::options::Options;
use crate::plan::Plan;
use crate::wire::{
    Directories, HostState, LinkState, NodeState, Overview, Request, Snapshot, Stage,
};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command};
use std::time::{Duration, Instant};

/// A running lab. The one that [`Lab::start`] gave tears it down when dropped; the lab also ends
/// when the process that started it ends, however it does.
#[derive(Debug)]
pub struct Lab {
    directories: Directories,
    workstation: Workstation,
    plan: Plan,
    owner: Option<Owner>,
}

/// What only the starter has.
#[derive(Debug)]
struct Owner {
    child: Child,
    lifeline: Option<ChildStdin>,
    _lock: std::fs::File,
}

impl Lab {
    /// Starts a lab and waits until every host in it runs.
    pub fn start(options: &Options) -> Result<Lab, Error> {
        let Started { directories, child, lifeline, lock } = start::start(options)?;
        let owner = Owner { child, lifeline: Some(lifeline), _lock: lock };
        let lab = Lab::with(directories, Some(owner))?;
        if options.slurm {
            lab.slurm().wait_until_idle()?;
        }
        Ok(lab)
    }

    /// A handle of a lab that another process started, by its directory.
    pub fn join(run: &Path) -> Result<Lab, Error> {
        Lab::with(Directories { run: run.to_owned() }, None)
    }

    fn with(directories: Directories, owner: Option<Owner>) -> Result<Lab, Error> {
        let overview: Overview = ask(&directories.control(), &Request::Overview)?;
        let pid = overview.pids.get("workstation").copied();
        let pid = pid.ok_or_else(|| Error::Refused("the workstation does not run".to_owned()))?;
        let workstation = Workstation { pid, directories: directories.clone() };
        Ok(Lab { directories, workstation, plan: overview.plan, owner })
    }

    /// The lab's name, unique on the machine.
    pub fn id(&self) -> String {
        self.directories.run.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Names and addresses.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Where the workstation's files are, under the same path on it and on the machine.
    pub fn directories(&self) -> &Directories {
        &self.directories
    }

    /// The site's host key file.
    pub fn known_hosts(&self) -> PathBuf {
        self.directories.config().join("ssh_known_hosts")
    }

    /// The process id of the lab's `unshare`, whose end is the lab's; `None` for a joined lab.
    pub fn supervisor(&self) -> Option<u32> {
        self.owner.as_ref().map(|owner| owner.child.id())
    }

    /// Where `clusterctl` is run.
    pub fn workstation(&self) -> &Workstation {
        &self.workstation
    }

    /// A command on another host, as root and past ssh. It sees the host's files and network, not
    /// its process namespace.
    pub fn command_on(&self, host: &str, program: impl AsRef<OsStr>) -> Result<Command, Error> {
        let pid = self.host(host)?.pid;
        let pid = pid.ok_or_else(|| Error::Refused(format!("{host} does not run")))?;
        Ok(on_host(pid, self.directories.run.file_name().unwrap_or_default(), program))
    }

    /// A path of a running host, as this process reaches it.
    pub fn path_on(&self, host: &str, path: &str) -> Result<PathBuf, Error> {
        let pid = self.host(host)?.pid;
        let pid = pid.ok_or_else(|| Error::Refused(format!("{host} does not run")))?;
        let root = Path::new("/proc").join(pid.to_string()).join("root");
        Ok(root.join(path.trim_start_matches('/')))
    }

    /// A host as it is now.
    pub fn host(&self, name: &str) -> Result<HostState, Error> {
        self.ask(&Request::Host(name.to_owned()))
    }

    /// A machine as it is now.
    pub fn node(&self, name: &str) -> Result<NodeState, Error> {
        self.ask(&Request::Node(name.to_owned()))
    }

    /// Waits until a machine is as wanted.
    pub fn wait_for_node(
        &self,
        name: &str,
        patience: Duration,
        wanted: impl Fn(&NodeState) -> bool,
    ) -> Result<NodeState, Error> {
        let start = Instant::now();
        loop {
            let state = self.node(name)?;
            if wanted(&state) {
                return Ok(state);
            }
            if start.elapsed() > patience {
                return Err(Error::Timeout {
                    waiting: format!("the awaited state of {name}, which is {state:?}"),
                    seconds: patience.as_secs(),
                });
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until a machine's system runs after this many power-ons in all.
    pub fn wait_until_up(&self, name: &str, boots: usize) -> Result<NodeState, Error> {
        self.wait_for_node(name, Duration::from_secs(30), |node| {
            node.host.stage == Stage::Up && node.boots.len() >= boots
        })
    }

    /// Switches a machine's power at the plug, past its service processor.
    pub fn power(&self, node: &str, on: bool) -> Result<(), Error> {
        self.tell(&Request::Power { node: node.to_owned(), on })
    }

    /// Takes a host's link down or up.
    pub fn link(&self, host: &str, up: bool) -> Result<(), Error> {
        self.tell(&Request::Link { host: host.to_owned(), up })
    }

    /// Kills a role host, or starts it again with the disk it had.
    pub fn running(&self, host: &str, on: bool) -> Result<(), Error> {
        self.tell(&Request::Running { host: host.to_owned(), on })
    }

    /// Starts or ends one service of a host.
    pub fn service(&self, host: &str, service: &str, on: bool) -> Result<(), Error> {
        self.tell(&Request::Service { host: host.to_owned(), service: service.to_owned(), on })
    }

    /// Fills the file system of the PXE service's links, or gives the room back.
    pub fn disk_full(&self, full: bool) -> Result<(), Error> {
        self.tell(&Request::DiskFull(full))
    }

    /// Makes a path of a host read-only, or writable again.
    pub fn read_only(&self, host: &str, path: &Path, on: bool) -> Result<(), Error> {
        self.tell(&Request::ReadOnly { host: host.to_owned(), path: path.to_owned(), on })
    }

    /// The links of the PXE service with their raw targets.
    pub fn links(&self) -> Result<LinkState, Error> {
        self.ask(&Request::Links)
    }

    /// Everything a run of `clusterctl` may change.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        self.ask(&Request::Snapshot)
    }

    /// A machine's service processor.
    pub fn bmc(&self, node: &str) -> BmcHandle<'_> {
        BmcHandle { lab: self, node: node.to_owned() }
    }

    /// A machine's IPMI, in a lab that has it.
    pub fn ipmi(&self, node: &str) -> IpmiHandle<'_> {
        IpmiHandle { lab: self, node: node.to_owned() }
    }

    /// Slurm, as root on its controller.
    pub fn slurm(&self) -> Slurm<'_> {
        Slurm { lab: self }
    }

    pub(super) fn ask<T: serde::de::DeserializeOwned>(
        &self,
        request: &Request,
    ) -> Result<T, Error> {
        ask(&self.directories.control(), request)
    }

    pub(super) fn tell(&self, request: &Request) -> Result<(), Error> {
        tell(&self.directories.control(), request)
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let Some(owner) = &mut self.owner else { return };
        drop(owner.lifeline.take());
        // `unshare` ends when the supervisor does, and that only when nothing else of the lab runs.
        let _ = owner.child.wait();
        end_processes(&self.id());
        start::remove_directory(&self.directories);
    }
}

impl Lab {
    /// The name of the lab in a directory of labs.
    pub(crate) fn find(id: Option<&str>) -> Result<PathBuf, Error> {
        let mut running = super::running()?;
        if let Some(id) = id {
            running.retain(|run| run.file_name() == Some(OsStr::new(id)));
        }
        match running.as_slice() {
            [run] => Ok(run.clone()),
            [] => Err(Error::Refused("no such lab runs".to_owned())),
            _ => Err(Error::Refused("several labs run; name one with --lab".to_owned())),
        }
    }
}
