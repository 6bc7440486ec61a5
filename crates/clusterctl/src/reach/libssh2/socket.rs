//! The stream below a session: to the host itself, or to the thread that bridges a jump host.

use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::net::{AddressFamily, SocketFlags, SocketType, connect, ipproto, socket_with, sockopt};

use crate::reach::libssh2::{Failure, Patience};
use crate::reach::{Delivery, ReachError, ReachErrorKind};

/// A connected stream that does not block.
#[derive(Debug)]
pub(in crate::reach) enum Socket {
    Tcp(TcpStream),
    Bridge(UnixStream),
}

impl Socket {
    /// Connects to a host: every address in turn, as long as the patience lasts.
    pub(in crate::reach) fn connect(
        host: &str,
        port: u16,
        family: Option<&str>,
        patience: Patience<'_>,
    ) -> Result<Socket, Failure> {
        let addresses = resolve(host, port, family, patience)?;
        let mut last = Failure::TimedOut;
        for address in addresses {
            match connect_to(address, patience) {
                Ok(stream) => return Ok(Socket::Tcp(stream)),
                Err(Failure::Interrupted) => return Err(Failure::Interrupted),
                Err(failure) => last = failure,
            }
        }
        Err(last)
    }

    /// Ends both directions, so that no later call waits for the other side.
    pub(in crate::reach) fn shut_down(&self) {
        // The other side may have gone already.
        let _ = match self {
            Socket::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Socket::Bridge(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    /// Whether the other side has ended the stream; asks without waiting or reading.
    pub(in crate::reach) fn is_dead(&self) -> bool {
        let mut byte = [0];
        let flags = rustix::net::RecvFlags::PEEK | rustix::net::RecvFlags::DONTWAIT;
        match rustix::net::recv(self, &mut byte, flags) {
            Ok((0, _)) => true,
            Ok(_) | Err(rustix::io::Errno::AGAIN) => false,
            Err(_) => true,
        }
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Socket::Tcp(stream) => stream.as_fd(),
            Socket::Bridge(stream) => stream.as_fd(),
        }
    }
}

impl AsRawFd for Socket {
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_fd()
    }
}

/// The addresses of a name. The resolver of the system cannot be interrupted, so a thread asks it.
fn resolve(
    host: &str,
    port: u16,
    family: Option<&str>,
    patience: Patience<'_>,
) -> Result<Vec<SocketAddr>, Failure> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let (sender, receiver) = mpsc::channel();
    let name = host.to_owned();
    let resolver = move || {
        let found = (name.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        // Nobody listens any more when the patience was over.
        let _ = sender.send(found);
    };
    std::thread::Builder::new()
        .name("resolve".to_owned())
        .spawn(resolver)
        .map_err(Failure::Socket)?;
    let unresolved = |why: &str| {
        let text = format!("could not resolve {host}: {why}");
        Failure::Worded(ReachError::new(ReachErrorKind::Resolve, Delivery::NotSent, text))
    };
    loop {
        match patience.check() {
            Err(Failure::TimedOut) => return Err(unresolved("timed out")),
            other => other?,
        }
        match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok(Ok(mut addresses)) => {
                addresses.retain(|address| match family {
                    Some("inet") => address.is_ipv4(),
                    Some("inet6") => address.is_ipv6(),
                    _ => true,
                });
                if addresses.is_empty() {
                    return Err(unresolved("no address"));
                }
                return Ok(addresses);
            }
            Ok(Err(error)) => {
                let text = error.to_string();
                let why = text.rsplit(": ").next().unwrap_or(&text);
                return Err(unresolved(why));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(unresolved("no answer")),
        }
    }
}

fn connect_to(address: SocketAddr, patience: Patience<'_>) -> Result<TcpStream, Failure> {
    let system = |error: rustix::io::Errno| Failure::Socket(error.into());
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let fd: OwnedFd =
        socket_with(family, SocketType::STREAM, flags, Some(ipproto::TCP)).map_err(system)?;
    match connect(&fd, &address) {
        Ok(()) => {}
        Err(rustix::io::Errno::INPROGRESS) => {
            while !patience.wait(&mut [PollFd::new(&fd, PollFlags::OUT)])? {}
            sockopt::socket_error(&fd).map_err(system)?.map_err(system)?;
        }
        Err(error) => return Err(system(error)),
    }
    let stream = TcpStream::from(fd);
    // A request is one small packet after the other: waiting for more would only add delay.
    stream.set_nodelay(true).map_err(Failure::Socket)?;
    Ok(stream)
}
