//! Sensors.

use super::Bmc;
use super::exchange::Run;
use crate::plan::sensor::{self, SensorSources};
use crate::property::{linked, links};
use crate::{Error, ErrorKind, ResourcePath, Sensor, SensorScope, System, Transport};

const CHASSIS: &str = "/redfish/v1/Chassis";
/// Sensors that are read one by one, of all chassis together.
const MOST_SENSORS: usize = 512;

impl<T: Transport> Bmc<T> {
    /// The sensors of the machine, in the order the BMC gives them.
    ///
    /// Of each chassis, `Thermal` and `Power` where it has both; else its `Sensors` where the service
    /// is trusted to expand them; else the one of both it has, and metrics in place of the other;
    /// one sensor after the other only where nothing else shows any.
    pub fn sensors(&self, scope: SensorScope) -> Result<Vec<Sensor>, Error> {
        let run = self.begin();
        let system = self.read_system(&run)?;
        let chassis = match scope {
            SensorScope::System => self.chassis_of(&run, &system)?,
            SensorScope::AllChassis => self.all_chassis(&run)?,
        };
        let mut sensors = Vec::new();
        let mut is_there = false;
        for path in chassis.iter().take(sensor::MOST_CHASSIS) {
            let Some(answer) = self.resource_if_there(&run, path)? else { continue };
            is_there = true;
            let sources = answer.resource().map(SensorSources::of).unwrap_or_default();
            let room = MOST_SENSORS.saturating_sub(sensors.len());
            sensors.extend(self.sensors_of(&run, path, &sources, room)?);
        }
        if is_there { Ok(sensors) } else { Err(self.not_there("sensors")) }
    }

    /// The chassis a system names, or the one that stands for it.
    pub(super) fn chassis_of(
        &self,
        run: &Run,
        system: &System,
    ) -> Result<Vec<ResourcePath>, Error> {
        let named = links(system.as_json(), "Chassis");
        if !named.is_empty() {
            return Ok(named);
        }
        let answer = self.resource_if_there(run, &self.constant(CHASSIS)?)?;
        let collection = answer.as_ref().and_then(|answer| answer.resource());
        let found = collection.and_then(|collection| sensor::chassis_of(system, collection));
        Ok(found.into_iter().collect())
    }

    fn all_chassis(&self, run: &Run) -> Result<Vec<ResourcePath>, Error> {
        let answer = self.resource(run, &self.constant(CHASSIS)?)?;
        self.members(run, &answer)
    }

    fn sensors_of(
        &self,
        run: &Run,
        chassis: &ResourcePath,
        sources: &SensorSources,
        room: usize,
    ) -> Result<Vec<Sensor>, Error> {
        let has_both = sources.thermal.is_some() && sources.power.is_some();
        let can_expand = !has_both && sources.sensors.is_some() && self.expansion(run)?.is_some();
        if can_expand {
            return self.each_sensor(run, chassis, sources, room);
        }
        let thermal = self.listed(run, chassis, sources.thermal.as_ref())?;
        let power = self.listed(run, chassis, sources.power.as_ref())?;
        let mut sensors = Vec::new();
        if thermal.is_empty() || power.is_empty() {
            sensors = self.metrics(run, chassis, sources)?;
        }
        sensors.splice(0..0, thermal.into_iter().chain(power));
        if sensors.is_empty() {
            return self.each_sensor(run, chassis, sources, room);
        }
        Ok(sensors)
    }

    fn listed(
        &self,
        run: &Run,
        chassis: &ResourcePath,
        list: Option<&ResourcePath>,
    ) -> Result<Vec<Sensor>, Error> {
        let Some(list) = list else { return Ok(Vec::new()) };
        let answer = self.resource_if_there(run, list)?;
        let resource = answer.as_ref().and_then(|answer| answer.resource());
        Ok(resource.map(|resource| sensor::of_lists(resource, chassis)).unwrap_or_default())
    }

    fn metrics(
        &self,
        run: &Run,
        chassis: &ResourcePath,
        sources: &SensorSources,
    ) -> Result<Vec<Sensor>, Error> {
        let mut sensors = Vec::new();
        let mut resources = Vec::new();
        if let Some(subsystem) = &sources.thermal_subsystem {
            let answer = self.resource_if_there(run, subsystem)?;
            let subsystem = answer.as_ref().and_then(|answer| answer.resource());
            resources.extend(subsystem.and_then(|it| linked(it, "ThermalMetrics")));
        }
        resources.extend(sources.environment.clone());
        for path in resources {
            let answer = self.resource_if_there(run, &path)?;
            if let Some(resource) = answer.as_ref().and_then(|answer| answer.resource()) {
                sensors.extend(sensor::of_excerpts(resource, chassis));
            }
        }
        Ok(sensors)
    }

    fn each_sensor(
        &self,
        run: &Run,
        chassis: &ResourcePath,
        sources: &SensorSources,
        room: usize,
    ) -> Result<Vec<Sensor>, Error> {
        let Some(path) = &sources.sensors else { return Ok(Vec::new()) };
        let query = self.expansion(run)?;
        let found = self.collection(run, path, query, &["Name", "Reading"], room)?;
        let members = found.map(|found| found.members).unwrap_or_default();
        Ok(members.iter().map(|member| sensor::of_resource(member, chassis)).collect())
    }

    pub(super) fn not_there(&self, what: &'static str) -> Error {
        self.failure(ErrorKind::NotOffered { what })
    }
}
