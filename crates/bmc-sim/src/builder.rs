//! Setting up a BMC.

use std::fmt;
use std::sync::Arc;

use crate::core::Core;
use crate::service::{Account, Service};
use crate::vendor::{Chosen, rules_of};
use crate::{Bmc, Error, Identity, Machine, Make, MemoryMachine, Power, Role, Rules, Tree};

/// Settings of a BMC to be built; see [`Bmc::builder`].
#[must_use]
pub struct Builder {
    tree: Tree,
    rules: Option<Rules>,
    chosen: Chosen,
    accounts: Vec<Account>,
    machine: Option<Arc<dyn Machine>>,
    named_machines: Vec<(String, Arc<dyn Machine>)>,
    identity: Option<Identity>,
}

impl Builder {
    pub(crate) fn new() -> Self {
        Self {
            tree: Tree::built_in(),
            rules: None,
            chosen: Chosen::default(),
            accounts: Vec::new(),
            machine: None,
            named_machines: Vec::new(),
            identity: None,
        }
    }

    /// The resources; by default [`Tree::built_in`].
    pub fn tree(mut self, tree: Tree) -> Self {
        self.tree = tree;
        self
    }

    /// The resources of a make: [`Tree::of_make`].
    pub fn make(self, make: Make) -> Self {
        self.tree(Tree::of_make(make))
    }

    /// With a row of the table of vendors, whatever the make ([`vendor_rules`](crate::vendor_rules)).
    pub fn with_rule(mut self, name: &str) -> Self {
        self.chosen.with.push(name.to_owned());
        self
    }

    /// Without a row of the table of vendors, although the make has it.
    pub fn without_rule(mut self, name: &str) -> Self {
        self.chosen.without.push(name.to_owned());
        self
    }

    /// The behaviour, in place of all that; by default what the tree is known for ([`Tree::rules`]).
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = Some(rules);
        self
    }

    /// Adds an administrator. Without any account there is `admin` with the password `password`.
    pub fn credentials(self, user: &str, password: &str) -> Self {
        self.account(user, password, Role::Administrator)
    }

    /// Adds an account.
    pub fn account(mut self, user: &str, password: &str, role: Role) -> Self {
        self.accounts.push(Account::new(user, password, role));
        self
    }

    /// The machine of the first system that can be reset; by default a [`MemoryMachine`].
    pub fn machine(mut self, machine: Arc<dyn Machine>) -> Self {
        self.machine = Some(machine);
        self
    }

    /// The machine of the system with this id, where one BMC serves several (Cray EX).
    pub fn machine_of(mut self, system: &str, machine: Arc<dyn Machine>) -> Self {
        self.named_machines.push((system.to_owned(), machine));
        self
    }

    /// The certificate; by default a fresh one for `localhost`.
    pub fn identity(mut self, identity: Identity) -> Self {
        self.identity = Some(identity);
        self
    }

    /// The BMC. It answers once it is given a listener ([`Bmc::serve`]).
    pub fn build(mut self) -> Result<Bmc, Error> {
        let identity = match self.identity.take() {
            Some(identity) => identity,
            None => Identity::generate(["localhost"])?,
        };
        if self.accounts.is_empty() {
            self = self.credentials("admin", "password");
        }
        let mut machines = Vec::new();
        for system in self.tree.systems() {
            let id = system.path.rsplit('/').next().unwrap_or_default();
            let named = self.named_machines.iter().position(|(name, _)| name == id);
            machines.push(match named {
                _ if !system.resettable => None,
                Some(at) => Some(self.named_machines.swap_remove(at).1),
                None => Some(self.machine.take().unwrap_or_else(|| {
                    Arc::new(MemoryMachine::new(system.power.unwrap_or(Power::On)))
                })),
            });
        }
        if let Some((name, _)) = self.named_machines.into_iter().next() {
            return Err(Error::NoSystem(name));
        }
        if self.machine.is_some() {
            return Err(Error::NoSystem("at all".to_owned()));
        }
        let known = rules_of(&self.tree, &self.chosen)?;
        let rules = self.rules.unwrap_or(known);
        let service = Service::new(self.tree, rules, self.accounts);
        Ok(Bmc::new(Arc::new(Core::new(service, machines, identity))))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("accounts", &self.accounts).finish_non_exhaustive()
    }
}
