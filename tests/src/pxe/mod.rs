//! The PXE service: behaves as upstream pxesrv was observed to, oddities included.
//!
//! A client's link is looked up by its address: the one-shot link, then the persistent one, then
//! `default`. The one-shot link is deleted when it is read, before its target is opened, by `HEAD`
//! as well as by `GET`; its target is used as it stands in the link, so a relative one is not found.

mod access_log;
mod redirect;
mod request;
mod service;

pub(crate) use service::{PxeService, run};
