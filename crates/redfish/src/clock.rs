//! Time, so that tests do not wait.

use std::fmt;
use std::time::{Duration, Instant};

/// The clock an operation runs by.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The time now.
    fn now(&self) -> Instant;
    /// Waits; may return early.
    fn sleep(&self, time: Duration);
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// How long an operation on a BMC may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// One deadline for all requests and waits of an operation.
    pub operation: Duration,
}

impl Default for Limits {
    /// Two minutes: a slow BMC needs 30 s for some answers, and an operation asks a few times.
    fn default() -> Self {
        Self { operation: Duration::from_mins(2) }
    }
}
