//! What needs a question, and how many at once.

use std::num::NonZeroUsize;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::decode::duration;

/// What needs a question.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SafetySpec {
    /// Machines that are never changed without `--force`: names, addresses, BMC names, node sets.
    pub protected_hosts: Vec<String>,
    /// Above this many hosts the count has to be typed.
    pub confirm_above: usize,
    /// Whether Slurm is asked before a node loses its jobs.
    pub slurm_aware: bool,
    /// How many machines are powered on or reset together at most.
    pub power_on_batch: NonZeroUsize,
    /// The pause between two batches.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub power_on_stagger: Duration,
}

impl Default for SafetySpec {
    fn default() -> Self {
        SafetySpec {
            protected_hosts: Vec::new(),
            confirm_above: 8,
            slurm_aware: true,
            power_on_batch: NonZeroUsize::new(8).unwrap_or(NonZeroUsize::MIN),
            power_on_stagger: Duration::from_secs(5),
        }
    }
}

/// How many hosts at once, and how long they get.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FanoutSpec {
    /// How many hosts are reached at a time.
    pub max: NonZeroUsize,
    /// How long a connection may take in a command on many hosts.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub connect_timeout: Duration,
    /// How long a command may run, enforced on the host.
    #[serde(with = "duration")]
    #[schemars(with = "String")]
    pub command_timeout: Duration,
}

impl Default for FanoutSpec {
    fn default() -> Self {
        FanoutSpec {
            max: NonZeroUsize::new(16).unwrap_or(NonZeroUsize::MIN),
            connect_timeout: Duration::from_secs(30),
            command_timeout: Duration::from_mins(10),
        }
    }
}
