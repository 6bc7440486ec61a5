//! Hosts reached by libssh2, in this process.
//!
//! One connection carries one channel at a time and is kept for later requests of the run. Every
//! wait is a poll with an end; nothing blocks inside libssh2.

mod authenticate;
mod bridge;
mod channel;
mod connection;
mod dial;
mod failure;
mod handshake;
mod pool;
mod socket;
mod wait;

pub(super) use connection::{Connection, reach_port};
pub(super) use dial::Libssh2;
pub(super) use failure::Failure;
pub(super) use handshake::{Offer, shake_hands};
pub(super) use pool::{Lease, Pool};
pub(super) use socket::Socket;
pub(super) use wait::Patience;
