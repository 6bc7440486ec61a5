//! Boot overrides.

use std::time::Duration;

use http::{Method, header};

use super::Bmc;
use super::change::{NOT_NOW, SETTLE, delivery_of, is_open};
use super::exchange::Run;
use crate::answer::Answer;
use crate::boot::Boot;
use crate::plan::boot::{self as planner, BootRoute, Comparison, Reaction, Writes};
use crate::plan::tag::{learned, tag_of};
use crate::quirk::{self, Observation};
use crate::{
    BootOverride, BootRequest, Delivery, Error, ErrorKind, Message, ModeOption, ResourcePath,
    System, Transport,
};

/// A boot override that was written, and what became of it.
#[derive(Debug)]
#[must_use = "a BMC may take a write and not do it"]
pub struct BootWrite {
    /// What the read-back says.
    pub read_back: ReadBack,
    /// The resource that was written and read.
    pub resource: ResourcePath,
    /// The job the BMC made of it, where it did: the machine may boot twice.
    pub job: Option<ResourcePath>,
    /// What the BMC said, where it said something.
    pub messages: Vec<Message>,
    /// What this firmware makes of such an override that is not what it says.
    pub cautions: Vec<&'static Observation>,
}

/// What the resource shows after it was written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadBack {
    /// What was asked for.
    Set(BootOverride),
    /// What was asked for, but `Continuous` in place of `Once`. Simulators and some virtual BMCs
    /// always say so; a real one boots from this source until it is cleared.
    SetReadsBackContinuous(BootOverride),
    /// Something else: the BMC took the write and did not do it.
    NotTaken(BootOverride),
    /// It could not be read.
    Unverified(Error),
}

impl ReadBack {
    /// Whether the override is in place.
    pub fn is_set(&self) -> bool {
        matches!(self, Self::Set(_) | Self::SetReadsBackContinuous(_))
    }
}

/// What became of clearing a boot override.
#[derive(Debug)]
#[must_use = "a BMC may take a write and not do it"]
#[non_exhaustive]
pub enum BootClear {
    /// The read-back shows none.
    Cleared,
    /// It is still there after every way to clear it.
    StillSet(BootOverride),
    /// Cleared, the BMC says, but it could not be read.
    Unverified(Error),
}

impl<T: Transport> Bmc<T> {
    /// The boot override, from the resource that takes it.
    pub fn boot_override(&self) -> Result<BootOverride, Error> {
        let run = self.begin();
        let known = self.state().known.boot.clone();
        match known {
            Some(route) => Ok(self.read_boot(&run, &route.resource)?.shown),
            None => Ok(self.boot_route(&run)?.1.shown),
        }
    }

    /// Writes a boot override and reads it back.
    ///
    /// The write is repeated only after a refusal that says what to put right (If-Match, mode,
    /// resource) or that passes (during the self test), within the deadline of the operation. A
    /// reply that is lost is settled by the read-back. With an error, [`Error::delivery`] says
    /// what is known about the write.
    pub fn set_boot_override(&self, request: &BootRequest) -> Result<BootWrite, Error> {
        let run = self.begin();
        let is_known = self.state().known.boot.is_some();
        let (route, tag) = if is_known {
            self.route_for(&run, request)?
        } else {
            let system = self.read_system(&run)?;
            if let Some(written) = self.write_presumed(&run, request, &system)? {
                return Ok(written);
            }
            let (route, read) = self.boot_route_of(&run, &system)?;
            (route, read.tag)
        };
        route.check(request).map_err(|kind| self.failure(kind))?;
        let mut writes = Writes::of(&route, request, tag);
        let mut written = self.prove_boot(&run, request, &mut writes)?;
        // A Settings object may take the write and ignore it; the System may not, or the other way
        // round. Builds of iDRAC 10 do either.
        if matches!(written.read_back, ReadBack::NotTaken(_))
            && writes.not_taken() == Reaction::Write
            && let Ok(elsewhere) = self.prove_boot(&run, request, &mut writes)
            && elsewhere.read_back.is_set()
        {
            written = elsewhere;
        }
        Ok(written)
    }

