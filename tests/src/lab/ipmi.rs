//! A machine's IPMI as tests hold it.

use super::handle::Lab;
use crate::error::Error;
use crate::wire::{ChassisFault, IpmiRequest, Request};
use serde_json::Value;

/// A machine's IPMI: `ipmi_sim` on the service processor's address.
#[derive(Debug, Clone)]
pub struct IpmiHandle<'a> {
    pub(super) lab: &'a Lab,
    pub(super) node: String,
}

impl IpmiHandle<'_> {
    /// Everything `ipmi_sim` asked of the machine so far, as in `set power 1`.
    pub fn calls(&self) -> Result<Vec<String>, Error> {
        self.lab.ask(&self.request(IpmiRequest::Calls))
    }

    /// What it had the machine do.
    pub fn changes(&self) -> Result<Vec<String>, Error> {
        Ok(self.calls()?.into_iter().filter(|call| call.starts_with("set ")).collect())
    }

    /// Has nothing answer, or `ipmi_sim` again.
    pub fn listening(&self, on: bool) -> Result<(), Error> {
        self.tell(IpmiRequest::Listening(on))
    }

    /// Has the machine refuse changes, or not answer to them, or do them again.
    pub fn fail(&self, fault: Option<ChassisFault>) -> Result<(), Error> {
        self.tell(IpmiRequest::Fail(fault))
    }

    fn request(&self, what: IpmiRequest) -> Request {
        Request::Ipmi { node: self.node.clone(), what }
    }

    fn tell(&self, what: IpmiRequest) -> Result<(), Error> {
        self.lab.ask::<Value>(&self.request(what)).map(drop)
    }
}

/// What the simulator's chassis command prints.
pub(crate) fn chassis(
    socket: &std::path::Path,
    node: &str,
    words: Vec<String>,
) -> Result<String, Error> {
    let what = IpmiRequest::Chassis(words);
    super::request::ask(socket, &Request::Ipmi { node: node.to_owned(), what })
}
