//! Sensors.

use crate::ResourcePath;

/// A sensor and what it shows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sensor {
    /// Its name; the id where it has none.
    pub name: String,
    /// The reading; nothing where it is missing, null, no number, or of a sensor that is absent.
    pub reading: Option<f64>,
    /// The unit of the reading: UCUM, as the schema has it (`Cel`, `V`, `W`, `%`), or `RPM`.
    pub unit: Option<String>,
    /// `Status.Health`.
    pub health: Option<String>,
    /// `Status.State`: `Absent` and `Disabled` sensors are listed too.
    pub state: Option<String>,
    /// The chassis it belongs to.
    pub chassis: ResourcePath,
}

/// Of which chassis sensors are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SensorScope {
    /// Of those the system names as its own.
    #[default]
    System,
    /// Of every chassis the BMC shows: trays with many chassis (GB200) take a few requests for each.
    AllChassis,
}
