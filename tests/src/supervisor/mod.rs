//! The one process that holds a lab together. It is process 1 of the lab's process namespace: when
//! it ends, however it ends, the kernel ends everything else and takes namespaces and mounts back.

mod bmc;
mod clock;
mod control;
mod host_process;
mod ipmi;
mod links;
mod machine;
mod network;
mod role;
mod site;
mod specs;
mod start;

pub(crate) use start::supervise;
