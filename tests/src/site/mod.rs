//! The files of the site: what its hosts have in common and what the installer serves.

mod boot_files;
mod dhcpd;
mod hosts_file;
mod inventory;
mod known_hosts;
mod layer;
mod rsyslog;
mod slurm;
mod sshd;
mod workstation;

pub(crate) use boot_files::{setup as installer_setup, write_boot_files};
pub(crate) use dhcpd::write_dhcpd;
pub(crate) use hosts_file::hosts_file;
pub(crate) use known_hosts::known_hosts;
pub(crate) use layer::write_layer;
pub(crate) use rsyslog::RSYSLOG_CONF;
pub(crate) use workstation::{BMC_PASSWORD, BMC_USER, UserKey, write_workstation};
