//! Who may ask, and for what.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::account_service::ACCOUNTS;
use super::message::{password_change_required, unauthorized};
use super::session::SESSIONS;
use super::state::Service;
use crate::http::{Request, Response};

/// What an account may do (predefined roles of DSP0266).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Everything.
    Administrator,
    /// Everything but accounts, sessions of others and the manager itself.
    Operator,
    /// Read; writes are refused with 403.
    ReadOnly,
}

impl Role {
    /// The id of the role's resource.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Administrator => "Administrator",
            Self::Operator => "Operator",
            Self::ReadOnly => "ReadOnly",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        [Self::Administrator, Self::Operator, Self::ReadOnly]
            .into_iter()
            .find(|role| role.as_str() == word)
    }
}

/// A user.
#[derive(Clone)]
pub(crate) struct Account {
    pub(crate) user: String,
    pub(crate) password: String,
    pub(crate) role: Role,
    pub(crate) enabled: bool,
    /// Nothing but a new password is taken.
    pub(crate) must_change: bool,
    /// Its resource, where the tree shows it.
    pub(crate) path: Option<String>,
}

impl Account {
    pub(crate) fn new(user: &str, password: &str, role: Role) -> Self {
        let (user, password) = (user.to_owned(), password.to_owned());
        Self { user, password, role, enabled: true, must_change: false, path: None }
    }
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
    /// Who asks, by token or by Basic credentials.
    pub(super) fn authenticate(
        &mut self,
        request: &Request,
        now: Instant,
    ) -> Result<Account, Response> {
        let user = if let Some(token) = request.header("x-auth-token") {
            self.use_session(token, now)
        } else {
            let basic = request.basic().ok_or_else(unauthorized)?;
            self.check(&basic.user, &basic.password, now).then_some(basic.user)
        };
        let user = user.ok_or_else(unauthorized)?;
        let account = self.accounts.iter().find(|known| known.user == user && known.enabled);
        account.cloned().ok_or_else(unauthorized)
    }

    /// Whether this is the password of an account. Counts wrong ones.
    pub(super) fn check(&mut self, user: &str, password: &str, now: Instant) -> bool {
        if self.failures.locked_until.is_some_and(|until| now < until) {
            return false;
        }
        let known = |account: &Account| {
            account.enabled && account.user == user && account.password == password
        };
        if self.accounts.iter().any(known) {
            self.failures = Failures::default();
            return true;
        }
        self.failures.count += 1;
        if let Some(lockout) = self.rules.lockout
            && self.failures.count >= lockout.failures
        {
            self.failures = Failures { count: 0, locked_until: Some(now + lockout.duration) };
        }
        false
    }

    /// Whether this user may make this request.
    pub(super) fn authorize(&self, who: &Account, request: &Request) -> Result<(), Response> {
        let path = request.path();
        let own_account = who.path.as_deref() == Some(path);
        let own_session = request.method == "DELETE" && self.session_user(path) == Some(&who.user);
        let reads = matches!(request.method.as_str(), "GET" | "HEAD");
        let sets_own_password =
            own_account && request.method == "PATCH" && only_password(&request.body);
        if who.must_change && !(own_account && reads || sets_own_password || own_session) {
            return Err(password_change_required(who.path.as_deref().unwrap_or_default()));
        }
        let of_manager = path.starts_with(SESSIONS)
            || path.starts_with(ACCOUNTS)
            || path.ends_with("/Manager.Reset");
        let allowed = match who.role {
            Role::Administrator => true,
            Role::Operator => !of_manager,
            Role::ReadOnly => false,
        };
        if reads || own_session || sets_own_password || allowed {
            return Ok(());
        }
        let message = "There are insufficient privileges for the account or credentials.";
        Err(super::refusal(403, "InsufficientPrivilege", message, &[]))
    }
}

fn only_password(body: &[u8]) -> bool {
    let body: Option<serde_json::Map<_, _>> = serde_json::from_slice(body).ok();
    body.is_some_and(|body| body.len() == 1 && body.contains_key("Password"))
}
