//! What the BMC can do, found out by reading alone.

use http::Method;
use serde_json::json;

use super::Bmc;
use super::boot::BootRead;
use super::exchange::Run;
use crate::known::ResetRoute;
use crate::plan::boot::{BootRoute, Writes};
use crate::plan::presumed;
use crate::plan::reset::{self, Refused};
use crate::plan::tag::ladder;
use crate::quirk::observations;
use crate::{
    BootDiagnosis, BootRequest, BootSource, Diagnosis, Error, ErrorKind, MachineDiagnosis, Planned,
    PowerAction, PowerState, Transport,
};

impl<T: Transport> Bmc<T> {
    /// Finds out what this BMC can do and what operations would send to it. Reads only.
    ///
    /// Fails where the service root cannot be read; what stands in the way of more is part of the
    /// answer.
    pub fn diagnose(&self) -> Result<Diagnosis, Error> {
        let run = self.begin();
        let service = self.read_service(&run)?;
        Ok(Diagnosis { service, machine: self.diagnose_machine(&run) })
    }

    /// The write a boot override would begin with. Reads only.
    pub fn plan_boot_override(&self, request: &BootRequest) -> Result<Planned, Error> {
        let run = self.begin();
        let is_known = self.state().known.boot.is_some();
        let (route, tag) = if is_known {
            self.route_for(&run, request)?
        } else {
            let system = self.read_system(&run)?;
            let quirks = self.state().known.quirks.clone();
            match presumed::route(&system, request, &quirks) {
                Some(route) => (route, None),
                None => {
                    let (route, read) = self.boot_route_of(&run, &system)?;
                    (route, read.tag)
                }
            }
        };
        planned_boot(&route, request, tag).map_err(|kind| self.failure(kind))
    }

    /// The resets that would bring a power action about now: none where the machine is in that state
    /// already, two for an off and an on. Reads only.
    ///
    /// [`power`](Self::power) itself saves the read of the list where it is not part of the system,
    /// and may send another type first that the BMC refuses as not offered.
    pub fn plan_power(&self, action: PowerAction) -> Result<Vec<Planned>, Error> {
        let run = self.begin();
        let state = self.read_system(&run)?.power_state();
        self.planned_power(&run, action, &state)
    }

    fn diagnose_machine(&self, run: &Run) -> Result<MachineDiagnosis, Error> {
        let system = self.read_system(run)?;
        let manager = self.read_manager(run, &system)?;
        let boot = match self.boot_route_of(run, &system) {
            Ok((route, read)) => Some(diagnosed_boot(&route, read)),
            Err(error) if *error.kind() == ErrorKind::NoBootOverride => None,
            Err(error) => return Err(error),
        };
        let mut power = Vec::new();
        let state = system.power_state();
        for action in PowerAction::ALL {
            let planned = self.planned_power(run, action, &state);
            power.push((action, planned.map_err(|error| error.kind().clone())));
        }
        let known = self.known();
        Ok(MachineDiagnosis {
            quirks: observations(&system).collect(),
            reset_types: known.reset.and_then(|route| route.types),
            closes_connections: self.needs_fresh_connection(),
            system,
            manager,
            boot,
            power,
        })
    }

    fn planned_power(
        &self,
        run: &Run,
        action: PowerAction,
        state: &PowerState,
    ) -> Result<Vec<Planned>, Error> {
        let route = self.reset_route(run)?;
        let mut types = self.profile.reset_types.clone();
        if types.is_none() {
            types = self.look_up_types(run, &route)?;
        }
        let route = ResetRoute { types: types.clone(), ..route };
        let steps = reset::steps(action, state, types.as_deref());
        let steps = steps.map_err(|Refused(wanted)| self.not_offered(&route, wanted))?;
        let planned = |kind: crate::ResetType| Planned {
            method: Method::POST,
            path: route.target.clone(),
            body: json!({ "ResetType": kind.as_str() }),
            if_match: None,
        };
        Ok(steps.into_iter().map(planned).collect())
    }
}

fn planned_boot(
    route: &BootRoute,
    request: &BootRequest,
    tag: Option<String>,
) -> Result<Planned, ErrorKind> {
    route.check(request)?;
    let writes = Writes::of(route, request, tag);
    let write = writes.current();
    Ok(Planned {
        method: Method::PATCH,
        path: write.resource.clone(),
        body: write.properties.body(),
        if_match: write.if_match.header().map(str::to_owned),
    })
}

fn diagnosed_boot(route: &BootRoute, read: BootRead) -> BootDiagnosis {
    let tries = ladder(route.tag_rule, read.tag.as_deref());
    let pxe = BootRequest::once(BootSource::PXE);
    BootDiagnosis {
        resource: route.resource.clone(),
        other: route.other.clone(),
        shown: read.shown,
        sources: route.sources.clone(),
        sends_mode: route.needs_mode,
        if_match: tries.iter().map(|tried| tried.header().map(str::to_owned)).collect(),
        pxe_once: planned_boot(route, &pxe, read.tag),
    }
}
