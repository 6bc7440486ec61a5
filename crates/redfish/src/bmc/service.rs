//! What the BMC is, and whether it is there.

use http::{Method, StatusCode};

use super::Bmc;
use super::exchange::Run;
use crate::answer::Answer;
use crate::plan::manager;
use crate::plan::system::members;
use crate::property::links;
use crate::{Delivery, Error, ErrorKind, Manager, ResourcePath, Service, System, Transport};

const ROOT: &str = "/redfish/v1/";
const MANAGERS: &str = "/redfish/v1/Managers";

/// The answer to a [`ping`](Bmc::ping).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ping {
    /// The HTTP status.
    pub status: u16,
    /// The service root, where the answer is one.
    pub service: Option<Service>,
}

/// What the BMC and the machine behind it are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Info {
    /// The service root.
    pub service: Service,
    /// The machine.
    pub system: System,
    /// The BMC, where it shows itself.
    pub manager: Option<Manager>,
}

impl<T: Transport> Bmc<T> {
    /// Asks for the service root, once and without credentials (DSP0266 keeps it open to everybody).
    ///
    /// Any HTTP answer is a success. An error says how far it came: no address, no connection, no
    /// common TLS, another certificate than the one on record.
    pub fn ping(&self) -> Result<Ping, Error> {
        let answer = self.ask_root(&self.begin())?;
        Ok(Ping { status: answer.status.as_u16(), service: service(answer) })
    }

    /// The service root.
    pub fn service(&self) -> Result<Service, Error> {
        self.read_service(&self.begin())
    }

    /// Service root, system and manager, in three requests where the system is known.
    pub fn info(&self) -> Result<Info, Error> {
        let run = self.begin();
        let service = self.read_service(&run)?;
        let system = self.read_system(&run)?;
        let manager = self.read_manager(&run, &system)?;
        Ok(Info { service, system, manager })
    }

    /// The root, kept for the life of this value. It is asked for without credentials; a service
    /// that wants them is asked again.
    pub(super) fn read_service(&self, run: &Run) -> Result<Service, Error> {
        if let Some(service) = self.state().service.clone() {
            return Ok(service);
        }
        let open = self.ask_root(run)?;
        let is_success = open.status == StatusCode::OK;
        let service = match service(open).filter(|_| is_success) {
            Some(service) => service,
            None => {
                let answer = self.resource(run, &self.constant(ROOT)?)?;
                Service::new(answer.into_value().unwrap_or_default())
            }
        };
        self.state().service = Some(service.clone());
        Ok(service)
    }

    pub(super) fn ask_root(&self, run: &Run) -> Result<Answer, Error> {
        let mut path = self.constant(ROOT)?;
        let mut redirects = 0;
        loop {
            let request = self.request(run, &Method::GET, &path, None)?;
            let answer =
                self.deliver(request).map_err(|error| error.with_delivery(Delivery::NotSent))?;
            if !answer.status.is_redirection() {
                return Ok(answer);
            }
            redirects += 1;
            path = self.redirected(&answer, redirects, Delivery::NotSent)?;
        }
    }

    /// The manager of a system. Nothing where it cannot be told or is not there.
    pub(super) fn read_manager(
        &self,
        run: &Run,
        system: &System,
    ) -> Result<Option<Manager>, Error> {
        if let Some(path) = links(system.as_json(), "ManagedBy").into_iter().next() {
            let answer = self.resource_if_there(run, &path)?;
            if let Some(resource) = answer.and_then(Answer::into_value) {
                return Ok(Some(Manager::new(&path, resource)));
            }
        }
        let Some(collection) = self.resource_if_there(run, &self.constant(MANAGERS)?)? else {
            return Ok(None);
        };
        let paths = collection.resource().map(members).unwrap_or_default().0;
        let mut managers = Vec::new();
        for path in paths.into_iter().take(manager::MOST_READ) {
            let answer = self.resource_if_there(run, &path)?;
            managers
                .extend(answer.and_then(Answer::into_value).map(|body| Manager::new(&path, body)));
        }
        Ok(manager::choose(managers, system.path()))
    }

    /// Reads a resource; nothing where the BMC says there is none or refuses to show it.
    pub(super) fn resource_if_there(
        &self,
        run: &Run,
        path: &ResourcePath,
    ) -> Result<Option<Answer>, Error> {
        match self.resource(run, path) {
            Ok(answer) => Ok(Some(answer)),
            Err(error) if is_about_the_resource(error.kind()) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Whether a failure says something about one resource and nothing about the others.
fn is_about_the_resource(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound { .. } | ErrorKind::Refused | ErrorKind::Malformed { .. })
}

fn service(answer: Answer) -> Option<Service> {
    let root = answer.into_value().filter(|root| root.get("RedfishVersion").is_some());
    root.map(Service::new)
}
