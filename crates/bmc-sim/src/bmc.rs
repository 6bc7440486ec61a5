//! The handle by which a test or a lab holds a BMC.

use std::fmt;
use std::net::TcpListener;
use std::sync::Arc;

use serde_json::Value;

use crate::core::Core;
use crate::{
    BootOverride, BootSource, Builder, Error, Fault, FaultId, Identity, Power, RequestRecord,
    Rules, Running, State,
};

/// A simulated BMC. Clones are handles of the same one; it keeps its state while nothing serves it.
///
/// A BMC can hold several systems; where a method speaks of *the* system, it is the first one that
/// can be reset.
#[derive(Clone)]
pub struct Bmc {
    core: Arc<Core>,
}

impl Bmc {
    /// Starts the description of a BMC.
    pub fn builder() -> Builder {
        Builder::new()
    }

    pub(crate) fn new(core: Arc<Core>) -> Self {
        Self { core }
    }

    /// Serves on a listener until what is returned is stopped or dropped. Several listeners may serve
    /// one BMC.
    pub fn serve(&self, listener: TcpListener) -> Result<Running, Error> {
        Running::start(Arc::clone(&self.core), listener).map_err(Error::Listen)
    }

    /// Adds a fault, after those there are.
    pub fn add_fault(&self, fault: Fault) -> FaultId {
        self.core.faults().add(fault)
    }

    /// Removes a fault; one that is gone already stays gone.
    pub fn remove_fault(&self, id: FaultId) {
        self.core.faults().remove(id);
    }

    /// Removes every fault.
    pub fn clear_faults(&self) {
        self.core.faults().clear();
    }

    /// The faults, spent ones included.
    pub fn faults(&self) -> Vec<(FaultId, Fault)> {
        self.core.faults().list()
    }

    /// The standing behaviour.
    pub fn rules(&self) -> Rules {
        self.core.service().rules.clone()
    }

    /// Replaces the standing behaviour, for requests that are not read yet.
    pub fn set_rules(&self, rules: Rules) {
        self.core.service().rules = rules;
    }

    /// Changes the standing behaviour.
    ///
    /// ```
    /// # fn main() -> Result<(), bmc_sim::Error> {
    /// let bmc = bmc_sim::Bmc::builder().build()?;
    /// bmc.change_rules(|rules| rules.boot_mode = bmc_sim::BootMode::Refused);
    /// # Ok(())
    /// # }
    /// ```
    pub fn change_rules(&self, change: impl FnOnce(&mut Rules)) {
        change(&mut self.core.service().rules);
    }

    /// Every request so far, oldest first; of a great many, the newest 10,000.
    pub fn requests(&self) -> Vec<RequestRecord> {
        self.core.journal().records()
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        self.core.journal().clear();
    }

    /// TLS handshakes completed so far.
    pub fn handshakes(&self) -> u64 {
        self.core.handshakes()
    }

    /// All at once.
    pub fn state(&self) -> State {
        self.core.state()
    }

    /// The power of the system's machine; `None` where no system can be reset.
    pub fn power(&self) -> Option<Power> {
        self.core.powers().into_iter().flatten().next()
    }

    /// The override for the system's next boot, whatever a read-back shows; `None`: it has none to set.
    pub fn boot_override(&self) -> Option<BootOverride> {
        let system = self.core.primary()?;
        self.core.service().systems.get(system)?.boot.clone()
    }

    /// Sets the override as an administrator at the console would, past all rules. Does nothing where
    /// the system has none.
    pub fn set_boot_override(&self, boot: BootOverride) {
        if let Some(system) = self.core.primary() {
            self.core.service().set_boot(system, boot);
        }
    }

    /// The system's machine boots by itself (its operating system rebooted): what it boots from. A
    /// `Once` override is gone afterwards.
    pub fn boot(&self) -> BootSource {
        let system = self.core.primary();
        system.map(|system| self.core.service().boot(system)).unwrap_or_default()
    }

    /// As [`boot`](Self::boot), for the system with this id.
    pub fn boot_system(&self, id: &str) -> Result<BootSource, Error> {
        let mut service = self.core.service();
        let named = |path: &str| path.rsplit('/').next() == Some(id);
        let system = service.systems.iter().position(|system| named(&system.path));
        Ok(service.boot(system.ok_or_else(|| Error::NoSystem(id.to_owned()))?))
    }

    /// A resource as a GET would show it.
    pub fn resource(&self, path: &str) -> Option<Value> {
        self.core.resource(path.trim_end_matches('/'))
    }

    /// Merges members into a resource (adding it where there is none), past all rules. Power and the
    /// boot override are not kept in resources: they have their own methods.
    pub fn merge_resource(&self, path: &str, members: &Value) {
        self.core.service().tree.merge(path.trim_end_matches('/'), members);
    }

    /// Ends every session: their tokens are refused from now on.
    pub fn end_sessions(&self) {
        self.core.service().end_sessions();
    }

    /// SHA-256 of the certificate, 64 lower-case hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        self.core.identity().fingerprint()
    }

    /// The certificate and its key.
    pub fn identity(&self) -> Identity {
        self.core.identity()
    }

    /// Shows another certificate to connections from now on; those that are open stay.
    pub fn set_identity(&self, identity: Identity) {
        self.core.set_identity(identity);
    }
}

impl fmt::Debug for Bmc {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Bmc").field(&self.state()).finish()
    }
}
