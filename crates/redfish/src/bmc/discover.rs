//! Finding the system.

use http::StatusCode;

use super::Bmc;
use super::exchange::Run;
use crate::answer::Answer;
use crate::plan::system::{self, Choice};
use crate::{Delivery, Error, ErrorKind, PowerState, ResourcePath, System, Transport};

const ROOT: &str = "/redfish/v1/";
const SYSTEMS: &str = "/redfish/v1/Systems";
/// Pages of a collection that are read.
const MOST_PAGES: usize = 16;

impl<T: Transport> Bmc<T> {
    /// Reads the system: one request where its path is known or configured, and with
    /// `Systems?only` where the BMC has one system and knows the query.
    pub fn system(&self) -> Result<System, Error> {
        self.read_system(&self.begin())
    }

    /// The power state, as [`system`](Self::system) reads it.
    pub fn power_state(&self) -> Result<PowerState, Error> {
        Ok(self.system()?.power_state())
    }

    pub(super) fn read_system(&self, run: &Run) -> Result<System, Error> {
        let configured = self.profile.system.as_deref().filter(|name| name.starts_with('/'));
        if let Some(configured) = configured {
            let path = configured
                .parse::<ResourcePath>()
                .map_err(|_| self.no_such_system(configured, &[]))?;
            return match self.system_at(run, &path) {
                Err(error) if is_not_found(&error) => {
                    Err(self.name_the_systems(run, configured, error))
                }
                result => result,
            };
        }
        let remembered = self.state().known.system.clone();
        if let Some(path) = remembered {
            match self.system_at(run, &path) {
                // Another machine answers at this address now.
                Err(error) if is_not_found(&error) => self.state().known = crate::Known::default(),
                result => return result,
            }
        }
        self.discover(run)
    }

    fn discover(&self, run: &Run) -> Result<System, Error> {
        let (collection, answer) = self.systems(run)?;
        // The answer to `?only` of a service with one system is the system.
        let is_collection = answer.resource().is_some_and(|body| body.get("Members").is_some());
        if !is_collection {
            let system = System::read(&collection, answer);
            let members = [system.path().clone()];
            return match system::choose(&members, self.profile.system.as_deref()) {
                Choice::Fail(kind) => Err(self.failure(kind)),
                Choice::Take(_) | Choice::Read(_) => Ok(self.learn(system)),
            };
        }
        let members = self.members(run, &answer)?;
        match system::choose(&members, self.profile.system.as_deref()) {
            Choice::Fail(kind) => Err(self.failure(kind)),
            Choice::Take(path) => self.system_at(run, &path),
            Choice::Read(paths) => {
                let mut systems = Vec::new();
                for path in paths {
                    systems.push(System::read(&path, self.resource(run, &path)?));
                }
                let chosen = system::choose_by_reset(systems, &members);
                chosen.map(|system| self.learn(system)).map_err(|kind| self.failure(kind))
            }
        }
    }

    /// The collection of systems. `only` is no `$` query, so that a service without it answers with
    /// the collection (DSP0266); one that refuses it is asked again without. Where the collection
    /// is elsewhere, the root knows.
    fn systems(&self, run: &Run) -> Result<(ResourcePath, Answer), Error> {
        let path = self.constant(SYSTEMS)?;
        let answer = self.read(run, &path.with_query("only"))?;
        let refused = matches!(answer.status.as_u16(), 400 | 404 | 405 | 406 | 414 | 500 | 501);
        if !refused {
            return self.accept(answer, path);
        }
        let answer = self.read(run, &path)?;
        if answer.status != StatusCode::NOT_FOUND {
            return self.accept(answer, path);
        }
        let root = self.resource(run, &self.constant(ROOT)?)?;
        let link = root.resource().and_then(|root| root.get("Systems")?.get("@odata.id")?.as_str());
        let linked = link.and_then(|link| ResourcePath::from_link(link).ok());
        match linked.filter(|linked| !linked.is_same_resource(&path)) {
            Some(linked) => Ok((linked.clone(), self.resource(run, &linked)?)),
            None => Err(self.failure(ErrorKind::NoSystem)),
        }
    }

    fn accept(&self, answer: Answer, path: ResourcePath) -> Result<(ResourcePath, Answer), Error> {
        if !answer.status.is_success() {
            return Err(self.refusal(&answer, &path, Delivery::NotSent));
        }
        match answer.resource() {
            Some(_) => Ok((path, answer)),
            None => Err(self.malformed(answer.not_a_resource())),
        }
    }

    pub(super) fn members(&self, run: &Run, first: &Answer) -> Result<Vec<ResourcePath>, Error> {
        let (mut members, mut next) = first.resource().map(system::members).unwrap_or_default();
        for _ in 1..MOST_PAGES {
            let Some(path) = next else { break };
            let page = self.resource(run, &path)?;
            let (more, following) = page.resource().map(system::members).unwrap_or_default();
            members.extend(more);
            next = following;
        }
        Ok(members)
    }

    fn system_at(&self, run: &Run, path: &ResourcePath) -> Result<System, Error> {
        let answer = self.resource(run, path)?;
        Ok(self.learn(System::read(path, answer)))
    }

    fn learn(&self, system: System) -> System {
        self.see_power(Some(system.as_json()));
        self.state().known.learn(&system);
        system
    }

    /// The error for a configured path that is not there, with the ids there are.
    fn name_the_systems(&self, run: &Run, wanted: &str, missing: Error) -> Error {
        let members =
            self.constant(SYSTEMS).and_then(|path| self.members(run, &self.resource(run, &path)?));
        match members {
            Ok(members) => self.no_such_system(wanted, &members),
            Err(_) => missing,
        }
    }

    fn no_such_system(&self, wanted: &str, members: &[ResourcePath]) -> Error {
        let offered = system::ids(members);
        self.failure(ErrorKind::NoSuchSystem { wanted: wanted.to_owned(), offered })
    }

    pub(super) fn constant(&self, path: &str) -> Result<ResourcePath, Error> {
        path.parse().map_err(|_| self.failure(ErrorKind::NoSystem))
    }
}

fn is_not_found(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound { .. })
}
