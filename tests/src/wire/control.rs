//! Between tests and the supervisor, over the control socket.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// What a test asks of a running lab. One request a connection.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Request {
    /// [`super::Overview`].
    Overview,
    /// [`super::HostState`] of a host.
    Host(String),
    /// [`super::NodeState`] of a machine.
    Node(String),
    /// Switches a machine's power at the plug, past its service processor.
    Power {
        /// The machine.
        node: String,
        /// On or off.
        on: bool,
    },
    /// Something of a machine's service processor.
    Bmc {
        /// The machine.
        node: String,
        /// What.
        what: BmcRequest,
    },
    /// Something of a machine's IPMI.
    Ipmi {
        /// The machine.
        node: String,
        /// What.
        what: IpmiRequest,
    },
    /// Takes a host's link down, or up.
    Link {
        /// The host.
        host: String,
        /// Whether it carries.
        up: bool,
    },
    /// Ends a role host with everything on it, or starts it again.
    Running {
        /// The host.
        host: String,
        /// Whether it is to run.
        on: bool,
    },
    /// Starts or ends one service of a host.
    Service {
        /// The host.
        host: String,
        /// As in `sshd`, `dhcpd`, `tftpd`, `rsyslogd`, `pxesrv`, `slurmctld`, `slurmd`.
        service: String,
        /// Whether it is to run.
        on: bool,
    },
    /// Fills the file system of the PXE service's links, or gives the room back.
    DiskFull(bool),
    /// Makes a path of a host read-only, or writable again.
    ReadOnly {
        /// The host.
        host: String,
        /// The path there.
        path: PathBuf,
        /// Whether it is to be read-only.
        on: bool,
    },
    /// [`super::LinkState`].
    Links,
    /// [`super::Snapshot`].
    Snapshot,
}

/// What a test asks of a service processor.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BmcRequest {
    /// [`bmc_sim::State`].
    State,
    /// The list of [`bmc_sim::RequestRecord`].
    Requests,
    /// Forgets the requests so far.
    Forget,
    /// Adds a fault.
    Fault(bmc_sim::Fault),
    /// Ends all faults, and has it reachable, listening and answering again.
    Heal,
    /// Its standing behaviour: [`bmc_sim::Rules`].
    Rules,
    /// Replaces the standing behaviour.
    SetRules(Box<bmc_sim::Rules>),
    /// Sets the boot override as at the console.
    SetOverride(bmc_sim::BootOverride),
    /// On its network or not: without, there is no route to it.
    Reachable(bool),
    /// Listening or not: without, connections are refused.
    Listening(bool),
    /// Whether connections are taken and never answered.
    Hanging(bool),
}

/// What a test, or the simulator itself, asks of a machine's IPMI.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IpmiRequest {
    /// What the simulator wants of its chassis; the text it reads.
    Chassis(Vec<String>),
    /// The list of what it wanted so far.
    Calls,
    /// Whether anything answers.
    Listening(bool),
    /// How the chassis fails from now on.
    Fail(Option<ChassisFault>),
}

/// How a machine's chassis fails when `ipmi_sim` would change something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the lab's own")]
pub enum ChassisFault {
    /// It refuses.
    Refuse,
    /// It does what it is told, and does not answer in time.
    Hang,
}

/// What the supervisor answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    /// Done; the value asked for, or null.
    Ok(Value),
    /// Not done, and why.
    Error(String),
}