    /// Makes the writes and reads the last one back.
    fn prove_boot(
        &self,
        run: &Run,
        request: &BootRequest,
        writes: &mut Writes,
    ) -> Result<BootWrite, Error> {
        let result = self.write_boot(run, writes);
        let resource = writes.current().resource.clone();
        let (job, messages) = match &result {
            Ok(answer) => {
                let is_job = |path: &ResourcePath| !path.is_same_resource(&resource);
                (answer.location().filter(is_job), answer.messages())
            }
            Err(error) => (None, error.messages().to_vec()),
        };
        let read_back = match result {
            Ok(_) => self.read_back(run, request, &resource, &SETTLE),
            Err(error) if !is_open(&error) => return Err(error),
            // A lost reply; or, seen on iDRAC 8, a refusal although the override was set.
            Err(error) => match self.read_back(run, request, &resource, &[]) {
                read_back if read_back.is_set() => read_back,
                _ => return Err(error),
            },
        };
        let cautions = quirk::cautions(&self.state().known.quirks, &request.source);
        Ok(BootWrite { read_back, resource, job, messages, cautions })
    }

    fn read_back(
        &self,
        run: &Run,
        request: &BootRequest,
        resource: &ResourcePath,
        waits: &[Duration],
    ) -> ReadBack {
        let quirks = self.state().known.quirks.clone();
        let mut waits = waits.iter();
        loop {
            let shown = match self.read_boot(run, resource) {
                Ok(read) => read.shown,
                Err(error) => return ReadBack::Unverified(error.with_delivery(Delivery::Answered)),
            };
            match planner::compare(request, &shown, &quirks) {
                Comparison::Equal => return ReadBack::Set(shown),
                Comparison::Continuous => return ReadBack::SetReadsBackContinuous(shown),
                Comparison::Different if waits.next().is_some_and(|wait| self.wait(run, *wait)) => {
                }
                Comparison::Different => return ReadBack::NotTaken(shown),
            }
        }
    }

    /// Clears the boot override and reads it back. Tries what BMCs were seen to want, the gentlest
    /// first; a refusal counts as success where the read-back shows no override.
    pub fn clear_boot_override(&self) -> Result<BootClear, Error> {
        let run = self.begin();
        let (route, mut tag) = self.route_and_tag(&run)?;
        let mut last = Err(self.failure(ErrorKind::NoBootOverride));
        for properties in route.unset_ladder() {
            let mut writes = Writes::begin(&route, properties, ModeOption::LeaveOut, tag.take());
            let failed = match self.write_boot(&run, &mut writes) {
                Err(error) if !is_open(&error) => return Err(error),
                result => result.err(),
            };
            last = match (failed, self.read_boot(&run, &writes.current().resource)) {
                (_, Ok(read)) if read.shown.is_set() == Some(false) => {
                    return Ok(BootClear::Cleared);
                }
                (None, Ok(read)) => {
                    tag = read.tag;
                    Ok(BootClear::StillSet(read.shown))
                }
                (Some(error), Ok(read)) => {
                    tag = read.tag;
                    Err(error)
                }
                (None, Err(unread)) => {
                    return Ok(BootClear::Unverified(unread.with_delivery(Delivery::Answered)));
                }
                (Some(error), Err(_)) => return Err(error),
            };
        }
        last
    }

    /// Makes the writes of one step, each put right after the refusal of the one before.
    fn write_boot(&self, run: &Run, writes: &mut Writes) -> Result<Answer, Error> {
        loop {
            let write = writes.current();
            let body = write.properties.body();
            let sent = self.change(run, &Method::PATCH, &write.resource, &body, &write.if_match);
            let answer = match sent {
                Ok(answer) if answer.status.is_success() => {
                    self.remember(writes);
                    return Ok(answer);
                }
                Ok(answer) => answer,
                Err(error) => return Err(error),
            };
            let refusal = self.refusal(&answer, &write.resource, delivery_of(&answer));
            let mut reaction = writes.refused(&answer);
            if reaction == Reaction::ReadTag {
                let Ok(read) = self.read_boot(run, &writes.current().resource) else {
                    return Err(refusal);
                };
                reaction = writes.with_tag(read.tag);
            }
            let goes_on = match reaction {
                Reaction::Write => true,
                Reaction::Wait => self.wait(run, answer.retry_after().unwrap_or(NOT_NOW)),
                Reaction::ReadTag | Reaction::GiveUp => false,
            };
            if !goes_on {
                return Err(refusal);
            }
        }
    }

