//! What is known of each step on one machine.

use std::net::IpAddr;

use crate::cause::Cause;

/// A machine to reinstall, fully resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Machine {
    /// The node's name.
    pub node: String,
    /// The address it boots with.
    pub address: IpAddr,
    /// The boot path its link points at.
    pub boot_path: String,
    /// Whether the link stays after the first request.
    pub persistent: bool,
}

/// Writing one boot link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Write {
    Written,
    Failed(Cause),
    Unknown(Cause),
}

/// Removing one boot link, or looking for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Remove {
    /// It was there and is gone.
    Removed,
    /// There was none any more.
    Absent,
    /// It is still there, or may be.
    Failed(Cause),
}

/// Setting the boot override.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Once {
    /// Set and read back; with a warning where it reads back differently.
    Set(Option<String>),
    NotSent(Cause),
    Refused(Cause),
    Unknown(Cause),
}

/// Clearing the boot override; `Err` when it is not proven that there is none.
pub(crate) type Clear = Result<(), Cause>;

/// Resetting the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reset {
    Sent,
    NotSent(Cause),
    Refused(Cause),
    Unknown(Cause),
}

/// What the steps do to the world; the real ones go out over ssh and Redfish.
pub(crate) trait Actions: Sync {
    /// Writes the links, one outcome a machine, in order.
    fn write_links(&self, machines: &[Machine]) -> Vec<Write>;
    /// Removes the links that were written, one outcome a machine, in order.
    fn remove_links(&self, machines: &[&Machine]) -> Vec<Remove>;
    /// Whether each link is still there; `None` where that cannot be read.
    fn links_present(&self, machines: &[&Machine]) -> Vec<Option<bool>>;
    /// Sets one machine to boot from the network once, and reads it back.
    fn boot_once(&self, machine: &Machine) -> Once;
    /// Clears the override of one machine, and reads it back.
    fn clear_boot_once(&self, machine: &Machine) -> Clear;
    /// Forgets the host keys of all machines, or of none.
    fn forget_host_keys(&self, machines: &[Machine]) -> Result<(), Cause>;
    /// Puts back what [`Actions::forget_host_keys`] removed of these machines.
    fn restore_host_keys(&self, machines: &[&Machine]) -> Result<(), Cause>;
    /// Resets one machine; sent at most once.
    fn reset(&self, machine: &Machine) -> Reset;
}
