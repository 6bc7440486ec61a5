//! PATCH of `Boot`.

use serde_json::{Map, Value, json};

use super::message::{
    property_missing, property_not_writable, property_unknown, refusal, value_not_in_list,
};
use super::state::{Service, System};
use super::update::Plan;
use crate::http::Response;
use crate::rules::{BootMode, BootWrites, ReadBack};
use crate::{BootOverride, OverrideEnabled};

const ENABLED: &str = "BootSourceOverrideEnabled";
const TARGET: &str = "BootSourceOverrideTarget";
const MODE: &str = "BootSourceOverrideMode";
const URI: &str = "HttpBootUri";

impl Service {
    /// Judges a write of `Boot` to the system or settings object at `path`.
    pub(super) fn plan_boot(
        &self,
        path: &str,
        wanted: &Map<String, Value>,
        plan: &mut Plan,
    ) -> Result<(), Response> {
        let owner = self
            .systems
            .iter()
            .position(|system| system.path == path || system.settings.as_deref() == Some(path))
            .ok_or_else(|| property_not_writable("Boot"))?;
        let system = &self.systems[owner];
        let body = self.tree.get(path).and_then(|body| body.get("Boot")).unwrap_or(&Value::Null);
        for (name, value) in wanted {
            let known = body.get(name).is_some() || (name == URI && body.get(TARGET).is_some());
            match name.as_str() {
                name if !known => return Err(property_unknown(&format!("Boot/{name}"))),
                ENABLED | TARGET | MODE | URI => {}
                "BootOrder"
                    if value.as_array().is_some_and(|it| it.iter().all(Value::is_string)) =>
                {
                    plan.set("Boot", json!({ "BootOrder": value }));
                }
                name => return Err(property_not_writable(&format!("Boot/{name}"))),
            }
        }
        let overrides =
            wanted.keys().any(|name| matches!(name.as_str(), ENABLED | TARGET | MODE | URI));
        if let Some(current) = system.boot.as_ref().filter(|_| overrides) {
            self.check_place(system, path)?;
            let boot = self.judge(system, body, wanted, current)?;
            if self.rules.read_back != ReadBack::NotStored {
                plan.boot = Some((owner, boot));
            }
        }
        Ok(())
    }

    /// Whether this resource takes the override.
    fn check_place(&self, system: &System, path: &str) -> Result<(), Response> {
        let on_system = path == system.path;
        match (self.rules.boot_writes, &system.settings) {
            (BootWrites::None, _) => Err(property_not_writable("Boot")),
            (BootWrites::System, _) if !on_system => Err(property_not_writable("Boot")),
            (BootWrites::Settings, Some(_)) if on_system => Err(property_not_writable("Boot")),
            (BootWrites::SettingsNamed, Some(settings)) if on_system => {
                let message = format!(
                    "The operation is supported in the future state resource {settings} only."
                );
                let id = "Ami.1.0.OperationSupportedInFutureStateURI";
                Err(refusal(400, id, &message, &["Boot", settings]))
            }
            _ => Ok(()),
        }
    }

    fn judge(
        &self,
        system: &System,
        body: &Value,
        wanted: &Map<String, Value>,
        current: &BootOverride,
    ) -> Result<BootOverride, Response> {
        let mut boot = current.clone();
        match self.rules.boot_mode {
            BootMode::Required => {
                // Switching off takes less than switching on.
                let off = wanted.get(ENABLED).and_then(Value::as_str) == Some("Disabled");
                for name in [ENABLED, TARGET, MODE] {
                    if !off && !wanted.contains_key(name) {
                        return Err(property_missing(name));
                    }
                }
            }
            BootMode::Refused if wanted.contains_key(MODE) => {
                return Err(property_not_writable(MODE));
            }
            BootMode::FallsToLegacy if !wanted.contains_key(MODE) && body.get(MODE).is_some() => {
                boot.mode = Some("Legacy".to_owned());
            }
            _ => {}
        }
        if let Some(value) = wanted.get(ENABLED) {
            let word = self.allowed_word(system, body, ENABLED, value)?;
            boot.enabled = OverrideEnabled::from_word(word)
                .ok_or_else(|| value_not_in_list(value, ENABLED))?;
        }
        if let Some(value) = wanted.get(TARGET) {
            self.allowed_word(system, body, TARGET, value)?.clone_into(&mut boot.target);
        }
        if let Some(value) = wanted.get(MODE) {
            boot.mode = Some(self.allowed_word(system, body, MODE, value)?.to_owned());
        }
        if let Some(value) = wanted.get(URI) {
            boot.http_boot_uri = value.as_str().map(str::to_owned);
        }
        let disables = boot.enabled == OverrideEnabled::Disabled && wanted.contains_key(ENABLED);
        if self.rules.disabling_needs_target && disables && boot.target == "None" {
            let message = "BootSourceOverrideEnabled cannot be changed while BootSourceOverrideTarget is None.";
            return Err(refusal(400, "PropertyValueConflict", message, &[ENABLED, TARGET]));
        }
        Ok(boot)
    }

    /// A word that the resource, or else its system, lists as allowed; any word where neither lists.
    fn allowed_word<'a>(
        &self,
        system: &System,
        body: &Value,
        name: &str,
        value: &'a Value,
    ) -> Result<&'a str, Response> {
        let annotation = format!("{name}@Redfish.AllowableValues");
        let of_system = self.tree.get(&system.path).and_then(|it| it.get("Boot")?.get(&annotation));
        let listed = body.get(&annotation).or(of_system).and_then(Value::as_array);
        match value.as_str() {
            Some(word) if listed.is_none_or(|listed| listed.contains(value)) => Ok(word),
            _ => Err(value_not_in_list(value, name)),
        }
    }
}
