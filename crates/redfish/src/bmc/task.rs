//! Tasks.

use std::time::Duration;

use super::Bmc;
use super::exchange::Run;
use crate::{Error, ResourcePath, TaskState, Transport, plan};

/// Between two reads of a monitor that asks for no other wait.
const POLL: Duration = Duration::from_secs(2);

impl<T: Transport> Bmc<T> {
    /// Reads the monitor of a task until the task ends or the time is up, waiting as long as the BMC
    /// asks (`Retry-After`).
    ///
    /// A reset is better followed by its power state: [`wait_for`](Self::wait_for).
    pub fn wait_for_task(
        &self,
        monitor: &ResourcePath,
        time: Duration,
    ) -> Result<TaskState, Error> {
        let mut run = self.begin();
        run.deadline = self.clock.now() + time;
        if let Some(until) = self.until {
            run.deadline = run.deadline.min(until);
        }
        self.await_task(&run, monitor)
    }

    pub(super) fn await_task(&self, run: &Run, monitor: &ResourcePath) -> Result<TaskState, Error> {
        loop {
            let answer = self.read(run, monitor)?;
            if answer.status == http::StatusCode::UNAUTHORIZED {
                return Err(self.refusal(&answer, monitor, crate::Delivery::NotSent));
            }
            let state = plan::task::state(answer.status.as_u16(), answer.resource());
            let wait = answer.retry_after().unwrap_or(POLL);
            if state != TaskState::Running || !self.wait(run, wait) {
                return Ok(state);
            }
        }
    }
}
