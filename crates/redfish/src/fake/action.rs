//! Actions other than a reset, and properties other than the boot override.

use http::Response;
use serde_json::{Value, json};

use super::service::{Service, answer, key, refuse};
use super::{Asked, Rule};

impl Service {
    /// Carries out an action of a log or of virtual media; nothing where there is none at the path.
    pub(super) fn act(&mut self, path: &str, asked: &Asked) -> Option<Response<Vec<u8>>> {
        let (owner, name) = self.find_action(path)?;
        if let Some(refusal) = self.missing_parameter(asked) {
            return Some(refusal);
        }
        if self.has(&Rule::ForgetWrites) {
            return Some(self.taken());
        }
        match name.as_str() {
            "#LogService.ClearLog" => {
                let entries = self.resource(&owner)?["Entries"]["@odata.id"].as_str().map(key)?;
                let log = self.resource_mut(&entries)?;
                log["Members"] = json!([]);
                log["Members@odata.count"] = json!(0);
            }
            "#VirtualMedia.InsertMedia" => {
                let media = self.resource_mut(&owner)?;
                media["Image"] = asked.body["Image"].clone();
                media["Inserted"] = json!(true);
                media["ConnectedVia"] = json!("URI");
            }
            // Supermicro leaves the name behind.
            "#VirtualMedia.EjectMedia" => {
                let media = self.resource_mut(&owner)?;
                media["Inserted"] = json!(false);
                media["ConnectedVia"] = json!("NotConnected");
            }
            _ => return None,
        }
        Some(self.taken())
    }

    fn find_action(&self, path: &str) -> Option<(String, String)> {
        self.all().find_map(|(owner, body)| {
            let is_this =
                |action: &Value| action["target"].as_str().map(key).as_deref() == Some(path);
            let actions = body["Actions"].as_object()?;
            let (name, _) = actions.iter().find(|(_, action)| is_this(action))?;
            Some((owner.to_owned(), name.clone()))
        })
    }

    fn missing_parameter(&self, asked: &Asked) -> Option<Response<Vec<u8>>> {
        let mut required = self.rules.iter().filter_map(|rule| match rule {
            Rule::RequireParameter(name) => Some(*name),
            _ => None,
        });
        let missing = required.find(|name| asked.body.get(*name).is_none())?;
        let text = format!("The action requires the parameter {missing}.");
        Some(refuse(400, "Base.1.8.ActionParameterMissing", &text, &[missing]))
    }

    pub(super) fn taken(&self) -> Response<Vec<u8>> {
        if self.has(&Rule::Tasks) {
            let monitor = "/redfish/v1/TaskService/TaskMonitors/1".to_owned();
            return answer(202, &[("Location", monitor)], "");
        }
        answer(204, &[], "")
    }

    /// A property of a PATCH, outside of `Boot`, that is not there or not writable.
    pub(super) fn refuse_properties(&self, path: &str, body: &Value) -> Option<Response<Vec<u8>>> {
        let shown = self.resource(path)?;
        body.as_object()?.keys().filter(|name| *name != "Boot").find_map(|name| {
            let text = format!("The property {name} is a read only property.");
            let is_read_only = self.rules.iter().any(
                |rule| matches!(rule, Rule::ReadOnlyProperty(read_only) if *read_only == name),
            );
            (is_read_only || shown.get(name).is_none())
                .then(|| refuse(400, "Base.1.8.PropertyNotWritable", &text, &[name]))
        })
    }

    /// Stores what a PATCH says outside of `Boot`.
    pub(super) fn store_properties(&mut self, path: &str, body: &Value) {
        let Some(resource) = self.resource_mut(path) else { return };
        for (name, value) in body.as_object().into_iter().flatten() {
            if name != "Boot" {
                resource[name] = value.clone();
            }
        }
        if let Some(image) = body.get("Image") {
            let via = if image.is_null() { "NotConnected" } else { "URI" };
            resource["ConnectedVia"] = json!(via);
        }
    }
}
