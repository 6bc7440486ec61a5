//! A stream through a jump host: a channel of its connection (RFC 4254 7.2), and a thread that
//! carries bytes between the channel and one end of a socket pair. libssh2 wants a socket.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use ssh2::Channel;

use crate::interrupt::Interrupt;
use crate::reach::libssh2::pool::Lease;
use crate::reach::libssh2::wait::{attempt, directions, drive};
use crate::reach::libssh2::{Failure, Patience, Socket};

/// Opens a stream to a host and port as the jump host sees them. The jump host's connection is
/// given back when the stream has ended.
pub(super) fn open(
    lease: Lease,
    host: &str,
    port: u16,
    patience: Patience<'_>,
) -> Result<Socket, Failure> {
    let jump = lease.connection();
    let channel = drive(&jump.session, jump.socket.as_ref(), patience, || {
        jump.session.channel_direct_tcpip(host, port, None)
    });
    let channel = match channel {
        Ok(channel) => channel,
        Err(failure) => {
            // Only a plain refusal of the jump host leaves its connection as it was.
            let refused = matches!(&failure, Failure::Protocol(error)
                if error.code() == ssh2::ErrorCode::Session(CHANNEL_FAILURE));
            if !refused {
                lease.discard();
            }
            return Err(failure);
        }
    };
    let (ours, theirs) = UnixStream::pair().map_err(Failure::Socket)?;
    ours.set_nonblocking(true).map_err(Failure::Socket)?;
    theirs.set_nonblocking(true).map_err(Failure::Socket)?;
    std::thread::Builder::new()
        .name("bridge".to_owned())
        .spawn(move || carry(lease, channel, theirs))
        .map_err(Failure::Socket)?;
    Ok(Socket::Bridge(ours))
}

const CHANNEL_FAILURE: i32 = -21;

/// Carries bytes until one side ends. The person's interrupt does not end this: whoever uses the
/// stream shuts it down.
fn carry(lease: Lease, mut channel: Channel, mut local: UnixStream) {
    let never = Interrupt::new();
    let ended = shuttle(&lease, &mut channel, &mut local, &never);
    drop(local);
    let jump = lease.connection();
    let patience = Patience::lasting(&never, Duration::from_secs(2));
    let closed = ended.and_then(|()| {
        drive(&jump.session, jump.socket.as_ref(), patience, || channel.close())?;
        drive(&jump.session, jump.socket.as_ref(), patience, || channel.wait_close())
    });
    if closed.is_err() {
        jump.socket.shut_down();
    }
    drop(channel);
    if closed.is_err() {
        lease.discard();
    }
}

/// Bytes on their way to one side.
#[derive(Default)]
struct Pending {
    bytes: Vec<u8>,
    sent: usize,
}

impl Pending {
    fn is_empty(&self) -> bool {
        self.sent == self.bytes.len()
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.sent..]
    }

    fn fill(&mut self, bytes: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        self.sent = 0;
    }
}

fn shuttle(
    lease: &Lease,
    channel: &mut Channel,
    local: &mut UnixStream,
    never: &Interrupt,
) -> Result<(), Failure> {
    let jump = lease.connection();
    let mut buffer = vec![0; 32 * 1024];
    let (mut inbound, mut outbound) = (Pending::default(), Pending::default());
    loop {
        // Nobody waits for an end here: whoever uses the stream shuts it down.
        let patience = Patience::lasting(never, Duration::from_hours(24));
        let (session, socket) = (&jump.session, jump.socket.as_ref());
        let mut moved = false;
        if outbound.is_empty() {
            match local.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => outbound.fill(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(Failure::Socket(error)),
            }
        }
        if !outbound.is_empty() {
            let sent = attempt(session, socket, patience, || channel.write(outbound.rest()))?;
            outbound.sent += sent.unwrap_or(0);
            moved |= sent.is_some();
        }
        if inbound.is_empty() {
            match attempt(session, socket, patience, || channel.read(&mut buffer))? {
                Some(0) if channel.eof() => return Ok(()),
                Some(count) => inbound.fill(&buffer[..count]),
                None => {}
            }
        }
        if !inbound.is_empty() {
            match local.write(inbound.rest()) {
                Ok(count) => {
                    inbound.sent += count;
                    moved |= count > 0;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // The user of the stream has shut it down.
                Err(_) => return Ok(()),
            }
        }
        if moved {
            continue;
        }
        let mut flags = PollFlags::empty();
        flags.set(PollFlags::IN, outbound.is_empty());
        flags.set(PollFlags::OUT, !inbound.is_empty());
        let mut fds = [PollFd::new(socket, directions(session)), PollFd::new(&*local, flags)];
        patience.wait(&mut fds)?;
        let local_end = fds[1].revents();
        if local_end.intersects(PollFlags::HUP | PollFlags::ERR) && !outbound.is_empty() {
            return Ok(());
        }
    }
}
