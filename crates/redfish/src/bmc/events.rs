//! The system event log.

use http::Method;

use super::Bmc;
use super::exchange::Run;
use crate::plan::event::{self, LogRoute};
use crate::plan::tag::IfMatch;
use crate::property::linked;
use crate::{Error, ErrorKind, Event, EventLog, EventsCleared, ResourcePath, Transport};

impl<T: Transport> Bmc<T> {
    /// The system event log, up to so many entries. Some BMCs need a long time for it (18 s were
    /// seen on iDRAC 9); the deadline of the operation bounds it.
    pub fn events(&self, most: usize) -> Result<EventLog, Error> {
        let run = self.begin();
        let route = self.event_log(&run)?;
        let found = self.collection(&run, &route.entries, None, &["Id"], most)?;
        let missing = || self.failure(ErrorKind::NotFound { path: route.entries.clone() });
        let found = found.ok_or_else(missing)?;
        let events = found.members.iter().map(Event::read).collect();
        Ok(EventLog { log: route.log, events, is_complete: found.is_complete })
    }

    /// Clears the system event log and no other, posted exactly once.
    pub fn clear_events(&self) -> Result<EventsCleared, Error> {
        let run = self.begin();
        let route = self.event_log(&run)?;
        let target = route.clear.clone();
        let target = target.ok_or_else(|| self.not_there("way to clear the system event log"))?;
        let body = route.clear_body();
        let answer = self.change(&run, &Method::POST, &target, &body, &IfMatch::Absent)?;
        let accepted = self.accepted(&answer, &target)?;
        let left = self.resource(&run, &route.entries).ok();
        let left = left.and_then(|log| log.resource()?.get("Members@odata.count")?.as_u64());
        Ok(EventsCleared { log: route.log, accepted, left })
    }

    /// Looks at the system first, then at its manager, then at its chassis.
    fn event_log(&self, run: &Run) -> Result<LogRoute, Error> {
        let system = self.read_system(run)?;
        if let Some(found) = self.event_log_of(run, linked(system.as_json(), "LogServices"))? {
            return Ok(found);
        }
        let manager = self.read_manager(run, &system)?;
        let services = manager.and_then(|manager| linked(manager.as_json(), "LogServices"));
        if let Some(found) = self.event_log_of(run, services)? {
            return Ok(found);
        }
        for chassis in self.chassis_of(run, &system)? {
            let chassis = self.resource_if_there(run, &chassis)?;
            let services = chassis.and_then(|it| linked(it.resource()?, "LogServices"));
            if let Some(found) = self.event_log_of(run, services)? {
                return Ok(found);
            }
        }
        Err(self.not_there("system event log"))
    }

    fn event_log_of(
        &self,
        run: &Run,
        services: Option<ResourcePath>,
    ) -> Result<Option<LogRoute>, Error> {
        let Some(services) = services else { return Ok(None) };
        let Some(collection) = self.resource_if_there(run, &services)? else { return Ok(None) };
        for candidate in event::candidates(&self.members(run, &collection)?) {
            let answer = self.resource_if_there(run, &candidate)?;
            let service = answer.as_ref().and_then(|answer| answer.resource());
            if let Some(route) = service.and_then(|it| event::route(&candidate, it)) {
                return Ok(Some(route));
            }
        }
        Ok(None)
    }
}
