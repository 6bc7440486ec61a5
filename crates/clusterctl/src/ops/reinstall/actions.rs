//! What the steps do for real: links and host keys over ssh and on disk, the rest over Redfish.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use pxe_links::{Changes, Link, Outcome as LinkOutcome, Place, Reading};
use redfish::{Bmc, BootClear, BootRequest, BootSource, Delivery, PowerAction, ReadBack};

use crate::bmc::{Connections, Line, cause_of};
use crate::cause::Cause;
use crate::exit::{Classify as _, ExitClass};
use crate::gate::Permit;
use crate::hostkeys::{HostKeyError, HostKeyFile, Removed};
use crate::ops::bmc::fan_out;
use crate::ops::boot::PxeHost;
use crate::ops::reinstall::facts::Facts;
use crate::ops::reinstall::outcome::{Actions, Clear, Machine, Once, Remove, Reset, Write};
use crate::session::Session;
use crate::site::Node;

/// The world.
pub(crate) struct RealActions<'a> {
    session: &'a Session,
    connections: &'a Connections<'a>,
    pxe: &'a PxeHost<'a>,
    facts: &'a Facts,
    permit: &'a Permit,
    /// The client of each machine, kept between its override and its reset: what the first learns
    /// saves the second requests.
    clients: Mutex<HashMap<String, std::sync::Arc<Bmc<Line>>>>,
    removed: Mutex<Option<Removed>>,
}

impl<'a> RealActions<'a> {
    pub(crate) fn new(
        session: &'a Session,
        connections: &'a Connections<'a>,
        pxe: &'a PxeHost<'a>,
        facts: &'a Facts,
        permit: &'a Permit,
    ) -> RealActions<'a> {
        let (clients, removed) = (Mutex::default(), Mutex::new(None));
        RealActions { session, connections, pxe, facts, permit, clients, removed }
    }

    fn index(&self, machine: &Machine) -> Option<usize> {
        self.facts.planned.nodes.iter().position(|node| *node == machine.node)
    }

    fn node(&self, machine: &Machine) -> Result<&Node, Cause> {
        let index = self.index(machine);
        index.and_then(|index| self.facts.nodes.get(index)).ok_or_else(|| {
            Cause::new(ExitClass::Usage, "not asked", format!("{} was not planned", machine.node))
        })
    }

    fn links(&self, machines: &[&Machine]) -> Vec<Link> {
        let indexes = machines.iter().filter_map(|machine| self.index(machine));
        indexes.map(|index| self.facts.planned.links[index].clone()).collect()
    }

    fn client(&self, machine: &Machine) -> Result<std::sync::Arc<Bmc<Line>>, Cause> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = clients.get(&machine.node) {
            return Ok(std::sync::Arc::clone(client));
        }
        let client = self
            .connections
            .writer(self.node(machine)?, self.permit)
            .map_err(|error| fan_out::cause_of_setup(&error))?;
        let client = std::sync::Arc::new(client);
        clients.insert(machine.node.clone(), std::sync::Arc::clone(&client));
        Ok(client)
    }

    /// The names under which a machine's host keys may stand in the file.
    fn key_names(&self, machine: &Machine) -> Vec<String> {
        let mut names = vec![machine.node.clone(), machine.address.to_string()];
        if let Ok(node) = self.node(machine) {
            names.push(node.host().to_string());
            names.push(node.name().to_string());
            names.extend(node.address().map(|address| address.to_string()));
        }
        names.sort();
        names.dedup();
        names
    }

    fn key_file(&self) -> Result<HostKeyFile, HostKeyError> {
        let path = self.session.site().settings().ssh.known_hosts_file.clone();
        HostKeyFile::open(Path::new(&path.unwrap_or_default()))
    }
}

fn key_cause(error: &HostKeyError) -> Cause {
    // A file that is locked or read-only is a failure of this step, not of what was typed.
    let class = error.exit_class().min(ExitClass::Failed).max(ExitClass::Failed);
    Cause::new(class, "failed", crate::diagnostics::chain(error))
}

