//! Accepting connections.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};

use crate::connection;
use crate::core::Core;

/// Connections at a time; more are dropped without a word, as OpenBMC does.
const MOST_CONNECTIONS: usize = 200;

/// A BMC that is being served. Dropping it stops it.
///
/// Each of at most 200 connections has a thread; none of them, and no open connection, outlives this. A
/// machine that is acting is waited for: do not drop this within [`Machine::act`](crate::Machine::act).
pub struct Running {
    address: SocketAddr,
    control: Arc<Control>,
    /// Wakes the accepting thread.
    wake: UnixStream,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(core: Arc<Core>, listener: TcpListener) -> io::Result<Self> {
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let (wake, woken) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        let control = Arc::new(Control::default());
        let acceptor = Acceptor { core, listener, woken, control: Arc::clone(&control) };
        let thread =
            thread::Builder::new().name("bmc-accept".to_owned()).spawn(move || acceptor.run())?;
        Ok(Self { address, control, wake, thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts no more connections: a client can connect (the kernel queues it), but no handshake is
    /// answered, as with a BMC that hangs. Open connections go on. For a refused connection stop it,
    /// and serve on another listener later: the BMC keeps its state.
    pub fn pause(&self) {
        self.set(|phase| phase.paused = true);
    }

    /// Accepts again, those that waited first.
    pub fn resume(&self) {
        self.set(|phase| phase.paused = false);
    }

    /// Closes the listener and every connection, and waits for their threads.
    pub fn stop(mut self) {
        self.finish();
    }

    fn finish(&mut self) {
        self.set(|phase| phase.stopped = true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    fn set(&self, change: impl FnOnce(&mut Phase)) {
        change(&mut self.control.phase());
        self.control.changed.notify_all();
        // The only failure is a full pipe, and then the thread wakes anyway.
        let _ = (&self.wake).write(&[0]);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.finish();
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Running").field("address", &self.address).finish_non_exhaustive()
    }
}

/// What the threads of one [`Running`] are told.
#[derive(Default)]
pub(crate) struct Control {
    phase: Mutex<Phase>,
    changed: Condvar,
}

#[derive(Clone, Copy, Default)]
struct Phase {
    paused: bool,
    stopped: bool,
}

impl Control {
    /// Waits; `false` where it was stopped meanwhile.
    pub(crate) fn wait(&self, time: Duration) -> bool {
        let waiting = self.changed.wait_timeout_while(self.phase(), time, |phase| !phase.stopped);
        let (phase, _) = waiting.unwrap_or_else(PoisonError::into_inner);
        !phase.stopped
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Acceptor {
    core: Arc<Core>,
    listener: TcpListener,
    woken: UnixStream,
    control: Arc<Control>,
}

impl Acceptor {
    fn run(self) {
        let mut open: Vec<(TcpStream, JoinHandle<()>)> = Vec::new();
        loop {
            let paused = self.control.phase().paused;
            self.sleep(paused);
            // Under the lock: after a pause has been asked for nothing is accepted.
            let phase = self.control.phase();
            if phase.stopped {
                break;
            }
            if phase.paused {
                continue;
            }
            let accepted = self.listener.accept();
            drop(phase);
            match accepted {
                Ok((stream, _)) => {
                    open.retain(|(_, thread)| !thread.is_finished());
                    if open.len() >= MOST_CONNECTIONS {
                        continue;
                    }
                    // Without a thread or a second handle the connection is dropped: as good as refused.
                    if let Ok(connection) = self.open(stream) {
                        open.push(connection);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                // Out of descriptors, or the peer has left: not at full speed.
                Err(_) => {
                    self.control.wait(Duration::from_millis(20));
                }
            }
        }
        drop(self.listener);
        for (stream, thread) in open {
            let _ = stream.shutdown(Shutdown::Both);
            let _ = thread.join();
        }
    }

    /// Sleeps until there is a connection to accept (unless paused) or something was said.
    fn sleep(&self, paused: bool) {
        let mut both =
            [PollFd::new(&self.woken, PollFlags::IN), PollFd::new(&self.listener, PollFlags::IN)];
        let watched = if paused { &mut both[..1] } else { &mut both[..] };
        // An interrupted sleep is a short one.
        let _ = poll(watched, None);
        while (&self.woken).read(&mut [0; 16]).is_ok_and(|read| read > 0) {}
    }

    fn open(&self, stream: TcpStream) -> io::Result<(TcpStream, JoinHandle<()>)> {
        stream.set_nonblocking(false)?;
        let handle = stream.try_clone()?;
        let (core, control) = (Arc::clone(&self.core), Arc::clone(&self.control));
        let thread = thread::Builder::new()
            .name("bmc-connection".to_owned())
            .spawn(move || connection::serve(&core, &stream, &control))?;
        Ok((handle, thread))
    }
}
