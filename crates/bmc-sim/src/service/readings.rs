//! Sensors of a machine that is off: nothing turns, nothing is drawn.

use serde_json::{Value, json};

use super::update::type_of;
use crate::Power;

/// Puts the readings of a resource to rest where every machine is off.
pub(super) fn rest(body: &mut Value, powers: &[Option<Power>]) {
    let mut machines = powers.iter().flatten().peekable();
    if machines.peek().is_none() || machines.any(|power| *power != Power::Off) {
        return;
    }
    match type_of(body) {
        "Thermal" => set_each(body, "Fans", "Reading"),
        "Power" => set_each(body, "PowerControl", "PowerConsumedWatts"),
        "Sensor" => {
            let kind = body.get("ReadingType").and_then(Value::as_str);
            if matches!(kind, Some("Power" | "Rotational")) {
                set(body, "Reading");
            }
        }
        _ => {}
    }
}

fn set_each(body: &mut Value, list: &str, name: &str) {
    if let Some(Value::Array(items)) = body.get_mut(list) {
        items.iter_mut().for_each(|item| set(item, name));
    }
}

fn set(body: &mut Value, name: &str) {
    if let Some(reading) = body.get_mut(name).filter(|reading| reading.is_number()) {
        *reading = json!(0);
    }
}
