//! What a BMC and its machines are at, in a form that crosses a socket.

use serde::{Deserialize, Serialize};

use crate::{BootOverride, Power};

/// A BMC at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The systems, in the order of their collection.
    pub systems: Vec<SystemState>,
    /// Sessions that are logged in.
    pub sessions: usize,
    /// Connections accepted so far.
    pub connections: u64,
    /// TLS handshakes completed so far.
    pub handshakes: u64,
    /// Requests read so far.
    pub requests: u64,
    /// SHA-256 of the certificate, in hexadecimal digits.
    pub fingerprint: String,
}

/// One system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemState {
    /// Its path.
    pub path: String,
    /// The machine's power; `None`: nothing that can be switched (a GPU baseboard).
    pub power: Option<Power>,
    /// The override for the next boot, whatever a read-back shows; `None`: this BMC has none.
    pub boot: Option<BootOverride>,
}
