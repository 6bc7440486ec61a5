//! A service processor as tests hold it.

use super::handle::Lab;
use crate::error::Error;
use crate::wire::{BmcRequest, Request};
use bmc_sim::{BootOverride, Fault, RequestRecord, Rules, State};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A machine's service processor.
#[derive(Debug, Clone)]
pub struct BmcHandle<'a> {
    pub(super) lab: &'a Lab,
    pub(super) node: String,
}

impl BmcHandle<'_> {
    /// Power, boot override, sessions, counters.
    pub fn state(&self) -> Result<State, Error> {
        self.ask(BmcRequest::State)
    }

    /// The override for the next boot, whatever a read-back would show; `None`: it has none to set.
    pub fn boot_override(&self) -> Result<Option<BootOverride>, Error> {
        Ok(self.state()?.systems.into_iter().find_map(|system| system.boot))
    }

    /// Every request so far, oldest first.
    pub fn requests(&self) -> Result<Vec<RequestRecord>, Error> {
        self.ask(BmcRequest::Requests)
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) -> Result<(), Error> {
        self.tell(BmcRequest::Forget)
    }

    /// Adds a fault.
    pub fn add_fault(&self, fault: Fault) -> Result<(), Error> {
        self.tell(BmcRequest::Fault(fault))
    }

    /// Ends all faults, and has it reachable, listening and answering again.
    pub fn heal(&self) -> Result<(), Error> {
        self.tell(BmcRequest::Heal)
    }

    /// Changes the standing behaviour.
    pub fn change_rules(&self, change: impl FnOnce(&mut Rules)) -> Result<(), Error> {
        let mut rules: Rules = self.ask(BmcRequest::Rules)?;
        change(&mut rules);
        self.tell(BmcRequest::SetRules(Box::new(rules)))
    }

    /// Sets the boot override as at the console.
    pub fn set_boot_override(&self, boot: BootOverride) -> Result<(), Error> {
        self.tell(BmcRequest::SetOverride(boot))
    }

    /// Takes it off its network, so that there is no route to it, or puts it back.
    pub fn reachable(&self, on: bool) -> Result<(), Error> {
        self.tell(BmcRequest::Reachable(on))
    }

    /// Has connections refused, or taken again.
    pub fn listening(&self, on: bool) -> Result<(), Error> {
        self.tell(BmcRequest::Listening(on))
    }

    /// Has connections taken and never answered, or answered again.
    pub fn hanging(&self, on: bool) -> Result<(), Error> {
        self.tell(BmcRequest::Hanging(on))
    }

    fn ask<T: DeserializeOwned>(&self, what: BmcRequest) -> Result<T, Error> {
        self.lab.ask(&Request::Bmc { node: self.node.clone(), what })
    }

    fn tell(&self, what: BmcRequest) -> Result<(), Error> {
        self.ask::<Value>(what).map(drop)
    }
}
