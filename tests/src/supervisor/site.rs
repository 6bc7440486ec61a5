//! The running site: every host by name, and what can be asked of it.

use super::bmc::Processor;
use super::clock::wait_for;
use super::ipmi::Ipmi;
use super::machine::Node;
use super::role::RoleHost;
use super::specs::Specs;
use super::{links, network};
use crate::error::Error;
use crate::plan::{Plan, Role};
use crate::wire::{
    Directories, HostCommand, HostState, LinkState, NodeState, Order, Overview, Snapshot, Stage,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A running site.
#[derive(Debug)]
pub(super) struct Site {
    id: String,
    plan: Plan,
    directories: Directories,
    roles: BTreeMap<String, RoleHost>,
    nodes: BTreeMap<String, Arc<Node>>,
    processors: BTreeMap<String, Processor>,
    /// Empty in a lab without IPMI.
    ipmi: BTreeMap<String, Ipmi>,
}

impl Site {
    /// All hosts, none started; the service processors answer.
    pub(super) fn new(plan: Plan, specs: &Arc<Specs>) -> Result<Site, Error> {
        let began = Instant::now();
        let directories = specs.directories.clone();
        let id = directories.run.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (mut roles, mut nodes) = (BTreeMap::new(), BTreeMap::new());
        let (mut processors, mut ipmi) = (BTreeMap::new(), BTreeMap::new());
        for host in &plan.hosts {
            if host.role == Role::Node {
                let node = Arc::new(Node::new(host, Arc::clone(specs), began));
                let processor = Processor::start(&node, specs.options.recording.as_deref())?;
                processors.insert(host.name.clone(), processor);
                if specs.options.ipmi {
                    ipmi.insert(host.name.clone(), Ipmi::start(&node, &directories)?);
                }
                nodes.insert(host.name.clone(), node);
            } else {
                roles.insert(host.name.clone(), RoleHost::new(host, specs.role(host)));
            }
        }
        Ok(Site { id, plan, directories, roles, nodes, processors, ipmi })
    }

    /// Starts every host; those that others need to boot first.
    pub(super) fn start(&self) -> Result<(), Error> {
        for role in self.roles.values() {
            role.start()?;
        }
        for node in self.nodes.values() {
            node.power_on(Order::Disk)?;
        }
        Ok(())
    }

    /// Waits until every host runs, and returns their host keys.
    pub(super) fn wait_until_up(&self) -> Result<BTreeMap<String, String>, Error> {
        for ipmi in self.ipmi.values() {
            ipmi.wait_until_ready()?;
        }
        let mut keys = BTreeMap::new();
        for name in self.plan.hosts.iter().map(|host| &host.name) {
            let state = wait_for(
                || format!("the start of {name}"),
                || match self.state(name)? {
                    state if state.stage == Stage::Up => Ok(Some(state)),
                    HostState { failure: Some(reason), .. } => {
                        Err(Error::Refused(format!("{name} does not start: {reason}")))
                    }
                    _ => Ok(None),
                },
            )?;
            if let Some(key) = state.host_key {
                keys.insert(name.clone(), key);
            }
        }
        Ok(keys)
    }

    /// The service processor of a machine.
    pub(super) fn processor(&self, name: &str) -> Result<&Processor, Error> {
        self.processors.get(name).ok_or_else(|| Error::Refused(format!("no machine {name}")))
    }

    /// The IPMI of a machine.
    pub(super) fn ipmi(&self, name: &str) -> Result<&Ipmi, Error> {
        self.ipmi.get(name).ok_or_else(|| Error::Refused(format!("no IPMI of {name}")))
    }

    /// Switches a machine at the plug.
    pub(super) fn power(&self, name: &str, on: bool) -> Result<(), Error> {
        let node = self.node(name)?;
        if !on {
            return node.power_off();
        }
        if node.state().power {
            return Ok(());
        }
        node.power_on(self.processor(name)?.boot())
    }

    pub(super) fn node(&self, name: &str) -> Result<&Arc<Node>, Error> {
        self.nodes.get(name).ok_or_else(|| Error::Refused(format!("no machine {name}")))
    }

    fn role(&self, name: &str) -> Result<&RoleHost, Error> {
        self.roles.get(name).ok_or_else(|| Error::Refused(format!("no role host {name}")))
    }

    /// A host as it is now.
    pub(super) fn state(&self, name: &str) -> Result<HostState, Error> {
        match self.nodes.get(name) {
            Some(node) => Ok(node.state().host),
            None => self.role(name).map(RoleHost::state),
        }
    }

    /// Has a host do something.
    pub(super) fn command(&self, host: &str, command: &HostCommand) -> Result<(), Error> {
        match self.nodes.get(host) {
            Some(node) => node.command(command),
            None => self.role(host)?.command(command),
        }
    }

    /// Takes a host's link down or up.
    pub(super) fn link(&self, host: &str, up: bool) -> Result<(), Error> {
        match self.nodes.get(host) {
            Some(node) => node.link(up),
            None => self.role(host)?.link(up),
        }
    }

    /// Takes a service processor off its network or puts it back.
    pub(super) fn bmc_reachable(&self, node: &str, on: bool) -> Result<(), Error> {
        network::bmc_reachable(self.node(node)?.host(), on)
    }

    /// Kills a role host or starts it again, and waits until that is so.
    pub(super) fn running(&self, host: &str, on: bool) -> Result<(), Error> {
        let role = self.role(host)?;
        if !on {
            return role.kill();
        }
        role.start()?;
        wait_for(
            || format!("the start of {host}"),
            || Ok((role.state().stage >= Stage::Up).then_some(())),
        )
    }

    /// The links of the PXE service.
    pub(super) fn links(&self) -> LinkState {
        self.inside("installer", "srv/pxesrv").map(|root| links::read(&root)).unwrap_or_default()
    }

    /// Who runs where.
    pub(super) fn overview(&self) -> Overview {
        let states = self.plan.hosts.iter().filter_map(|host| self.state(&host.name).ok());
        let pids = states.filter_map(|state| Some((state.name, state.pid?))).collect();
        Overview { id: self.id.clone(), plan: self.plan.clone(), pids }
    }

    /// Everything a run of `clusterctl` may change.
    pub(super) fn snapshot(&self) -> Snapshot {
        let machines = self.nodes.iter().map(|(name, node)| {
            let NodeState { host, power, generation, boots } = node.state();
            let value = json!({
                "power": power,
                "generation": generation,
                "boots": boots.len(),
                "host_key": host.host_key,
                "boot_override": self.processors.get(name).map(|processor| {
                    processor.bmc().boot_override()
                }),
            });
            (name.clone(), value)
        });
        let known_hosts = self.directories.config().join("ssh_known_hosts");
        let known_hosts = std::fs::read_to_string(known_hosts).unwrap_or_default();
        Snapshot {
            links: self.links(),
            machines: machines.collect(),
            known_hosts: known_hosts.lines().map(str::to_owned).collect(),
        }
    }

    /// A path of a running host, as the supervisor reaches it.
    fn inside(&self, host: &str, path: &str) -> Option<PathBuf> {
        let pid = self.state(host).ok()?.pid?;
        Some(Path::new("/proc").join(pid.to_string()).join("root").join(path))
    }
}
