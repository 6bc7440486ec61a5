//! Who may ask.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::message::unauthorized;
use super::state::Service;
use crate::http::{Request, Response};

/// What an account may do (predefined roles of DSP0266).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Everything.
    Administrator,
    /// Read; writes are refused with 403.
    ReadOnly,
}

/// A user.
#[derive(Clone)]
pub(crate) struct Account {
    pub(crate) user: String,
    pub(crate) password: String,
    pub(crate) role: Role,
}

impl std::fmt::Debug for Account {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Account({}, {:?})", self.user, self.role)
    }
}

/// Wrong passwords in a row.
#[derive(Debug, Default)]
pub(super) struct Failures {
    count: u32,
    locked_until: Option<Instant>,
}

impl Service {
    /// The role of who asks, by token or by Basic credentials.
    pub(super) fn authenticate(
        &mut self,
        request: &Request,
        now: Instant,
    ) -> Result<Role, Response> {
        if let Some(token) = request.header("x-auth-token") {
            return self.use_session(token, now).ok_or_else(unauthorized);
        }
        let basic = request.basic().ok_or_else(unauthorized)?;
        self.check(&basic.user, &basic.password, now).ok_or_else(unauthorized)
    }

    /// The role of a user with the right password. Counts wrong ones.
    pub(super) fn check(&mut self, user: &str, password: &str, now: Instant) -> Option<Role> {
        if self.failures.locked_until.is_some_and(|until| now < until) {
            return None;
        }
        let account =
            self.accounts.iter().find(|known| known.user == user && known.password == password);
        if let Some(account) = account {
            self.failures = Failures::default();
            return Some(account.role);
        }
        self.failures.count += 1;
        if let Some(lockout) = self.rules.lockout
            && self.failures.count >= lockout.failures
        {
            self.failures = Failures { count: 0, locked_until: Some(now + lockout.duration) };
        }
        None
    }
}
