//! The transport on reqwest and rustls (feature `https`).
//!
//! One [`Client`] serves any number of BMCs from any number of threads. It takes no proxy from the
//! environment, follows no redirect, asks for no compression, and sends nothing before the
//! certificate of the BMC was accepted.
//!
//! TLS 1.2 and 1.3 only. BMCs that offer nothing newer than TLS 1.1, RSA key exchange or CBC
//! ciphers only, certificates of X.509 version 1 or RSA keys below 2048 bits cannot be talked to.

mod cause;
mod client;
mod resolve;
mod tls;
mod verify;

pub use client::{Client, ClientBuilder, ClientError};
pub use resolve::{Resolver, SystemResolver};
pub use tls::{MinTls, MinTlsError, Trust};
