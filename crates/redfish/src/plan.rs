//! What to send, decided from what a service shows. No requests are made here.

pub(crate) mod boot;
pub(crate) mod reset;
pub(crate) mod system;
pub(crate) mod tag;
