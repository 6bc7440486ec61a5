//! One line of a run.

use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase")]
pub(crate) enum Event {
    /// A run begins: what it is and which nodes it is about.
    #[serde(rename_all = "camelCase")]
    Start {
        version: u32,
        run: String,
        command: String,
        context: String,
        cluster: String,
        nodes: Vec<String>,
    },
    /// A step on a node came to something.
    Step { node: String, step: String, status: String },
    /// What became of a node: `ok`, `failed`, `unreachable` or `notTried`, and why.
    Node {
        node: String,
        status: Status,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// The run ended with this exit code.
    #[serde(rename_all = "camelCase")]
    End { exit_code: u8 },
}

/// What became of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Status {
    Ok,
    Failed,
    Unreachable,
    NotTried,
}

/// A line: the time in front of what happened.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) time: String,
    #[serde(flatten)]
    pub(crate) event: Event,
}
