//! PATCH of `Boot`.

use serde_json::{Map, Value, json};

use super::message::{
    property_missing, property_not_writable, property_unknown, refusal, value_not_in_list,
};
use super::state::{Service, System};
use super::update::Plan;
use crate::http::Response;
use crate::rules::{BootMode, BootWrites, Disabling, ReadBack};
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
            let optional = name == MODE || (name == URI && self.rules.http_boot_uri);
            let known = body.get(name).is_some() || (optional && body.get(TARGET).is_some());
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
            self.check_moment(system)?;
            let boot = self.judge(system, body, wanted, current)?;
            plan.queues_job =
                self.rules.boot_mode == BootMode::QueuesJob && wanted.contains_key(MODE);
            if plan.queues_job && system.job {
                let message = "A configuration job is pending already.";
                return Err(refusal(400, "IDRAC.2.7.SYS011", message, &[]));
            }
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

    /// Whether the machine's state allows a write now.
    fn check_moment(&self, system: &System) -> Result<(), Response> {
        let in_self_test =
            system.booted.is_some_and(|booted| booted.elapsed() < self.rules.self_test);
        if in_self_test {
            let message = "The boot settings cannot be changed during the power-on self test.";
            let id = "iLO.2.15.UnableToModifyDuringSystemPOST";
            return Err(refusal(400, id, message, &["Boot"]));
        }
        Ok(())
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
                let shown = body.get(MODE).is_some();
                return Err(if shown { property_not_writable } else { property_unknown }(MODE));
            }
            BootMode::FallsToLegacy => {
                boot.enabled = OverrideEnabled::Disabled;
                if !wanted.contains_key(MODE) && body.get(MODE).is_some() {
                    boot.mode = Some("Legacy".to_owned());
                }
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
        let uefi = boot.mode.as_deref() == Some("UEFI");
        if boot.enabled == OverrideEnabled::Continuous && uefi && !self.rules.continuous_in_uefi {
            return Err(value_not_in_list(&json!("Continuous"), ENABLED));
        }
        self.check_disabling(wanted, &boot)?;
        Ok(boot)
    }

    fn check_disabling(
        &self,
        wanted: &Map<String, Value>,
        boot: &BootOverride,
    ) -> Result<(), Response> {
        if boot.enabled != OverrideEnabled::Disabled || !wanted.contains_key(ENABLED) {
            return Ok(());
        }
        let none = wanted.get(TARGET).and_then(Value::as_str) == Some("None");
        match self.rules.disabling {
            Disabling::WithTarget if boot.target == "None" => {
                let message = "BootSourceOverrideEnabled cannot be changed while BootSourceOverrideTarget is None.";
                Err(refusal(400, "PropertyValueConflict", message, &[ENABLED, TARGET]))
            }
            Disabling::WithTargetNone | Disabling::WithTargetNoneAndMode if !none => {
                Err(property_missing(TARGET))
            }
            Disabling::WithTargetNoneAndMode if !wanted.contains_key(MODE) => {
                Err(property_missing(MODE))
            }
            _ => Ok(()),
        }
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
            Some(word)
                if name == TARGET && self.rules.unlisted_targets.iter().any(|it| it == word) =>
            {
                Ok(word)
            }
            _ => Err(value_not_in_list(value, name)),
        }
    }
}