impl Actions for RealActions<'_> {
    fn write_links(&self, _machines: &[Machine]) -> Vec<Write> {
        let applied = self.pxe.apply(&self.facts.planned.changes, self.permit);
        let outcomes = applied.outcomes.iter();
        outcomes
            .map(|outcome| match outcome {
                LinkOutcome::Done => Write::Written,
                LinkOutcome::Failed { reason } => {
                    Write::Failed(Cause::new(ExitClass::Failed, reason.clone(), reason.clone()))
                }
                LinkOutcome::Replaced { target } => {
                    let detail = format!("its link points at {target}");
                    Write::Failed(Cause::new(ExitClass::Failed, "left alone", detail))
                }
                _ => match &applied.trouble {
                    Some(cause) if applied.not_sent => Write::Failed(cause.clone()),
                    Some(cause) => Write::Unknown(cause.clone()),
                    None => Write::Unknown(Cause::new(
                        ExitClass::Unreachable,
                        "unknown",
                        format!("{} did not report this link", self.pxe.target().name),
                    )),
                },
            })
            .collect()
    }

    fn remove_links(&self, machines: &[&Machine]) -> Vec<Remove> {
        let links = self.links(machines);
        let changes = Changes::disarm_links(self.pxe.layout(), &links);
        let applied = self.pxe.apply_despite_interrupt(&changes, self.permit);
        let unknown = || {
            let detail = format!("{} did not report this link", self.pxe.target().name);
            applied.trouble.clone().unwrap_or(Cause::new(ExitClass::Unreachable, "unknown", detail))
        };
        let outcomes = applied.outcomes.iter();
        outcomes
            .map(|outcome| match outcome {
                LinkOutcome::Done => Remove::Removed,
                // Somebody else's link now: ours is gone.
                LinkOutcome::Absent | LinkOutcome::Replaced { .. } => Remove::Absent,
                LinkOutcome::Failed { reason } => {
                    Remove::Failed(Cause::new(ExitClass::Failed, "failed", reason.clone()))
                }
                _ => Remove::Failed(unknown()),
            })
            .collect()
    }

    fn links_present(&self, machines: &[&Machine]) -> Vec<Option<bool>> {
        let links = self.links(machines);
        let reading = Reading::of(self.pxe.layout(), links.iter().map(|link| link.client));
        let present = self.pxe.read_despite_interrupt(&reading).ok();
        let ours = |link: &Link| {
            let entry = present.as_ref()?.entry(Place::Pxe(link.client, link.lifetime))?;
            Some(entry.points_at(&link.target))
        };
        links.iter().map(ours).collect()
    }

    fn boot_once(&self, machine: &Machine) -> Once {
        let client = match self.client(machine) {
            Ok(client) => client,
            Err(cause) => return Once::NotSent(cause),
        };
        let written = match client.set_boot_override(&BootRequest::once(BootSource::PXE)) {
            Ok(written) => written,
            Err(error) => {
                let cause = cause_of(&error);
                return match error.delivery() {
                    Delivery::NotSent => Once::NotSent(cause),
                    Delivery::PerhapsCarriedOut => {
                        Once::Unknown(Cause { class: ExitClass::Unreachable, ..cause })
                    }
                    // 401 came before anything was looked at: as good as not sent.
                    Delivery::Answered if error.is_unauthorized() => Once::NotSent(cause),
                    Delivery::Answered => Once::Refused(cause),
                };
            }
        };
        match written.read_back {
            ReadBack::Set(_) => Once::Set(None),
            ReadBack::SetReadsBackContinuous(_) => {
                Once::Set(Some("set, reads back Continuous".to_owned()))
            }
            ReadBack::NotTaken(_) => {
                let detail =
                    format!("{}: it took the write and does not show it", client.endpoint());
                Once::Refused(Cause::new(ExitClass::Failed, "refused", detail))
            }
            ReadBack::Unverified(error) => {
                Once::Unknown(Cause { class: ExitClass::Unreachable, ..cause_of(&error) })
            }
            _ => Once::Unknown(Cause::new(
                ExitClass::Unreachable,
                "unknown",
                "it cannot be read back",
            )),
        }
    }

    fn clear_boot_once(&self, machine: &Machine) -> Clear {
        let node = self.node(machine)?;
        // A client of its own: the way back goes on after Ctrl-C.
        let client = self
            .connections
            .undoer(node, self.permit)
            .map_err(|error| fan_out::cause_of_setup(&error))?;
        match client.clear_boot_override() {
            Ok(BootClear::Cleared) => Ok(()),
            Ok(BootClear::StillSet(_)) => {
                let detail = format!("{}: the override is still set", client.endpoint());
                Err(Cause::new(ExitClass::Failed, "still set", detail))
            }
            Ok(BootClear::Unverified(error)) | Err(error) => Err(cause_of(&error)),
            Ok(_) => Err(Cause::new(ExitClass::Failed, "unknown", "it cannot be read back")),
        }
    }

    fn forget_host_keys(&self, machines: &[Machine]) -> Result<(), Cause> {
        let names: Vec<Vec<String>> = machines.iter().map(|m| self.key_names(m)).collect();
        let file = self.key_file().map_err(|error| key_cause(&error))?;
        let removed = file.remove(&names).map_err(|error| key_cause(&error))?;
        *self.removed.lock().unwrap_or_else(PoisonError::into_inner) = Some(removed);
        Ok(())
    }

    fn restore_host_keys(&self, machines: &[&Machine]) -> Result<(), Cause> {
        let removed = self.removed.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(removed) = removed.as_ref() else { return Ok(()) };
        let indexes: Vec<usize> = machines.iter().filter_map(|m| self.index(m)).collect();
        let file = self.key_file().map_err(|error| key_cause(&error))?;
        file.restore(removed, &indexes).map_err(|error| key_cause(&error))
    }

    fn reset(&self, machine: &Machine) -> Reset {
        let client = match self.client(machine) {
            Ok(client) => client,
            Err(cause) => return Reset::NotSent(cause),
        };
        // A machine that is off is switched on: it boots from the network all the same.
        match client.power(PowerAction::ResetOrOn) {
            Ok(_) => Reset::Sent,
            Err(error) => {
                let cause = cause_of(&error);
                match error.delivery() {
                    Delivery::NotSent => Reset::NotSent(cause),
                    Delivery::PerhapsCarriedOut => {
                        Reset::Unknown(Cause { class: ExitClass::Unreachable, ..cause })
                    }
                    Delivery::Answered if error.is_unauthorized() => Reset::NotSent(cause),
                    Delivery::Answered => Reset::Refused(cause),
                }
            }
        }
    }
}
