//! A bound on requests at a time.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::{Request, Response};

use crate::{Delivery, TimeLeft, Transport, TransportError, TransportErrorKind};

/// How many requests are under way at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrency {
    /// To all BMCs together; at least 1.
    pub total: usize,
    /// To one BMC; at least 1. BMCs are slow, and some answer for several machines (Cray EX).
    pub per_bmc: usize,
}

impl Default for Concurrency {
    fn default() -> Self {
        Self { total: 256, per_bmc: 2 }
    }
}

/// A transport that keeps to a [`Concurrency`]. A request whose time is up before its turn comes is
/// not sent.
#[derive(Debug)]
pub struct Throttle<T> {
    inner: T,
    limits: Concurrency,
    under_way: Mutex<UnderWay>,
    done: Condvar,
}

#[derive(Debug, Default)]
struct UnderWay {
    total: usize,
    by_bmc: HashMap<String, usize>,
}

impl<T: Transport> Throttle<T> {
    /// Bounds a transport.
    pub fn new(inner: T, limits: Concurrency) -> Self {
        Self { inner, limits, under_way: Mutex::default(), done: Condvar::new() }
    }

    /// The transport that is bounded.
    pub fn inner(&self) -> &T {
        &self.inner
    }

    /// Waits for a turn; nothing where the time is up before.
    fn enter(&self, bmc: &str, time: Option<Duration>) -> Option<Turn<'_, T>> {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let mut under_way = self.under_way();
        loop {
            let here = under_way.by_bmc.get(bmc).copied().unwrap_or_default();
            if under_way.total < self.limits.total.max(1) && here < self.limits.per_bmc.max(1) {
                under_way.total += 1;
                *under_way.by_bmc.entry(bmc.to_owned()).or_default() += 1;
                return Some(Turn { throttle: self, bmc: bmc.to_owned() });
            }
            under_way = match deadline {
                None => self.done.wait(under_way).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return None;
                    }
                    let waited = self.done.wait_timeout(under_way, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn under_way(&self) -> MutexGuard<'_, UnderWay> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Transport> Transport for Throttle<T> {
    fn send(&self, mut request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        let bmc = request.uri().authority().map(ToString::to_string).unwrap_or_default();
        let time = request.extensions().get::<TimeLeft>().map(|left| left.0);
        let start = Instant::now();
        let not_sent = || TransportError::new(TransportErrorKind::Timeout, Delivery::NotSent);
        let _turn = self.enter(&bmc, time).ok_or_else(not_sent)?;
        if let Some(time) = time {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Err(not_sent());
            }
            request.extensions_mut().insert(TimeLeft(left));
        }
        self.inner.send(request)
    }
}

/// A request under way; its end, a panic included, makes room for the next.
struct Turn<'a, T: Transport> {
    throttle: &'a Throttle<T>,
    bmc: String,
}

impl<T: Transport> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        let mut under_way = self.throttle.under_way();
        under_way.total = under_way.total.saturating_sub(1);
        if let Some(here) = under_way.by_bmc.get_mut(&self.bmc) {
            *here = here.saturating_sub(1);
            if *here == 0 {
                under_way.by_bmc.remove(&self.bmc);
            }
        }
        drop(under_way);
        // A turn that is free for one BMC may not be what the thread that wakes waits for.
        self.throttle.done.notify_all();
    }
}
