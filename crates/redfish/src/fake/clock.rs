//! A clock that only moves when someone waits.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Clock;

/// A [`Clock`] whose waits take no time and are added up.
#[derive(Debug)]
pub struct FakeClock {
    start: Instant,
    waited: Mutex<Duration>,
}

impl Default for FakeClock {
    fn default() -> Self {
        Self { start: Instant::now(), waited: Mutex::default() }
    }
}

impl FakeClock {
    /// All waits so far.
    pub fn waited(&self) -> Duration {
        *self.waited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Instant {
        self.start + self.waited()
    }

    fn sleep(&self, time: Duration) {
        *self.waited.lock().unwrap_or_else(PoisonError::into_inner) += time;
    }
}
