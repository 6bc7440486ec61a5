//! Waiting with an end: for a socket, until a moment, unless interrupted.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use ssh2::{BlockDirections, ErrorCode, Session};

use crate::interrupt::Interrupt;
use crate::reach::libssh2::failure::Failure;

/// How long something may still take, and who may end it sooner.
#[derive(Debug, Clone, Copy)]
pub(in crate::reach) struct Patience<'a> {
    pub interrupt: &'a Interrupt,
    pub deadline: Instant,
}

/// How long a poll lasts at most before the interrupt is looked at again.
const SLICE: Duration = Duration::from_millis(200);

impl<'a> Patience<'a> {
    /// Patience that lasts for a while from now.
    pub(in crate::reach) fn lasting(interrupt: &'a Interrupt, time: Duration) -> Patience<'a> {
        Patience { interrupt, deadline: Instant::now() + time }
    }

    /// Whether it has come to an end.
    pub(in crate::reach) fn check(&self) -> Result<(), Failure> {
        if self.interrupt.is_raised() {
            return Err(Failure::Interrupted);
        }
        if Instant::now() >= self.deadline {
            return Err(Failure::TimedOut);
        }
        Ok(())
    }

    /// Waits for one of the descriptors, for a slice of time at most; says whether one is ready.
    pub(in crate::reach) fn wait(&self, fds: &mut [PollFd<'_>]) -> Result<bool, Failure> {
        self.check()?;
        let left = self.deadline.saturating_duration_since(Instant::now()).min(SLICE);
        // A slice is far below what a Timespec can hold.
        let timeout = Timespec::try_from(left).ok();
        match poll(fds, timeout.as_ref()) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(Failure::Socket(error.into())),
        }
    }
}

/// What libssh2 waits for.
pub(super) fn directions(session: &Session) -> PollFlags {
    match session.block_directions() {
        BlockDirections::Outbound => PollFlags::OUT,
        BlockDirections::Both => PollFlags::IN | PollFlags::OUT,
        BlockDirections::Inbound | BlockDirections::None => PollFlags::IN,
    }
}

/// Whether libssh2 only asks to be called again.
pub(super) fn again(error: &ssh2::Error) -> bool {
    error.code() == ErrorCode::Session(EAGAIN)
}

const EAGAIN: i32 = -37;

/// Calls `step` until libssh2 has finished it.
pub(super) fn drive<T>(
    session: &Session,
    socket: &impl AsFd,
    patience: Patience<'_>,
    mut step: impl FnMut() -> Result<T, ssh2::Error>,
) -> Result<T, Failure> {
    loop {
        match step() {
            Err(error) if again(&error) => {
                patience.wait(&mut [PollFd::new(socket, directions(session))])?;
            }
            Err(error) => return Err(Failure::Protocol(error)),
            Ok(value) => return Ok(value),
        }
    }
}

/// Calls `step` once and says `None` when it only waits for the other side. A packet that is sent
/// in part has to be finished by the very same call (libssh2, `libssh2_session_block_directions`),
/// so that is waited for here.
pub(super) fn attempt<T>(
    session: &Session,
    socket: &impl AsFd,
    patience: Patience<'_>,
    mut step: impl FnMut() -> std::io::Result<T>,
) -> Result<Option<T>, Failure> {
    loop {
        match step() {
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                let flags = directions(session);
                if !flags.contains(PollFlags::OUT) {
                    return Ok(None);
                }
                patience.wait(&mut [PollFd::new(socket, flags)])?;
            }
            Err(error) => return Err(Failure::Socket(error)),
            Ok(value) => return Ok(Some(value)),
        }
    }
}
