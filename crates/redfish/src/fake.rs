//! A BMC in memory, for tests of programs that embed this crate (feature `fake`).
//!
//! [`FakeBmc`] serves resources, keeps power and boot state, records every request, and can be told
//! to refuse, to be silent, or to act and lose the reply. It shows how a program deals with a BMC,
//! not how a BMC behaves: its [`Rule`]s are those that were observed on real ones.
//!
//! ```
//! use redfish::fake::FakeBmc;
//! use redfish::{Account, Bmc, Password, PowerAction, PowerState};
//!
//! let fake = FakeBmc::new();
//! let account = Account::new("admin", Password::new("secret".to_owned()))?;
//! let bmc = Bmc::new("bmc.example.org".parse()?, account, &fake);
//! let _outcome = bmc.power(PowerAction::Off)?;
//! assert_eq!(bmc.power_state()?, PowerState::Off);
//! assert_eq!(fake.requests().len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod clock;
mod query;
mod service;

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::{Method, Request, Response};
use serde_json::Value;

pub use clock::FakeClock;
use service::Service;

use crate::{Delivery, Transport, TransportError, TransportErrorKind};

/// A BMC in memory.
#[derive(Debug)]
pub struct FakeBmc {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    service: Service,
    requests: Vec<Asked>,
    faults: VecDeque<(Method, Fault)>,
}

/// A request as it arrived.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// The method.
    pub method: Method,
    /// Path and query.
    pub target: String,
    /// All headers.
    pub headers: http::HeaderMap,
    /// The body; null where there is none.
    pub body: Value,
    /// Whether a connection of its own was asked for.
    pub fresh_connection: bool,
}

impl Asked {
    /// Method, target and body on one line.
    pub fn line(&self) -> String {
        match &self.body {
            Value::Null => format!("{} {}", self.method, self.target),
            body => format!("{} {} {body}", self.method, self.target),
        }
    }
}

