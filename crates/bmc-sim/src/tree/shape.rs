//! What a tree says about its systems.

use serde_json::Value;

use super::Tree;
use super::resources::link;
use crate::Power;

/// A member of the Systems collection.
#[derive(Clone, Debug)]
pub(crate) struct SystemShape {
    pub(crate) path: String,
    /// `@Redfish.Settings.SettingsObject`, where it leads to a resource.
    pub(crate) settings: Option<String>,
    /// Whether it can be reset; a GPU baseboard cannot.
    pub(crate) resettable: bool,
    pub(crate) power: Option<Power>,
}

impl Tree {
    /// The systems, in the order of their collection.
    pub(crate) fn systems(&self) -> Vec<SystemShape> {
        let Some(Value::Array(members)) =
            self.get("/redfish/v1/Systems").and_then(|collection| collection.get("Members"))
        else {
            return Vec::new();
        };
        members.iter().filter_map(link).filter_map(|path| self.system(path)).collect()
    }

    fn system(&self, path: &str) -> Option<SystemShape> {
        let body = self.get(path)?;
        let settings = body.pointer("/@Redfish.Settings/SettingsObject").and_then(link);
        Some(SystemShape {
            path: path.to_owned(),
            settings: settings.filter(|path| self.get(path).is_some()).map(str::to_owned),
            resettable: body.pointer("/Actions/#ComputerSystem.Reset/target").is_some(),
            power: body.get("PowerState").and_then(Value::as_str).and_then(Power::from_word),
        })
    }

    /// Whether a chassis that can be switched is off.
    pub(crate) fn has_chassis_off(&self) -> bool {
        let members = self.get("/redfish/v1/Chassis").and_then(|it| it.get("Members")?.as_array());
        members.into_iter().flatten().filter_map(link).filter_map(|path| self.get(path)).any(
            |body| {
                body.pointer("/Actions/#Chassis.Reset").is_some()
                    && body.get("PowerState").and_then(Value::as_str) == Some("Off")
            },
        )
    }

    /// The values a parameter of an action may have: inline, else by its `ActionInfo`; `None` where
    /// neither says.
    pub(crate) fn allowed(&self, action: &Value, parameter: &str) -> Option<Vec<String>> {
        let inline = action.get(format!("{parameter}@Redfish.AllowableValues"));
        let values = inline.or_else(|| {
            // Older services hold the path itself, newer ones a link.
            let info = action.get("@Redfish.ActionInfo")?;
            let path = info.as_str().or_else(|| link(info))?;
            let parameters = self.get(path.trim_end_matches('/'))?.get("Parameters")?.as_array()?;
            parameters
                .iter()
                .find(|known| known.get("Name").and_then(Value::as_str) == Some(parameter))?
                .get("AllowableValues")
        })?;
        Some(values.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }
}
