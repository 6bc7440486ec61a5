//! Virtual media.

use http::Method;
use serde_json::{Map, Value};

use super::Bmc;
use super::exchange::Run;
use super::power::Accepted;
use crate::plan::media::{self as planner, MOST_WRITES, Slot};
use crate::plan::tag::{IfMatch, tag_of};
use crate::property::{link, linked};
use crate::{Change, Delivery, Error, Media, MediaRequest, ResourcePath, Transport};

/// Slots that are read.
const MOST_SLOTS: usize = 32;

impl<T: Transport> Bmc<T> {
    /// The slots for virtual media, of the system or of its manager.
    pub fn media(&self) -> Result<Vec<Media>, Error> {
        self.read_media(&self.begin())
    }

    /// Inserts an image and reads the slot back. Nothing is sent where it is inserted already.
    ///
    /// A refusal that names a property as missing or not writable is answered once with the body
    /// put right; nothing else is sent again.
    pub fn insert_media(&self, request: &MediaRequest) -> Result<Change<Media>, Error> {
        let run = self.begin();
        let all = self.read_media(&run)?;
        let slot = match planner::slot(&all, request).map_err(|kind| self.failure(kind))? {
            Slot::Holds(media) => return Ok(Change::Already(media.clone())),
            Slot::Free(media) => media,
        };
        let body = planner::insert_body(slot, request);
        self.change_media(&run, slot, slot.insert.as_ref(), body, true)
    }

    /// Ejects what is in the slot of this id, or in the only slot that has something, and reads it
    /// back. Nothing is sent where the slot is empty.
    pub fn eject_media(&self, slot: Option<&str>) -> Result<Change<Media>, Error> {
        let run = self.begin();
        let all = self.read_media(&run)?;
        let found = planner::occupied(&all, slot).map_err(|kind| self.failure(kind))?;
        let Some(found) = found else {
            let empty = slot.and_then(|id| planner::named(&all, id).ok()).or_else(|| all.first());
            let empty = empty.cloned().ok_or_else(|| self.not_there("virtual media"))?;
            return Ok(Change::Already(empty));
        };
        let body = planner::eject_body(found);
        self.change_media(&run, found, found.eject.as_ref(), body, false)
    }

    fn change_media(
        &self,
        run: &Run,
        slot: &Media,
        action: Option<&ResourcePath>,
        body: Map<String, Value>,
        inserted: bool,
    ) -> Result<Change<Media>, Error> {
        let sent = self.send_media(run, slot, action, body);
        let written = match sent {
            Ok(Accepted::Task(Some(monitor))) => {
                // What the task says last does not count; the slot is read.
                let _state = self.await_task(run, &monitor)?;
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        let read = || self.read_slot(run, slot.resource());
        self.prove(run, written, read, |media| media.is_inserted() == Some(inserted))
    }

    /// Posts the action, or patches the slot where there is none.
    fn send_media(
        &self,
        run: &Run,
        slot: &Media,
        action: Option<&ResourcePath>,
        mut body: Map<String, Value>,
    ) -> Result<Accepted, Error> {
        for _ in 1..MOST_WRITES {
            let refused = match self.send_media_once(run, slot, action, &body) {
                Err(error) if error.delivery() == Delivery::Answered => error,
                result => return result,
            };
            match planner::amended(&body, refused.messages()) {
                Some(amended) => body = amended,
                None => return Err(refused),
            }
        }
        self.send_media_once(run, slot, action, &body)
    }

    fn send_media_once(
        &self,
        run: &Run,
        slot: &Media,
        action: Option<&ResourcePath>,
        body: &Map<String, Value>,
    ) -> Result<Accepted, Error> {
        let body = Value::Object(body.clone());
        let Some(target) = action else {
            let answer = self.patch(run, slot.resource(), &body, slot.etag.as_deref())?;
            return Ok(match answer.status.as_u16() {
                202 => Accepted::Task(answer.task_monitor()),
                _ => Accepted::Done,
            });
        };
        let answer = self.change(run, &Method::POST, target, &body, &IfMatch::Absent)?;
        self.accepted(&answer, target)
    }

    fn read_media(&self, run: &Run) -> Result<Vec<Media>, Error> {
        let system = self.read_system(run)?;
        if let Some(path) = linked(system.as_json(), "VirtualMedia") {
            let found = self.slots(run, &path)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        let manager = self.read_manager(run, &system)?;
        match manager.and_then(|manager| linked(manager.as_json(), "VirtualMedia")) {
            Some(path) => self.slots(run, &path),
            None => Err(self.not_there("virtual media")),
        }
    }

    fn slots(&self, run: &Run, path: &ResourcePath) -> Result<Vec<Media>, Error> {
        let query = self.expansion(run)?;
        let found = self.collection(run, path, query, &["MediaTypes"], MOST_SLOTS)?;
        let members = found.map(|found| found.members).unwrap_or_default();
        let slot =
            |member: &Value| Some(Media::read(&link(member)?, member, tag_of(None, Some(member))));
        Ok(members.iter().filter_map(slot).collect())
    }

    fn read_slot(&self, run: &Run, path: &ResourcePath) -> Result<Media, Error> {
        let answer = self.resource(run, path)?;
        Ok(Media::read(path, answer.resource().unwrap_or(&Value::Null), None))
    }
}
