//! One module an operation: what it asks, plans, changes and says.

pub mod bmc;
pub mod boot;
pub mod config;
pub mod dhcp;
pub mod exec;
pub mod hostkey;
pub mod inventory;
pub mod logs;
pub mod node;
pub mod provision_status;
pub mod reinstall;
pub mod slurm;
