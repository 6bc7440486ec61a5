//! A lab as tests hold it.

mod bmc;
mod handle;
mod ipmi;
mod program;
mod request;
mod slurm;
mod start;
mod sweep;
mod workstation;

pub use bmc::BmcHandle;
pub use handle::Lab;
pub use ipmi::IpmiHandle;
pub(crate) use ipmi::chassis;
pub use slurm::Slurm;
pub use sweep::{running, sweep};
pub use workstation::Workstation;
