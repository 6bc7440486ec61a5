//! Ctrl-C: the first ends what may end, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Whether the person asked the run to end; cheap to clone and to ask.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    raised: AtomicBool,
    waiters: Mutex<()>,
    changed: Condvar,
}

impl Interrupt {
    /// An interrupt that no signal raises; tests and embedders raise it themselves.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Whether it was raised: nothing new starts any more.
    pub fn is_raised(&self) -> bool {
        self.state.raised.load(Ordering::SeqCst)
    }

    /// Raises it and wakes everybody who sleeps in [`Interrupt::sleep`].
    pub fn raise(&self) {
        self.state.raised.store(true, Ordering::SeqCst);
        let _guard = self.state.waiters.lock().unwrap_or_else(PoisonError::into_inner);
        self.state.changed.notify_all();
    }

    /// Sleeps for `pause`, or until it is raised; says whether it was.
    pub fn sleep(&self, pause: Duration) -> bool {
        let guard = self.state.waiters.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.state.changed.wait_timeout_while(guard, pause, |()| !self.is_raised());
        drop(waited);
        self.is_raised()
    }

    /// Listens to SIGINT, SIGTERM and SIGHUP on a thread of its own: the first raises the
    /// interrupt, a second ends the process at once with 130.
    pub fn listen(&self) -> std::io::Result<()> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let interrupt = self.clone();
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for _signal in signals.forever() {
                if interrupt.is_raised() {
                    signal_hook::low_level::exit(130);
                }
                interrupt.raise();
            }
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_sleep_ends_when_the_interrupt_is_raised() {
        let interrupt = Interrupt::new();
        let other = interrupt.clone();
        let started = Instant::now();
        let raiser = std::thread::spawn(move || other.raise());
        assert!(interrupt.sleep(Duration::from_secs(30)));
        assert!(started.elapsed() < Duration::from_secs(10));
        raiser.join().unwrap();
    }
}
