//! Sensors in each of the shapes that services show them in.

use serde_json::Value;

use super::system::members;
use crate::property::{health, items, linked, number, state, text};
use crate::{ResourcePath, Sensor, System};

/// More chassis than this are not read.
pub(crate) const MOST_CHASSIS: usize = 64;

/// The chassis of a system where it names none (Cray EX): the one of the same id, or the only one.
pub(crate) fn chassis_of(system: &System, collection: &Value) -> Option<ResourcePath> {
    let (all, _) = members(collection);
    match all.as_slice() {
        [only] => Some(only.clone()),
        several => several.iter().find(|chassis| chassis.id() == system.path().id()).cloned(),
    }
}

/// Where the sensors of a chassis are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SensorSources {
    /// `Thermal`: temperatures and fans in one resource.
    pub(crate) thermal: Option<ResourcePath>,
    /// `Power`: voltages, power and supplies in one resource.
    pub(crate) power: Option<ResourcePath>,
    /// The collection `Sensors`.
    pub(crate) sensors: Option<ResourcePath>,
    /// `ThermalSubsystem`, which links to the metrics.
    pub(crate) thermal_subsystem: Option<ResourcePath>,
    /// `EnvironmentMetrics`.
    pub(crate) environment: Option<ResourcePath>,
}

impl SensorSources {
    pub(crate) fn of(chassis: &Value) -> Self {
        Self {
            thermal: linked(chassis, "Thermal"),
            power: linked(chassis, "Power"),
            sensors: linked(chassis, "Sensors"),
            thermal_subsystem: linked(chassis, "ThermalSubsystem"),
            environment: linked(chassis, "EnvironmentMetrics"),
        }
    }
}

/// Lists of `Thermal` and `Power`, the properties that hold a reading there (the first that is a
/// number counts), and the unit they are defined in.
const LISTS: [(&str, &[&str], &str); 5] = [
    ("Temperatures", &["ReadingCelsius"], "Cel"),
    // `CurrentReading` in the first version of the schema; the unit stands in `ReadingUnits`.
    ("Fans", &["Reading", "CurrentReading"], ""),
    ("Voltages", &["ReadingVolts"], "V"),
    ("PowerControl", &["PowerConsumedWatts"], "W"),
    ("PowerSupplies", &["LastPowerOutputWatts", "PowerOutputWatts", "PowerInputWatts"], "W"),
];

/// The sensors of a `Thermal` or `Power` resource.
pub(crate) fn of_lists(resource: &Value, chassis: &ResourcePath) -> Vec<Sensor> {
    let mut sensors = Vec::new();
    for (list, readings, unit) in LISTS {
        let items = items(resource.get(list));
        for item in items.iter().filter(|item| item.is_object()) {
            let name = text(item, "Name").or_else(|| text(item, "FanName"));
            let name = name.unwrap_or_else(|| list.to_owned());
            // HPE calls every supply the same.
            let twins = items.iter().filter(|other| text(other, "Name").as_ref() == Some(&name));
            let name = match text(item, "MemberId") {
                Some(member) if twins.count() > 1 => format!("{name} {member}"),
                _ => name,
            };
            let own_unit = text(item, "ReadingUnits");
            let unit = own_unit.or_else(|| (!unit.is_empty()).then(|| unit.to_owned()));
            let reading = readings.iter().find_map(|property| number(item, property));
            sensors.push(sensor(name, reading, unit, item, chassis));
        }
    }
    sensors
}

/// A member of `Sensors`.
pub(crate) fn of_resource(resource: &Value, chassis: &ResourcePath) -> Sensor {
    let id = || crate::property::link(resource).map(|path| path.id().to_owned());
    let name = text(resource, "Name").or_else(|| text(resource, "Id")).or_else(id);
    let unit = text(resource, "ReadingUnits");
    sensor(name.unwrap_or_default(), number(resource, "Reading"), unit, resource, chassis)
}

/// Excerpts of sensors in `ThermalMetrics` and `EnvironmentMetrics`, with the unit of each.
const EXCERPTS: [(&str, &str); 8] = [
    ("TemperatureReadingsCelsius", "Cel"),
    ("TemperatureCelsius", "Cel"),
    ("FanSpeedsPercent", "%"),
    ("HumidityPercent", "%"),
    ("PowerWatts", "W"),
    ("EnergykWh", "kW.h"),
    ("EnergyJoules", "J"),
    ("PowerLoadPercent", "%"),
];

/// The sensors of a `ThermalMetrics` or `EnvironmentMetrics` resource.
pub(crate) fn of_excerpts(resource: &Value, chassis: &ResourcePath) -> Vec<Sensor> {
    let mut sensors = Vec::new();
    for (property, unit) in EXCERPTS {
        for item in items(resource.get(property)) {
            let source = || {
                let source = ResourcePath::from_link(item.get("DataSourceUri")?.as_str()?).ok()?;
                Some(source.id().to_owned())
            };
            let name = text(item, "DeviceName").or_else(source);
            let name = name.unwrap_or_else(|| property.to_owned());
            // `SpeedRPM` beside a percentage is observed on GB200, where it repeats the percentage.
            let reading = number(item, "Reading");
            sensors.push(sensor(name, reading, Some(unit.to_owned()), item, chassis));
        }
    }
    sensors
}

fn sensor(
    name: String,
    reading: Option<f64>,
    unit: Option<String>,
    resource: &Value,
    chassis: &ResourcePath,
) -> Sensor {
    let (health, state) = (health(resource), state(resource));
    // HPE shows 0 for what is not there.
    let reading = reading.filter(|_| state.as_deref() != Some("Absent"));
    let unit = unit.map(|unit| match unit.as_str() {
        "Percent" => "%".to_owned(),
        "C" => "Cel".to_owned(),
        _ => unit,
    });
    Sensor { name, reading, unit, health, state, chassis: chassis.clone() }
}
