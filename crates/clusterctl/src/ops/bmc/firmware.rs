//! `bmc firmware`: what runs on the machine's processors, and in which version.

use redfish::Firmware;
use serde::Serialize;

use crate::exit::Stop;
use crate::ops::bmc::fan_out;
use crate::ops::bmc::listing::{cell, listing};
use crate::output::{Column, Outcome};
use crate::selection::Selection;
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Row {
    id: String,
    component: String,
    version: Option<String>,
    updateable: Option<bool>,
    health: Option<String>,
    state: Option<String>,
}

/// The firmware components of every machine.
pub fn firmware(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers = fan_out::ask(session, &connections, selection.nodes(), |bmc| {
        Ok(bmc.firmware()?.into_iter().map(row).collect::<Vec<_>>())
    });
    let columns = [
        Column::new("COMPONENT"),
        Column::new("VERSION"),
        Column::wide("UPDATEABLE"),
        Column::wide("HEALTH"),
        Column::wide("STATE"),
        Column::wide("ID"),
    ];
    let done = selection.names().into_iter().zip(answers).collect();
    Ok(listing(&done, "reading the firmware", &columns, |row| {
        vec![
            row.component.clone(),
            row.version.clone().unwrap_or_else(|| "unknown".to_owned()),
            row.updateable.map(|updateable| updateable.to_string()).unwrap_or_default(),
            cell(row.health.as_ref()),
            cell(row.state.as_ref()),
            row.id.clone(),
        ]
    }))
}

fn row(firmware: Firmware) -> Row {
    Row {
        id: firmware.id,
        component: firmware.name,
        version: firmware.version,
        updateable: firmware.updateable,
        health: firmware.health,
        state: firmware.state,
    }
}
