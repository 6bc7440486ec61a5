//! What to send, decided from what a service shows. No requests are made here.

pub(crate) mod boot;
pub(crate) mod event;
pub(crate) mod expand;
pub(crate) mod indicator;
pub(crate) mod manager;
pub(crate) mod media;
pub(crate) mod presumed;
pub(crate) mod reset;
pub(crate) mod sensor;
pub(crate) mod system;
pub(crate) mod tag;
pub(crate) mod task;
