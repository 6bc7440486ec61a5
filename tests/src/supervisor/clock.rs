//! Waiting for something to become true.

use crate::error::Error;
use std::time::{Duration, Instant};

/// Longest wait for a host.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Asks until there is an answer, at most for [`PATIENCE`].
pub(crate) fn wait_for<T>(
    what: impl Fn() -> String,
    mut ask: impl FnMut() -> Result<Option<T>, Error>,
) -> Result<T, Error> {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask()? {
            return Ok(answer);
        }
        if start.elapsed() > PATIENCE {
            return Err(Error::Timeout { waiting: what(), seconds: PATIENCE.as_secs() });
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}
