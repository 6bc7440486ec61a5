//! `boot`: the links on the PXE host.

mod list;
mod plan;
mod pxe_host;
mod set;
mod status;
mod unset;

pub use list::list;
pub(crate) use plan::lines;
pub use plan::{Planned, Wish, plan};
pub use pxe_host::PxeHost;
pub use set::set;
pub use status::status;
pub use unset::unset;
