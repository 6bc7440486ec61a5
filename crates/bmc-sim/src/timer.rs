//! What happens later: one thread per BMC, started by the first delayed job.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

type Job = Box<dyn FnOnce() + Send>;

/// Runs jobs when they are due. What is not due when it is dropped never runs.
#[derive(Default)]
pub(crate) struct Timer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: Vec<(Instant, Job)>,
    closed: bool,
}

impl Timer {
    pub(crate) fn after(&self, delay: Duration, job: impl FnOnce() + Send + 'static) {
        self.shared.queue().jobs.push((Instant::now() + delay, Box::new(job)));
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            let shared = Arc::clone(&self.shared);
            *thread = thread::Builder::new()
                .name("bmc-timer".to_owned())
                .spawn(move || shared.run())
                .ok();
        }
        self.shared.changed.notify_all();
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.shared.queue().closed = true;
        self.shared.changed.notify_all();
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        // A job can hold the last handle of its BMC: then this runs on the timer's own thread.
        if let Some(thread) = thread.filter(|it| it.thread().id() != thread::current().id()) {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut queue = self.queue();
        while !queue.closed {
            let now = Instant::now();
            let first = queue.jobs.iter().enumerate().min_by_key(|(_, (due, _))| *due);
            queue = match first.map(|(at, (due, _))| (at, *due)) {
                Some((at, due)) if due <= now => {
                    // Jobs due at the same time run in the order they came.
                    let (_, job) = queue.jobs.remove(at);
                    drop(queue);
                    job();
                    self.queue()
                }
                Some((_, due)) => {
                    let waited = self.changed.wait_timeout(queue, due - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}
