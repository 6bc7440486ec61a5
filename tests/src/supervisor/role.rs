//! A role host: started once, can be killed and started again, keeps its disk.

use super::host_process::HostProcess;
use super::network;
use crate::error::Error;
use crate::plan::Host;
use crate::wire::{Event, HostCommand, HostSpec, HostState, Stage};
use std::sync::{Arc, Mutex, PoisonError};

/// A role host.
#[derive(Debug)]
pub(super) struct RoleHost {
    spec: HostSpec,
    state: Arc<Mutex<HostState>>,
    process: Mutex<Option<HostProcess>>,
}

/// A host as it is before its first start.
pub(super) fn powerless(host: &Host) -> HostState {
    HostState {
        name: host.name.clone(),
        stage: Stage::Off,
        pid: None,
        host_key: None,
        cut: false,
        failure: None,
    }
}

/// Takes in what a host said.
pub(super) fn observe(state: &mut HostState, event: &Event) {
    match event {
        Event::Started { pid } => state.pid = Some(*pid),
        Event::Stage(stage) => state.stage = *stage,
        Event::Up { host_key } => {
            state.stage = Stage::Up;
            state.host_key.clone_from(host_key);
        }
        Event::Failed { reason } => {
            state.stage = Stage::Stuck;
            state.failure = Some(reason.clone());
        }
        Event::Fetched { .. } | Event::Installed { .. } | Event::Done(_) => {}
    }
}

impl RoleHost {
    pub(super) fn new(host: &Host, spec: HostSpec) -> RoleHost {
        RoleHost { spec, state: Arc::new(Mutex::new(powerless(host))), process: Mutex::new(None) }
    }

    /// Starts it unless it runs.
    pub(super) fn start(&self) -> Result<(), Error> {
        let mut process = lock(&self.process);
        if process.is_none() {
            lock(&self.state).stage = Stage::Starting;
            let state = Arc::clone(&self.state);
            *process = Some(HostProcess::start(&self.spec, move |event| {
                observe(&mut lock(&state), &event);
            })?);
        }
        Ok(())
    }

    /// Ends it with everything on it.
    pub(super) fn kill(&self) -> Result<(), Error> {
        drop(lock(&self.process).take());
        let mut state = lock(&self.state);
        (state.stage, state.pid, state.failure) = (Stage::Off, None, None);
        network::silence(&state.name)
    }

    /// Has it do something.
    pub(super) fn command(&self, command: &HostCommand) -> Result<(), Error> {
        match lock(&self.process).as_mut() {
            Some(process) => process.command(command),
            None => Err(Error::Refused(format!("{} does not run", self.spec.name))),
        }
    }

    /// As it is now.
    pub(super) fn state(&self) -> HostState {
        lock(&self.state).clone()
    }

    /// Takes its link down or up.
    pub(super) fn link(&self, up: bool) -> Result<(), Error> {
        network::link(&self.spec.name, up)?;
        lock(&self.state).cut = !up;
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
