//! The passwords of one run.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use redfish::Account;

use crate::credentials::error::{CredentialError, SourceError};
use crate::credentials::source;
use crate::gate::Person;
use crate::site::Site;

/// Reads each credential at most once; a failure is remembered as well, so that nobody is asked
/// twice.
pub struct Credentials<'a> {
    site: &'a Site,
    person: &'a dyn Person,
    environment: &'a BTreeMap<String, String>,
    known: Mutex<HashMap<String, Account>>,
}

impl std::fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credentials(..)")
    }
}

impl<'a> Credentials<'a> {
    /// The credentials of a site.
    pub fn new(
        site: &'a Site,
        person: &'a dyn Person,
        environment: &'a BTreeMap<String, String>,
    ) -> Credentials<'a> {
        Credentials { site, person, environment, known: Mutex::default() }
    }

    /// The account of a name. The lock is held while it is read: two threads ask once.
    pub fn account(&self, name: &str) -> Result<Account, CredentialError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(account) = known.get(name) {
            return Ok(account.clone());
        }
        let account =
            self.read(name).map_err(|source| CredentialError { name: name.to_owned(), source })?;
        known.insert(name.to_owned(), account.clone());
        Ok(account)
    }

    fn read(&self, name: &str) -> Result<Account, SourceError> {
        let spec = self.site.settings().credentials.get(name).ok_or(SourceError::NotConfigured)?;
        let context = source::Context {
            person: self.person,
            environment: self.environment,
            identities: &self.site.workstation().identities,
            resolved: self.site.resolved(),
            user: &spec.username,
        };
        let password = source::read(&spec.password, &context)?;
        Account::new(spec.username.clone(), password)
            .map_err(|error| SourceError::User(error.to_string()))
    }
}
