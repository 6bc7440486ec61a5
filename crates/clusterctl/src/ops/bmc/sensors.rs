//! `bmc sensors`: temperatures, fans, voltages, power.

use redfish::{Sensor, SensorScope};
use serde::Serialize;

use crate::exit::Stop;
use crate::ops::bmc::fan_out;
use crate::ops::bmc::listing::{cell, listing};
use crate::output::{Column, Outcome};
use crate::selection::Selection;
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Row {
    sensor: String,
    reading: Option<f64>,
    unit: Option<String>,
    health: Option<String>,
    state: Option<String>,
    chassis: String,
}

/// Which sensors are shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct SensorOptions {
    /// Of every chassis the service processor shows, not of the system's own alone.
    pub all_chassis: bool,
    /// Those alone whose health is known and not OK.
    pub unhealthy: bool,
}

/// The sensors of every machine, in the order its service processor gives them.
pub fn sensors(
    session: &Session,
    selection: &Selection,
    options: SensorOptions,
) -> Result<Outcome, Stop> {
    let scope = if options.all_chassis { SensorScope::AllChassis } else { SensorScope::System };
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let wanted = |sensor: &Sensor| {
        !options.unhealthy || sensor.health.as_deref().is_some_and(|health| health != "OK")
    };
    let answers = fan_out::ask(session, &connections, selection.nodes(), |bmc| {
        Ok(bmc.sensors(scope)?.into_iter().filter(wanted).map(row).collect::<Vec<_>>())
    });
    let columns = [
        Column::new("SENSOR"),
        Column::new("READING"),
        Column::new("UNIT"),
        Column::new("HEALTH"),
        Column::new("STATE"),
        Column::wide("CHASSIS"),
    ];
    let done = selection.names().into_iter().zip(answers).collect();
    Ok(listing(&done, "reading the sensors", &columns, |row| {
        // A sensor that says nothing is no sensor that says zero.
        let reading = row.reading.map_or("unknown".to_owned(), |reading| reading.to_string());
        vec![
            row.sensor.clone(),
            reading,
            cell(row.unit.as_ref()),
            cell(row.health.as_ref()),
            cell(row.state.as_ref()),
            row.chassis.clone(),
        ]
    }))
}

fn row(sensor: Sensor) -> Row {
    Row {
        sensor: sensor.name,
        reading: sensor.reading,
        unit: sensor.unit,
        health: sensor.health,
        state: sensor.state,
        chassis: sensor.chassis.to_string(),
    }
}
