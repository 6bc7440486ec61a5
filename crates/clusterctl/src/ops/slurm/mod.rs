//! `slurm`: nodes in Slurm, asked and changed on the host of `slurm.role`.

mod change;
mod client;
mod idle;
mod list;

pub use change::{drain, resume};
pub use client::SlurmClient;
pub use idle::{JobLoss, refuse_busy};
pub use list::list;
