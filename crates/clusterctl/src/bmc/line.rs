//! The transport of one BMC: what a rehearsal or an interrupt holds back never leaves.

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

impl Transport for Line {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        let held_back = self.read_only && request.method() != Method::GET;
        if held_back || self.interrupt.is_raised() {
            return Err(TransportError::new(TransportErrorKind::NotPermitted, Delivery::NotSent));
        }
        self.client.send(request)
    }
}
