//! The transport of one BMC: what a rehearsal or an interrupt holds back never leaves.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use http::{Method, Request, Response};
use redfish::https::Client;
use redfish::{Delivery, Transport, TransportError, TransportErrorKind};

use crate::interrupt::Interrupt;

/// A client that may be limited to reading, and that sends nothing new after Ctrl-C.
#[derive(Debug, Clone)]
pub struct Line {
    client: Client,
    read_only: bool,
    interrupt: Interrupt,
}

impl Line {
    /// A line over this client.
    pub fn new(client: Client, read_only: bool, interrupt: Interrupt) -> Line {
        Line { client, read_only, interrupt }
    }
}

/// How long a change that is under way may still be answered after Ctrl-C: an answer is worth
/// more than an outcome that nobody knows.
const PATIENCE: Duration = Duration::from_secs(5);
const MOMENT: Duration = Duration::from_millis(50);

impl Transport for Line {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        let reads = request.method() == Method::GET;
        if (self.read_only && !reads) || self.interrupt.is_raised() {
            return Err(TransportError::new(TransportErrorKind::NotPermitted, Delivery::NotSent));
        }
        // Nobody waits for this thread when the run is interrupted; the client ends it in time.
        let client = self.client.clone();
        let (answered, answer) = mpsc::sync_channel(1);
        thread::Builder::new()
            .name("bmc".to_owned())
            .spawn(move || answered.send(client.send(request)))
            .map_err(|error| {
                let kind = TransportErrorKind::Unreachable;
                TransportError::new(kind, Delivery::NotSent).caused_by(error)
            })?;
        let mut interrupted: Option<Instant> = None;
        loop {
            match answer.recv_timeout(MOMENT) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) => {}
                // The client has panicked.
                Err(RecvTimeoutError::Disconnected) => return Err(given_up()),
            }
            if self.interrupt.is_raised() {
                let since = interrupted.get_or_insert_with(Instant::now);
                if reads || since.elapsed() >= PATIENCE {
                    return Err(given_up());
                }
            }
        }
    }
}

fn given_up() -> TransportError {
    TransportError::new(TransportErrorKind::Timeout, Delivery::PerhapsCarriedOut)
}
