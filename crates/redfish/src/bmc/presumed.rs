//! A boot override on firmware that is known.

use http::Method;
use serde_json::Value;

use super::Bmc;
use super::boot::{BootWrite, ReadBack};
use super::change::is_open;
use super::exchange::Run;
use crate::boot::Boot;
use crate::plan::boot::{self as planner, Comparison, Writes};
use crate::plan::presumed;
use crate::plan::tag::learned;
use crate::quirk;
use crate::{BootRequest, Delivery, Error, System, Transport};

impl<T: Transport> Bmc<T> {
    /// Writes to the resource that this firmware is known to take an override in, and reads it back.
    ///
    /// Nothing where nothing is known, and where the BMC refuses the write or does not show it: then
    /// the resources are read and the override is written as they say.
    pub(super) fn write_presumed(
        &self,
        run: &Run,
        request: &BootRequest,
        system: &System,
    ) -> Result<Option<BootWrite>, Error> {
        let quirks = self.state().known.quirks.clone();
        let Some(route) = presumed::route(system, request, &quirks) else { return Ok(None) };
        let writes = Writes::of(&route, request, None);
        let write = writes.current();
        let (body, resource) = (write.properties.body(), write.resource.clone());
        let sent = match self.change(run, &Method::PATCH, &resource, &body, &write.if_match) {
            Ok(answer) if answer.status.is_success() => Ok(answer),
            Ok(_) => return Ok(None),
            Err(error) if !is_open(&error) => return Err(error),
            Err(error) => Err(error),
        };
        let (job, messages) = match &sent {
            Ok(answer) => {
                let job = answer.location().filter(|path| !path.is_same_resource(&resource));
                (job, answer.messages())
            }
            Err(error) => (None, error.messages().to_vec()),
        };
        let cautions = quirk::cautions(&quirks, &request.source);
        let read = match self.resource(run, &resource) {
            Ok(read) => read,
            Err(unread) => {
                let _taken = sent?;
                let read_back = ReadBack::Unverified(unread.with_delivery(Delivery::Answered));
                return Ok(Some(BootWrite { read_back, resource, job, messages, cautions }));
            }
        };
        let shown = read.resource().unwrap_or(&Value::Null);
        let set = Boot::of(shown).read_override();
        let read_back = match planner::compare(request, &set, &quirks) {
            Comparison::Equal => ReadBack::Set(set),
            Comparison::Continuous => ReadBack::SetReadsBackContinuous(set),
            Comparison::Different => return sent.map(|_| None),
        };
        if let Some(route) = planner::route(system, Some((&resource, shown)), &quirks) {
            let tag_rule = Some(learned(&write.if_match, None));
            self.state().known.boot = Some(planner::BootRoute { tag_rule, ..route });
        }
        Ok(Some(BootWrite { read_back, resource, job, messages, cautions }))
    }
}
