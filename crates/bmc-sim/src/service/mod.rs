//! The Redfish service: requests to responses, without any input or output of its own.

mod account;
mod account_service;
mod action;
mod indicator;
mod log;
mod media;
mod message;
mod metadata;
mod query;
mod read;
mod readings;
mod reset;
mod session;
mod state;
mod update;
mod update_boot;

pub(crate) use account::Account;
pub use account::Role;
pub(crate) use message::refusal;
pub(crate) use reset::Deed;
pub(crate) use state::Service;
