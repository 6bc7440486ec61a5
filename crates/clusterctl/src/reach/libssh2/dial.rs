//! From a way to a connection, and from a connection to an answer.

use std::time::Duration;

use crate::interrupt::Interrupt;
use crate::reach::directory::{Directory, Hop};
use crate::reach::libssh2::pool::{Owner, Slot};
use crate::reach::libssh2::{Connection, Failure, Lease, Patience, Pool};
use crate::reach::wire::Wire;
use crate::reach::{Answer, Delivery, ReachError, ReachErrorKind, Request};

/// Carries requests by libssh2.
pub(in crate::reach) struct Libssh2 {
    pool: Pool,
    interrupt: Interrupt,
}

/// Between attempts to connect, as ssh waits.
const PAUSE: Duration = Duration::from_secs(1);
/// Between the end of a command's time on the host and the end of the wait for it here.
const GRACE: Duration = Duration::from_secs(5);

impl Libssh2 {
    pub(in crate::reach) fn new(sessions_per_host: usize, interrupt: Interrupt) -> Libssh2 {
        Libssh2 { pool: Pool::new(sessions_per_host), interrupt }
    }

    /// Runs a request at the end of a way.
    pub(in crate::reach) fn run(
        &self,
        directory: &Directory,
        way: &[Hop],
        wire: &Wire,
        request: &Request,
    ) -> Result<Answer, Failure> {
        if request.despite_interrupt && self.interrupt.is_raised() {
            let undisturbed = Libssh2 { pool: self.pool.clone(), interrupt: Interrupt::new() };
            return undisturbed.run(directory, way, wire, request);
        }
        let Some(hop) = way.first() else { return Err(Failure::TimedOut) };
        let limit = request.timeout + directory.settings.connect_budget() + GRACE;
        let mut fresh_only = false;
        loop {
            let (lease, kept) = self.lease(directory, way, fresh_only)?;
            let patience = Patience::lasting(&self.interrupt, limit);
            let spoken = lease.connection().run(wire, request, &hop.login, patience);
            let (failure, delivery) = match spoken {
                Ok(spoken) => {
                    if !spoken.reusable {
                        lease.discard();
                    }
                    return Ok(spoken.answer);
                }
                Err(broken) => broken,
            };
            lease.discard();
            let went_stale = kept
                && delivery == Delivery::NotSent
                && matches!(failure, Failure::Protocol(_) | Failure::Socket(_));
            if went_stale {
                fresh_only = true;
                continue;
            }
            let doing = format!("{} was lost", hop.login.host);
            return Err(Failure::Worded(failure.at(ReachErrorKind::Lost, delivery, &doing)));
        }
    }

    /// A connection to the first host of a way; says whether it was kept from before.
    fn lease(
        &self,
        directory: &Directory,
        way: &[Hop],
        fresh_only: bool,
    ) -> Result<(Lease, bool), Failure> {
        let Some((hop, rest)) = way.split_first() else { return Err(Failure::TimedOut) };
        let owner = Owner {
            target: hop.target.clone(),
            places: way.iter().map(|hop| (hop.login.host.clone(), hop.login.port)).collect(),
        };
        let permit = loop {
            match self.pool.acquire(&owner, &self.interrupt)? {
                Slot::Kept(lease) if fresh_only => lease.discard(),
                Slot::Kept(lease) => return Ok((lease, true)),
                Slot::New(permit) => break permit,
            }
        };
        let connection = self.connect(directory, hop, rest)?;
        Ok((Lease::new(owner, connection, permit), false))
    }

    fn connect(
        &self,
        directory: &Directory,
        hop: &Hop,
        rest: &[Hop],
    ) -> Result<Connection, Failure> {
        let vouched = directory.vouched(&hop.login)?;
        let settings = &directory.settings;
        if settings.strict && !vouched.has_key() {
            let name = hop.login.alias.as_deref().unwrap_or(&hop.login.host);
            let why = format!("no host key of {name} is known");
            return Err(ReachError::new(ReachErrorKind::HostKey, Delivery::NotSent, why).into());
        }
        let mut attempt = 1;
        loop {
            let opened = self.through(directory, rest).and_then(|through| {
                let patience = Patience::lasting(&self.interrupt, hop.login.connect_timeout);
                Connection::open(&hop.login, settings, &vouched, through, patience)
            });
            match opened {
                Err(Failure::Worded(error))
                    if error.kind() == ReachErrorKind::Connect && attempt < hop.login.attempts =>
                {
                    attempt += 1;
                    if self.interrupt.sleep(PAUSE) {
                        return Err(Failure::Interrupted);
                    }
                }
                other => return other,
            }
        }
    }

    /// A connection to the jump host, if there is one.
    pub(in crate::reach) fn through(
        &self,
        directory: &Directory,
        rest: &[Hop],
    ) -> Result<Option<Lease>, Failure> {
        if rest.is_empty() {
            return Ok(None);
        }
        self.lease(directory, rest, false).map(|(lease, _)| Some(lease))
    }
}