/// What goes wrong with one request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// This status with this body; nothing is carried out.
    Answer(u16, String),
    /// This status with these headers and this body; nothing is carried out.
    AnswerWith(u16, Vec<(&'static str, String)>, String),
    /// No connection.
    Unreachable,
    /// No answer, and nothing is carried out.
    Silent,
    /// It is carried out and the reply is lost.
    LoseReply,
}

/// How the service departs from a plain one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// A PATCH needs If-Match: 428 without, 412 with another tag (Lenovo XCC, `MegaRAC`, iBMC).
    RequireIfMatch,
    /// `*` is no tag: 412 (gofish issue 277).
    RefuseStar,
    /// A weak tag never matches: 412.
    CompareWeakTagsStrongly,
    /// A PATCH with If-Match is refused: 412.
    RefuseIfMatch,
    /// A POST with If-Match is refused: 400 (iDRAC 10).
    RefuseIfMatchOnActions,
    /// This property, of `Boot` or of the resource, is not writable: 400 (`BootSourceOverrideMode` on iLO 5).
    ReadOnlyProperty(&'static str),
    /// A PATCH of `Boot` needs this property: 400 (`BootSourceOverrideMode` on `MegaRAC`).
    RequireProperty(&'static str),
    /// `Boot` of this resource is read-only: 400 (the System of iDRAC 10).
    ReadOnlyBoot(String),
    /// A PATCH of this resource belongs to that one: 400 with the URI (`MegaRAC`).
    FutureState(String, String),
    /// A PATCH succeeds and is not stored (bmclib issue 459).
    ForgetWrites,
    /// A PATCH of this resource succeeds and its `Boot` is not stored.
    ForgetBoot(String),
    /// A PATCH is stored and refused (iDRAC 8).
    StoreAndRefuse,
    /// `Once` reads back as `Continuous` (virtual BMCs).
    ReadBackContinuous,
    /// `Pxe` reads back as this.
    ReadPxeAs(&'static str),
    /// `Disabled` alone does not clear an override; the target has to be `None` as well.
    ClearNeedsTarget,
    /// `Enabled` cannot change while the target is `None` (HPE).
    RefuseDisableWithoutTarget,
    /// A reset into the state the machine is in is refused with this status (409 Dell, 400 iLO).
    RefuseSameState(u16),
    /// An action of a log or of virtual media needs this parameter: 400.
    RequireParameter(&'static str),
    /// `$expand` is refused: 400 (iRMC after an update).
    RefuseExpand,
    /// An expanded member lacks this property (DGX H100, GB300).
    ExpandDrops(&'static str),
    /// Actions are answered with 202 and a task.
    Tasks,
    /// What a PATCH of `Boot` leaves out goes back to its default, the mode to `Legacy` (Supermicro).
    ResetOmitted,
    /// No more sessions than this at a time: 503 on login (iDRAC, RAC0218).
    SessionLimit(usize),
    /// No session is left: 503 on login (iDRAC, RAC0218).
    OutOfSessions,
    /// The login names the session only in its body.
    SessionWithoutLocation,
}

impl Default for FakeBmc {
    fn default() -> Self {
        Self::new()
    }
}

impl FakeBmc {
    /// A BMC with one system, `/redfish/v1/Systems/1`, which is on.
    pub fn new() -> Self {
        Self::of_resources(&service::plain())
    }

    /// A BMC that serves these resources: an object from path to body.
    pub fn of_resources(resources: &Value) -> Self {
        let service = Service::new(resources);
        Self { state: Mutex::new(State { service, requests: Vec::new(), faults: VecDeque::new() }) }
    }

    /// With a rule.
    #[must_use]
    pub fn with_rule(self, rule: Rule) -> Self {
        self.state().service.rules.push(rule);
        self
    }

    /// That accepts this user and password only.
    #[must_use]
    pub fn with_account(self, user: &str, password: &str) -> Self {
        self.state().service.account = Some((user.to_owned(), password.to_owned()));
        self
    }

    /// Lets the next request of this method go wrong; several are used up in order.
    pub fn fail_next(&self, method: Method, fault: Fault) {
        self.state().faults.push_back((method, fault));
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Asked> {
        self.state().requests.clone()
    }

    /// The requests so far, one line each.
    pub fn lines(&self) -> Vec<String> {
        self.requests().iter().map(Asked::line).collect()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.state().requests.clear();
    }

    /// A resource as it is now.
    pub fn resource(&self, path: &str) -> Option<Value> {
        self.state().service.resource(path).cloned()
    }

    /// Replaces or adds a resource.
    pub fn set(&self, path: &str, body: Value) {
        self.state().service.set(path, body);
    }

    /// How many sessions are open.
    pub fn open_sessions(&self) -> usize {
        self.state().service.sessions.len()
    }

    /// Ends every session without a word, as a session timeout does.
    pub fn expire_sessions(&self) {
        self.state().service.sessions.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for FakeBmc {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        let mut state = self.state();
        let asked = Asked {
            method: request.method().clone(),
            target: request.uri().path_and_query().map(ToString::to_string).unwrap_or_default(),
            headers: request.headers().clone(),
            body: serde_json::from_slice(request.body()).unwrap_or_default(),
            fresh_connection: request.extensions().get::<crate::FreshConnection>().is_some(),
        };
        state.requests.push(asked.clone());
        let position = state.faults.iter().position(|(method, _)| *method == asked.method);
        let fault = position.and_then(|at| state.faults.remove(at)).map(|(_, fault)| fault);
        match fault {
            None => Ok(state.service.answer(&asked)),
            Some(Fault::Answer(status, body)) => Ok(service::answer(status, &[], &body)),
            Some(Fault::AnswerWith(status, headers, body)) => {
                Ok(service::answer(status, &headers, &body))
            }
            Some(Fault::Unreachable) => {
                Err(TransportError::new(TransportErrorKind::Unreachable, Delivery::NotSent))
            }
            Some(Fault::Silent) => Err(timeout()),
            Some(Fault::LoseReply) => {
                state.service.answer(&asked);
                Err(timeout())
            }
        }
    }
}

fn timeout() -> TransportError {
    TransportError::new(TransportErrorKind::Timeout, Delivery::PerhapsCarriedOut)
}
