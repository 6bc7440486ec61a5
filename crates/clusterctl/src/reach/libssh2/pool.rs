//! Connections that are kept, and how many a host gets.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::interrupt::Interrupt;
use crate::reach::Target;
use crate::reach::libssh2::{Connection, Failure};

/// A machine as the bound on sessions counts it: name or address, and port.
pub(in crate::reach) type Place = (String, u16);

/// Connections of one run.
#[derive(Clone)]
pub(in crate::reach) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    sessions_per_host: usize,
}

#[derive(Default)]
struct State {
    open: HashMap<Place, usize>,
    /// Connections that wait for the next request, the oldest first.
    idle: Vec<Idle>,
}

struct Idle {
    owner: Owner,
    connection: Connection,
    permit: Permit,
}

/// Whose connection it is, and which machines it occupies: its own and those it passes through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::reach) struct Owner {
    pub target: Target,
    pub places: Vec<Place>,
}

/// The right to hold one session to a machine.
pub(in crate::reach) struct Permit {
    place: Place,
    shared: Arc<Shared>,
}

/// What a request gets to begin with.
pub(in crate::reach) enum Slot {
    /// A kept connection.
    Kept(Lease),
    /// The right to open one.
    New(Permit),
}

/// Beyond this many kept connections the oldest is closed: descriptors are few.
const KEPT: usize = 128;

impl Pool {
    pub(in crate::reach) fn new(sessions_per_host: usize) -> Pool {
        let state = Mutex::new(State::default());
        let sessions_per_host = sessions_per_host.max(1);
        Pool { shared: Arc::new(Shared { state, changed: Condvar::new(), sessions_per_host }) }
    }

    /// Waits until the machine takes one more session, or gives a kept connection.
    ///
    /// A kept connection of others that occupies the machine is closed to make room.
    pub(in crate::reach) fn acquire(
        &self,
        owner: &Owner,
        interrupt: &Interrupt,
    ) -> Result<Slot, Failure> {
        let Some(place) = owner.places.first() else { return Err(Failure::TimedOut) };
        let mut state = self.shared.lock();
        loop {
            if interrupt.is_raised() {
                return Err(Failure::Interrupted);
            }
            if let Some(index) = state.idle.iter().rposition(|idle| idle.owner == *owner) {
                let kept = state.idle.remove(index);
                if kept.connection.is_dead() {
                    drop(state);
                    drop(kept);
                    state = self.shared.lock();
                    continue;
                }
                return Ok(Slot::Kept(Lease::new(kept.owner, kept.connection, kept.permit)));
            }
            let open = state.open.entry(place.clone()).or_default();
            if *open < self.shared.sessions_per_host {
                *open += 1;
                let permit = Permit { place: place.clone(), shared: Arc::clone(&self.shared) };
                return Ok(Slot::New(permit));
            }
            let occupant = state.idle.iter().position(|idle| idle.owner.places.contains(place));
            if let Some(index) = occupant {
                let evicted = state.idle.remove(index);
                drop(state);
                drop(evicted);
                state = self.shared.lock();
                continue;
            }
            let waited = self.shared.changed.wait_timeout(state, Duration::from_millis(200));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        if let Some(open) = state.open.get_mut(&self.place) {
            *open = open.saturating_sub(1);
        }
        drop(state);
        self.shared.changed.notify_all();
    }
}

/// A connection in use; its drop keeps it for the next request.
pub(in crate::reach) struct Lease {
    owner: Owner,
    /// Only a drop takes it.
    held: Option<(Connection, Permit)>,
    keep: bool,
}

impl Lease {
    /// A lease on a fresh connection.
    pub(in crate::reach) fn new(owner: Owner, connection: Connection, permit: Permit) -> Lease {
        Lease { owner, held: Some((connection, permit)), keep: true }
    }

    /// The connection.
    pub(in crate::reach) fn connection(&self) -> &Connection {
        #[expect(clippy::unwrap_used, reason = "only the drop takes it")]
        let (connection, _) = self.held.as_ref().unwrap();
        connection
    }

    /// Closes the connection: its state is not known any more.
    pub(in crate::reach) fn discard(mut self) {
        self.keep = false;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some((connection, permit)) = self.held.take() else { return };
        if !self.keep || connection.is_dead() {
            drop(connection);
            drop(permit);
            return;
        }
        let shared = Arc::clone(&permit.shared);
        let mut state = shared.lock();
        state.idle.push(Idle { owner: self.owner.clone(), connection, permit });
        let surplus = (state.idle.len() > KEPT).then(|| state.idle.remove(0));
        drop(state);
        drop(surplus);
        shared.changed.notify_all();
    }
}
