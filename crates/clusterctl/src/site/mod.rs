//! The site as one context sees it: machines, their names, roles, rules.

mod attributes;
mod boot_rule;
mod distinct;
mod host_name;
mod inventory;
mod machine;
mod naming;
mod node;
mod protected;
mod resolved;
mod role;
mod validate;

pub use attributes::Attributes;
pub use boot_rule::{BootRule, BootRuleError};
pub use host_name::{HostName, HostNameError};
pub use inventory::{Inventory, InventoryNode};
pub use machine::MachineError;
pub use naming::Naming;
pub use node::{NoBmc, Node, NodeName};
pub use protected::Protected;
pub use resolved::Site;
pub use role::RoleError;
