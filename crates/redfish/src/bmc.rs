//! Operations on one BMC.

mod boot;
mod change;
mod collection;
mod diagnose;
mod discover;
mod events;
mod exchange;
mod firmware;
mod indicator;
mod media;
mod power;
mod presumed;
mod raw;
mod sensors;
mod service;
mod session;
mod task;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub use boot::{BootClear, BootWrite, ReadBack};
pub use power::{Accepted, PowerOutcome};
pub use raw::Reply;
pub use service::{Info, Ping};

use session::Session;

use crate::{
    Account, Authentication, Clock, Endpoint, Known, Limits, PowerState, Profile, Service,
    SystemClock, Transport,
};

/// One BMC.
///
/// Every operation blocks its thread, runs under one deadline ([`Limits`]) and sends a change at
/// most once, unless the BMC refused it in a way that says what to put right. Dropping the value
/// ends its session, where there is one.
pub struct Bmc<T: Transport> {
    endpoint: Endpoint,
    account: Account,
    transport: T,
    profile: Profile,
    limits: Limits,
    until: Option<Instant>,
    authentication: Authentication,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    /// Held while logging in, so that threads sharing this value share a session.
    log_in: Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    known: Known,
    session: Option<Session>,
    /// Those the BMC refused the token of; they may still be there.
    refused_sessions: Vec<Session>,
    service: Option<Service>,
    /// As last read.
    power: Option<PowerState>,
    /// The BMC had no session left.
    out_of_sessions: bool,
}

impl<T: Transport> Bmc<T> {
    /// A BMC at this endpoint, asked as this account through this transport.
    pub fn new(endpoint: Endpoint, account: Account, transport: T) -> Self {
        Self {
            endpoint,
            account,
            transport,
            profile: Profile::default(),
            limits: Limits::default(),
            until: None,
            authentication: Authentication::default(),
            clock: Arc::new(SystemClock),
            state: Mutex::default(),
            log_in: Mutex::default(),
        }
    }

    /// With what is configured about it.
    #[must_use]
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// With these limits for each operation.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// With a deadline for all operations together.
    #[must_use]
    pub fn until(mut self, deadline: Instant) -> Self {
        self.until = Some(deadline);
        self
    }

    /// With this way to authenticate.
    #[must_use]
    pub fn with_authentication(mut self, authentication: Authentication) -> Self {
        self.authentication = authentication;
        self
    }

    /// By this clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// With what was learned earlier.
    #[must_use]
    pub fn with_known(self, known: Known) -> Self {
        self.state().known = known;
        self
    }

    /// What was learned so far.
    pub fn known(&self) -> Known {
        self.state().known.clone()
    }

    /// Where it answers.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Whether Basic authentication is used in place of a session, because the BMC had none left.
    pub fn is_out_of_sessions(&self) -> bool {
        self.state().out_of_sessions
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Transport> fmt::Debug for Bmc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bmc")
            .field("endpoint", &self.endpoint)
            .field("account", &self.account)
            .field("profile", &self.profile)
            .finish_non_exhaustive()
    }
}

impl<T: Transport> Drop for Bmc<T> {
    fn drop(&mut self) {
        self.log_out();
    }
}
