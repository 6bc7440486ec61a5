//! One command on one channel.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use ssh2::{Channel, ErrorCode};

use crate::reach::libssh2::wait::{attempt, directions, drive};
use crate::reach::libssh2::{Connection, Failure, Patience};
use crate::reach::login::Login;
use crate::reach::wire::{self, TRAILER, Wire};
use crate::reach::{Answer, Delivery, Ended, Request, Tap};

/// A command's answer, and whether the connection can carry another one.
pub(in crate::reach) struct Spoken {
    pub answer: Answer,
    pub reusable: bool,
}

/// A failed request: what happened, and what is known of it.
pub(in crate::reach) type Broken = (Failure, Delivery);

impl Connection {
    /// Runs a command to its end.
    pub(in crate::reach) fn run(
        &self,
        wire: &Wire,
        request: &Request,
        login: &Login,
        patience: Patience<'_>,
    ) -> Result<Spoken, Broken> {
        let unsent = |failure| (failure, Delivery::NotSent);
        let (session, socket) = (&self.session, self.socket.as_ref());
        let mut channel =
            drive(session, socket, patience, || session.channel_session()).map_err(unsent)?;
        patience.check().map_err(unsent)?;
        let started = Instant::now();
        // From the first call on the request may be on its way.
        drive(session, socket, patience, || channel.exec(&wire.command)).map_err(|failure| {
            let refused = matches!(&failure, Failure::Protocol(error)
                if error.code() == ErrorCode::Session(REQUEST_DENIED));
            (failure, if refused { Delivery::NotSent } else { Delivery::PerhapsCarriedOut })
        })?;
        let mut talk = Talk {
            connection: self,
            channel: &mut channel,
            login,
            patience,
            last_heard: started,
            stdin: &wire.stdin,
            stdin_ended: false,
            streams: [Vec::new(), Vec::new()],
            limits: [request.output_limit, request.output_limit + TRAILER],
            tap: request.tap.as_ref(),
        };
        let end = talk.finish();
        let [stdout, mut stderr] = std::mem::take(&mut talk.streams);
        let end = end.map_err(|failure| (failure, Delivery::PerhapsCarriedOut))?;
        if end == End::CutOff {
            let cut = |mut bytes: Vec<u8>| {
                bytes.truncate(request.output_limit);
                bytes
            };
            let answer = Answer {
                ended: Ended::Signal("PIPE".to_owned()),
                stdout: cut(stdout),
                stderr: cut(stderr),
                cut_off: true,
            };
            self.socket.shut_down();
            return Ok(Spoken { answer, reusable: false });
        }
        let status = wire.take_status(&mut stderr);
        let signal = channel.exit_signal().ok().and_then(|signal| signal.exit_signal);
        let ended = match (status, signal) {
            (Some(status), _) => wire::ended(status, started.elapsed(), request.timeout),
            (None, Some(signal)) => Ended::Signal(signal),
            (None, None) => {
                let why = "the command's end was not reported";
                let failure = Failure::Socket(io::Error::other(why));
                return Err((failure, Delivery::PerhapsCarriedOut));
            }
        };
        let reusable = drive(session, socket, patience, || channel.close()).is_ok();
        Ok(Spoken { answer: Answer { ended, stdout, stderr, cut_off: false }, reusable })
    }
}

const REQUEST_DENIED: i32 = -22;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Closed,
    CutOff,
}

struct Talk<'a> {
    connection: &'a Connection,
    channel: &'a mut Channel,
    login: &'a Login,
    patience: Patience<'a>,
    last_heard: Instant,
    stdin: &'a [u8],
    stdin_ended: bool,
    streams: [Vec<u8>; 2],
    limits: [usize; 2],
    tap: Option<&'a Tap>,
}

impl Talk<'_> {
    fn finish(&mut self) -> Result<End, Failure> {
        loop {
            let mut moved = self.feed()?;
            for stream in [0, 1] {
                moved |= self.drain(stream)?;
                if self.streams[stream].len() > self.limits[stream] {
                    return Ok(End::CutOff);
                }
            }
            if self.channel.eof() {
                let channel = &mut *self.channel;
                let closed = attempt(
                    &self.connection.session,
                    &self.connection.socket,
                    self.patience,
                    || channel.wait_close().map_err(io::Error::from),
                )?;
                if closed.is_some() {
                    return Ok(End::Closed);
                }
            }
            if !moved {
                self.wait()?;
            }
        }
    }

    /// Sends what the window takes of standard input, then its end; says whether anything moved.
    fn feed(&mut self) -> Result<bool, Failure> {
        if self.stdin_ended {
            return Ok(false);
        }
        let (session, socket) = (&self.connection.session, &self.connection.socket);
        let channel = &mut *self.channel;
        let mut moved = false;
        while !self.stdin.is_empty() {
            let rest = self.stdin;
            match attempt(session, socket, self.patience, || channel.write(rest))? {
                Some(count) => {
                    self.stdin = &rest[count..];
                    moved = true;
                }
                None => return Ok(moved),
            }
        }
        let sent = attempt(session, socket, self.patience, || {
            channel.send_eof().map_err(io::Error::from)
        })?;
        self.stdin_ended = sent.is_some();
        Ok(true)
    }

    /// Reads what has come of a stream; says whether anything has.
    fn drain(&mut self, stream: usize) -> Result<bool, Failure> {
        let mut buffer = vec![0; 32 * 1024];
        let mut moved = false;
        let id = if stream == 0 { 0 } else { ssh2::EXTENDED_DATA_STDERR };
        let mut source = self.channel.stream(id);
        loop {
            let (session, socket) = (&self.connection.session, &self.connection.socket);
            let read = attempt(session, socket, self.patience, || source.read(&mut buffer))?;
            let Some(count) = read.filter(|&count| count > 0) else { return Ok(moved) };
            self.streams[stream].extend_from_slice(&buffer[..count]);
            if let Some(tap) = self.tap.filter(|_| stream == 0) {
                tap.hear(&buffer[..count]);
            }
            moved = true;
            if self.streams[stream].len() > self.limits[stream] {
                return Ok(true);
            }
        }
    }

    /// Waits for the host; asks from time to time whether it is there.
    fn wait(&mut self) -> Result<(), Failure> {
        let (session, socket) = (&self.connection.session, &self.connection.socket);
        let flags = directions(session);
        let mut fds = [PollFd::new(socket, flags)];
        if self.patience.wait(&mut fds)? && fds[0].revents().intersects(!PollFlags::OUT) {
            self.last_heard = Instant::now();
            return Ok(());
        }
        let keepalive = self.login.keepalive;
        let silence = self.last_heard.elapsed();
        if keepalive > Duration::ZERO && silence >= keepalive {
            if silence >= keepalive.saturating_mul(self.login.keepalive_count + 1) {
                let why = format!("no answer for {} seconds", silence.as_secs());
                return Err(Failure::Socket(io::Error::new(ErrorKind::TimedOut, why)));
            }
            drive(session, socket, self.patience, || session.keepalive_send())?;
        }
        Ok(())
    }
}
