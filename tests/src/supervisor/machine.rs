//! A machine with a service processor: power, boots, installations.

use super::host_process::HostProcess;
use super::network;
use super::role::{observe, powerless};
use super::specs::Specs;
use crate::error::Error;
use crate::plan::Host;
use crate::wire::{BootOutcome, BootRecord, Event, HostCommand, NodeState, Order, Stage};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A machine. Whatever switches it — its service processor or a test at the plug — comes here.
#[derive(Debug)]
pub(super) struct Node {
    host: Host,
    specs: Arc<Specs>,
    began: Instant,
    state: Arc<Mutex<NodeState>>,
    /// Held while the power is being switched.
    process: Mutex<Option<HostProcess>>,
}

impl Node {
    /// A machine without power, with the system it came with on its disk.
    pub(super) fn new(host: &Host, specs: Arc<Specs>, began: Instant) -> Node {
        let state =
            NodeState { host: powerless(host), power: false, generation: 1, boots: Vec::new() };
        let state = Arc::new(Mutex::new(state));
        Node { host: host.clone(), specs, began, state, process: Mutex::new(None) }
    }

    /// Where it stands in the plan.
    pub(super) fn host(&self) -> &Host {
        &self.host
    }

    /// As it is now.
    pub(super) fn state(&self) -> NodeState {
        lock(&self.state).clone()
    }

    /// Switches the power on; `order` is where the firmware looks. On already is well.
    pub(super) fn power_on(&self, order: Order) -> Result<(), Error> {
        let mut process = lock(&self.process);
        self.switch_on(&mut process, order)
    }

    /// Cuts the power: everything that ran is gone when this returns. Off already is well.
    pub(super) fn power_off(&self) -> Result<(), Error> {
        let mut process = lock(&self.process);
        self.switch_off(&mut process)
    }

    /// Off and on again.
    pub(super) fn reset(&self, order: Order) -> Result<(), Error> {
        let mut process = lock(&self.process);
        self.switch_off(&mut process)?;
        self.switch_on(&mut process, order)
    }

    fn switch_on(&self, process: &mut Option<HostProcess>, order: Order) -> Result<(), Error> {
        if process.is_some() {
            return Ok(());
        }
        let spec = {
            let mut state = lock(&self.state);
            let first = state.boots.is_empty();
            // An empty disk leaves the firmware nothing but the network.
            let order = if state.generation == 0 { Order::Network } else { order };
            state.power = true;
            state.host.stage = Stage::Starting;
            state.boots.push(BootRecord {
                network: order == Order::Network,
                fetched: None,
                outcome: BootOutcome::Unfinished,
                at: self.began.elapsed(),
            });
            self.specs.machine(&self.host, order, state.generation, first)
        };
        let state = Arc::clone(&self.state);
        *process = Some(HostProcess::start(&spec, move |event| witness(&mut lock(&state), event))?);
        Ok(())
    }

    fn switch_off(&self, process: &mut Option<HostProcess>) -> Result<(), Error> {
        if process.is_none() {
            return Ok(());
        }
        *process = None;
        network::silence(&self.host.name)?;
        let mut state = lock(&self.state);
        state.power = false;
        (state.host.stage, state.host.pid, state.host.failure) = (Stage::Off, None, None);
        Ok(())
    }

    /// Notes why the power could not be switched.
    pub(super) fn fail(&self, error: &Error) {
        let mut state = lock(&self.state);
        state.host.stage = Stage::Stuck;
        state.host.failure = Some(error.chain());
    }

    /// Has the running system do something.
    pub(super) fn command(&self, command: &HostCommand) -> Result<(), Error> {
        match lock(&self.process).as_mut() {
            Some(process) => process.command(command),
            None => Err(Error::Refused(format!("{} has no power", self.host.name))),
        }
    }

    /// Takes its link down or up.
    pub(super) fn link(&self, up: bool) -> Result<(), Error> {
        network::link(&self.host.name, up)?;
        lock(&self.state).host.cut = !up;
        Ok(())
    }
}

/// Takes in what the machine said.
fn witness(state: &mut NodeState, event: Event) {
    observe(&mut state.host, &event);
    let Some(boot) = state.boots.last_mut() else { return };
    match event {
        // The disk is being overwritten: if the power goes now, nothing is on it.
        Event::Stage(Stage::Installing) => {
            state.generation = 0;
            state.host.host_key = None;
        }
        Event::Installed { generation } => {
            state.generation = generation;
            boot.outcome = BootOutcome::Installed;
        }
        Event::Fetched { script } => boot.fetched = Some(script),
        Event::Up { .. } if boot.outcome == BootOutcome::Unfinished => {
            boot.outcome = BootOutcome::Disk;
        }
        Event::Failed { .. } => boot.outcome = BootOutcome::Nothing,
        _ => {}
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
