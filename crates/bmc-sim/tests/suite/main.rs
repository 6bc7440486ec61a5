//! The simulator as its clients see it: over TLS, on loopback.

mod accounts;
mod boot;
mod client;
mod curl;
mod faults;
mod peers;
mod power;
mod reading;
mod recordings;
mod serving;
mod tags;
mod updates;
