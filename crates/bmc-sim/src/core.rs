//! What every connection of a BMC shares.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::Value;

use crate::fault::{Faults, Met};
use crate::http::{Request, Response};
use crate::record::Journal;
use crate::service::{Deed, Service};
use crate::timer::Timer;
use crate::{Identity, Machine, Power, State, SystemState};

/// One BMC. Its locks are never held while a machine is asked or told anything.
pub(crate) struct Core {
    service: Mutex<Service>,
    /// One for each system that can be reset, in the order of the systems.
    machines: Vec<Option<Arc<dyn Machine>>>,
    faults: Mutex<Faults>,
    journal: Mutex<Journal>,
    identity: Mutex<Identity>,
    connections: AtomicU64,
    handshakes: AtomicU64,
    timer: Timer,
    /// The passwords, to keep them out of the journal.
    secrets: Vec<String>,
}

impl Core {
    pub(crate) fn new(
        service: Service,
        machines: Vec<Option<Arc<dyn Machine>>>,
        identity: Identity,
    ) -> Self {
        let secrets = service.accounts.iter().map(|account| account.password.clone()).collect();
        Self {
            service: Mutex::new(service),
            machines,
            faults: Mutex::default(),
            journal: Mutex::default(),
            identity: Mutex::new(identity),
            connections: AtomicU64::new(0),
            handshakes: AtomicU64::new(0),
            timer: Timer::default(),
            secrets,
        }
    }

    pub(crate) fn service(&self) -> MutexGuard<'_, Service> {
        lock(&self.service)
    }

    pub(crate) fn faults(&self) -> MutexGuard<'_, Faults> {
        lock(&self.faults)
    }

    pub(crate) fn journal(&self) -> MutexGuard<'_, Journal> {
        lock(&self.journal)
    }

    pub(crate) fn identity(&self) -> Identity {
        lock(&self.identity).clone()
    }

    pub(crate) fn set_identity(&self, identity: Identity) {
        *lock(&self.identity) = identity;
    }

    pub(crate) fn handshakes(&self) -> u64 {
        self.handshakes.load(Ordering::Relaxed)
    }

    pub(crate) fn count_handshake(&self) {
        self.handshakes.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of a new connection.
    pub(crate) fn count_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The power of each system that has a machine.
    pub(crate) fn powers(&self) -> Vec<Option<Power>> {
        self.machines
            .iter()
            .map(|machine| machine.as_ref().map(|machine| machine.power()))
            .collect()
    }

    /// The first system that can be reset.
    pub(crate) fn primary(&self) -> Option<usize> {
        self.machines.iter().position(Option::is_some)
    }

    pub(crate) fn state(&self) -> State {
        let powers = self.powers();
        let requests = self.journal().total();
        let fingerprint = self.identity().fingerprint();
        let service = self.service();
        let systems = service.systems.iter().zip(powers).map(|(system, power)| SystemState {
            path: system.path.clone(),
            power,
            boot: system.boot.clone(),
        });
        State {
            systems: systems.collect(),
            sessions: service.session_count(),
            connections: self.connections.load(Ordering::Relaxed),
            handshakes: self.handshakes(),
            requests,
            fingerprint,
        }
    }

    pub(crate) fn resource(&self, path: &str) -> Option<Value> {
        let powers = self.powers();
        self.service().render(path, &powers)
    }

    /// Keeps a record of the request; the number it gets.
    pub(crate) fn record(&self, request: &Request, connection: u64, nth: u64) -> u64 {
        self.journal().add(request, connection, nth, &self.secrets)
    }

    /// What meets the request. Counts it.
    pub(crate) fn meet(&self, request: &Request, nth: u64) -> Met {
        self.faults().meet(&request.method, request.path(), nth > 1)
    }

    /// Does the request.
    pub(crate) fn perform(self: &Arc<Self>, request: &Request) -> Response {
        let powers = self.powers();
        let outcome = self.service().handle(request, &powers, Instant::now());
        if let Some(deed) = outcome.deed {
            if deed.delay.is_zero() {
                self.carry_out(deed);
            } else {
                let core = Arc::downgrade(self);
                self.timer.after(deed.delay, move || {
                    if let Some(core) = core.upgrade() {
                        core.carry_out(deed);
                    }
                });
            }
        }
        outcome.response
    }

    /// Answers as if the request had been done.
    pub(crate) fn pretend(&self, request: &Request) -> Response {
        let powers = self.powers();
        self.service().pretend(request, &powers)
    }

    fn carry_out(&self, deed: Deed) {
        let actions = self.service().begin(deed);
        if let Some(Some(machine)) = self.machines.get(deed.system) {
            actions.into_iter().for_each(|action| machine.act(action));
        }
    }
}

/// A panic elsewhere leaves whole values behind: every change is made in one go.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
