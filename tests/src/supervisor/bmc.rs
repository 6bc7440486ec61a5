//! The service processors: one simulator a machine, each on its own address.

use super::machine::Node;
use super::network;
use crate::error::{Doing, Error};
use crate::site::{BMC_PASSWORD, BMC_USER};
use crate::wire::Order;
use bmc_sim::{Action, Bmc, BootSource, Identity, Machine, Power, Running, Tree};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::fs::File;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Redfish's port.
const PORT: u16 = 443;

/// A machine's service processor.
#[derive(Debug)]
pub(super) struct Processor {
    bmc: Bmc,
    address: Ipv4Addr,
    /// `None` while it refuses connections.
    running: Mutex<Option<Running>>,
}

impl Processor {
    /// Starts the service processor of a machine; with a recording it answers as that make does.
    pub(super) fn start(node: &Arc<Node>, recording: Option<&Path>) -> Result<Processor, Error> {
        let host = node.host();
        let name = host.bmc_name().unwrap_or_default();
        let address = host.bmc_address.unwrap_or(Ipv4Addr::UNSPECIFIED);
        let refused = |error: bmc_sim::Error| Error::Refused(format!("{name}: {error}"));
        let mut builder = Bmc::builder()
            .credentials(BMC_USER, BMC_PASSWORD)
            .identity(Identity::generate([name.clone(), address.to_string()]).map_err(refused)?)
            .machine(Arc::new(Switch(Arc::clone(node))));
        if let Some(path) = recording {
            builder = builder.tree(Tree::recording(path).map_err(refused)?);
        }
        let bmc = builder.build().map_err(refused)?;
        let processor = Processor { bmc, address, running: Mutex::new(None) };
        processor.listen(true)?;
        Ok(processor)
    }

    /// The simulator.
    pub(super) fn bmc(&self) -> &Bmc {
        &self.bmc
    }

    /// Answers connections, or has them refused.
    pub(super) fn listen(&self, on: bool) -> Result<(), Error> {
        let mut running = self.running();
        if !on {
            *running = None;
        } else if running.is_none() {
            let served = self.bmc.serve(listener(self.address)?);
            *running = Some(served.map_err(|error| Error::Refused(error.to_string()))?);
        }
        Ok(())
    }

    /// Takes connections without answering them, or answers again.
    pub(super) fn hang(&self, on: bool) -> Result<(), Error> {
        match (&*self.running(), on) {
            (Some(running), true) => running.pause(),
            (Some(running), false) => running.resume(),
            (None, _) => return Err(Error::Refused("it does not listen".to_owned())),
        }
        Ok(())
    }

    /// Where its machine looks at its next power-on. A one-time override is gone afterwards.
    pub(super) fn boot(&self) -> Order {
        order(&self.bmc.boot())
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A listener in the service processors' network namespace.
fn listener(address: Ipv4Addr) -> Result<TcpListener, Error> {
    let what = || format!("listening on {address}:{PORT}");
    let namespace = File::open(network::file(network::BMC)).doing(what)?;
    // A namespace belongs to a thread; this one ends with its job.
    let listener = std::thread::spawn(move || {
        move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))?;
        TcpListener::bind((address, PORT))
    });
    let listener = listener.join().map_err(|_| Error::Refused(what()))?;
    listener.doing(what)
}

/// The line from a service processor to its machine's power switch.
struct Switch(Arc<Node>);

impl Machine for Switch {
    fn power(&self) -> Power {
        if self.0.state().power { Power::On } else { Power::Off }
    }

    fn act(&self, action: Action) {
        let outcome = match &action {
            Action::On(boot) => self.0.power_on(order(boot)),
            Action::ForceOff | Action::GracefulShutdown => self.0.power_off(),
            Action::ForceRestart(boot)
            | Action::GracefulRestart(boot)
            | Action::PowerCycle(boot) => self.0.reset(order(boot)),
            Action::Nmi => Ok(()),
        };
        if let Err(error) = outcome {
            self.0.fail(&error);
        }
    }
}

fn order(boot: &BootSource) -> Order {
    match boot.target.as_deref() {
        Some("Pxe" | "UefiHttp") => Order::Network,
        _ => Order::Disk,
    }
}
