//! The identification light: one lamp, shown by a system and by the chassis it is in.

use serde_json::{Map, Value, json};

use super::state::Service;
use crate::tree::link;

const LED: &str = "IndicatorLED";
const ACTIVE: &str = "LocationIndicatorActive";

impl Service {
    /// Shows what was written to the lamp at `path` at its other resources too.
    pub(super) fn mirror_indicator(&mut self, path: &str, written: &Map<String, Value>) {
        let lamp: Map<String, Value> = [LED, ACTIVE]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), written.get(name)?.clone())))
            .collect();
        if lamp.is_empty() {
            return;
        }
        for other in self.lamp_shown_by(path) {
            if let Some(members) = self.tree.change(&other) {
                for (name, value) in both(&lamp) {
                    if let Some(place) = members.get_mut(&name) {
                        *place = value;
                    }
                }
            }
        }
    }

    /// The chassis of a system, the systems of a chassis, that have the lamp.
    fn lamp_shown_by(&self, path: &str) -> Vec<String> {
        let links = self.tree.get(path).and_then(|body| body.get("Links"));
        let linked = |name: &str| links.and_then(|links| links.get(name)?.as_array());
        let all = [linked("Chassis"), linked("ComputerSystems")].into_iter().flatten().flatten();
        let shows = |path: &&str| {
            self.tree.get(path).is_some_and(|body| body.get(LED).or(body.get(ACTIVE)).is_some())
        };
        all.filter_map(link).filter(shows).map(str::to_owned).collect()
    }
}

/// Either word of the lamp said in both: a lamp that blinks is active.
fn both(written: &Map<String, Value>) -> Map<String, Value> {
    let mut all = written.clone();
    match (written.get(LED).and_then(Value::as_str), written.get(ACTIVE).and_then(Value::as_bool)) {
        (Some(led), None) => {
            all.insert(ACTIVE.to_owned(), json!(led != "Off"));
        }
        (None, Some(active)) => {
            all.insert(LED.to_owned(), json!(if active { "Blinking" } else { "Off" }));
        }
        _ => {}
    }
    all
}