    /// What the accepted write shows about this BMC.
    fn remember(&self, writes: &Writes) {
        let write = writes.current();
        if let Some(route) = &mut self.state().known.boot {
            route.tag_rule = Some(learned(&write.if_match, writes.tag()));
            if !route.resource.is_same_resource(&write.resource) {
                let before = std::mem::replace(&mut route.resource, write.resource.clone());
                route.other = Some(before);
            }
            if let Some(mode) = &write.properties.mode {
                route.mode = Some(mode.clone());
            }
            if writes.mode_was_put_right() {
                route.needs_mode = write.properties.mode.is_some();
            }
        }
    }

    /// The route for a request. The mode may have changed since it was seen, so that a request that
    /// names one has the resource read.
    pub(super) fn route_for(
        &self,
        run: &Run,
        request: &BootRequest,
    ) -> Result<(BootRoute, Option<String>), Error> {
        let known = self.state().known.boot.clone();
        match known {
            Some(mut route) if matches!(request.mode, ModeOption::Set(_)) => {
                let read = self.read_boot(run, &route.resource)?;
                route.mode = read.shown.mode().map(str::to_owned).or(route.mode);
                Ok((route, read.tag))
            }
            _ => self.route_and_tag(run),
        }
    }

    /// The route, with the tag of its resource where it had to be read.
    fn route_and_tag(&self, run: &Run) -> Result<(BootRoute, Option<String>), Error> {
        let known = self.state().known.boot.clone();
        if let Some(route) = known {
            return Ok((route, None));
        }
        let (route, read) = self.boot_route(run)?;
        Ok((route, read.tag))
    }

    fn boot_route(&self, run: &Run) -> Result<(BootRoute, BootRead), Error> {
        let system = self.read_system(run)?;
        self.boot_route_of(run, &system)
    }

    /// Finds the resource that takes an override: one more read where there is a Settings object.
    pub(super) fn boot_route_of(
        &self,
        run: &Run,
        system: &System,
    ) -> Result<(BootRoute, BootRead), Error> {
        let settings = match system.settings() {
            Some(path) => {
                let answer = self.read(run, &path)?;
                // An object that cannot be read takes nothing; the read-back proves the System.
                answer.status.is_success().then_some((path, answer))
            }
            None => None,
        };
        let shown = settings.as_ref().and_then(|(path, answer)| Some((path, answer.resource()?)));
        let quirks = self.state().known.quirks.clone();
        let route = planner::route(system, shown, &quirks);
        let route = route.ok_or_else(|| self.failure(ErrorKind::NoBootOverride))?;
        let read = match &settings {
            Some((path, answer)) if *path == route.resource => BootRead::of(answer),
            _ => BootRead { shown: system.boot_override(), tag: system.etag().map(str::to_owned) },
        };
        self.state().known.boot = Some(route.clone());
        Ok((route, read))
    }

    fn read_boot(&self, run: &Run, path: &ResourcePath) -> Result<BootRead, Error> {
        let answer = self.resource(run, path)?;
        self.see_power(answer.resource());
        Ok(BootRead::of(&answer))
    }
}

/// A resource as read, as far as boot overrides go.
pub(super) struct BootRead {
    pub(super) shown: BootOverride,
    pub(super) tag: Option<String>,
}

impl BootRead {
    fn of(answer: &Answer) -> Self {
        let resource = answer.resource();
        Self {
            shown: resource.map_or(BootOverride::UNKNOWN, |body| Boot::of(body).read_override()),
            tag: tag_of(answer.header(header::ETAG), resource),
        }
    }
}
