//! POST to an action.

use serde_json::{Map, Value};

use super::media;
use super::message::{
    malformed, method_not_allowed, not_found, parameter_missing, parameter_not_in_list,
    parameter_unknown, refusal,
};
use super::state::{Outcome, Service};
use crate::Power;
use crate::http::{Request, Response};
use crate::tree::link;

impl Service {
    pub(super) fn act(
        &mut self,
        request: &Request,
        powers: &[Option<Power>],
    ) -> Result<Outcome, Response> {
        let path = request.path();
        let Some(Found { owner, name, action }) = self.find_action(path) else {
            let exists = self.tree.get(path).is_some();
            return Err(if exists {
                method_not_allowed(self.allow(path))
            } else {
                not_found(path)
            });
        };
        if !self.rules.tags.on_actions && request.header("if-match").is_some() {
            let message = "An action takes no If-Match.";
            return Err(refusal(412, "PreconditionFailed", message, &[]));
        }
        let parameters = parameters(&request.body)?;
        match name.as_str() {
            "ComputerSystem.Reset" => return self.reset(&owner, &action, &parameters, powers),
            "Manager.Reset" => self.end_sessions(),
            "LogService.ClearLog" => self.clear_log(&owner)?,
            "VirtualMedia.InsertMedia" => self.insert_media(&owner, parameters)?,
            "VirtualMedia.EjectMedia" => {
                let members = media::ejected(self.rules.eject_keeps_image_name);
                self.set_members(&owner, members);
            }
            "Chassis.Reset" => self.reset_chassis(&owner, &action, &parameters)?,
            _ => {
                let message = format!("The action {name} is not supported by the resource.");
                return Err(refusal(501, "ActionNotSupported", &message, &[&name]));
            }
        }
        Ok(self.reply(self.rules.action_reply, None).into())
    }

    fn find_action(&self, target: &str) -> Option<Found> {
        let (owner, _) = target.split_once("/Actions/")?;
        let actions = self.tree.get(owner)?.get("Actions")?.as_object()?;
        let oem = actions.get("Oem").and_then(Value::as_object);
        let (name, action) =
            actions.iter().chain(oem.into_iter().flatten()).find(|(_, action)| {
                action
                    .get("target")
                    .and_then(Value::as_str)
                    .is_some_and(|it| it.trim_end_matches('/') == target)
            })?;
        let name = name.trim_start_matches('#').to_owned();
        Some(Found { owner: owner.to_owned(), name, action: action.clone() })
    }

    fn clear_log(&mut self, owner: &str) -> Result<(), Response> {
        let entries = self.tree.get(owner).and_then(|log| link(log.get("Entries")?));
        let entries = entries.map_or_else(|| format!("{owner}/Entries"), str::to_owned);
        if self.tree.get(&entries).is_none() {
            return Err(not_found(&entries));
        }
        self.tree.remove_below(&entries);
        self.tree.set_members(&entries, Vec::new());
        Ok(())
    }

    fn insert_media(
        &mut self,
        owner: &str,
        parameters: Map<String, Value>,
    ) -> Result<(), Response> {
        let action = "VirtualMedia.InsertMedia";
        if let Some(unknown) = parameters.keys().find(|name| !media::is_parameter(name)) {
            return Err(parameter_unknown(action, unknown));
        }
        if parameters.get("Image").and_then(Value::as_str).is_none_or(str::is_empty) {
            return Err(parameter_missing(action, "Image"));
        }
        if self.rules.insert_needs_protocol && !parameters.contains_key("TransferProtocolType") {
            return Err(parameter_missing(action, "TransferProtocolType"));
        }
        let user = parameters.get("UserName").and_then(Value::as_str);
        if self.rules.insert_refuses_empty_user && user == Some("") {
            return Err(parameter_not_in_list(action, "UserName", &Value::from("")));
        }
        let inserted = self.tree.get(owner).and_then(|media| media.get("Inserted"));
        if inserted == Some(&Value::Bool(true)) {
            let message = "The change to the resource failed because the resource is in use.";
            return Err(refusal(409, "ResourceInUse", message, &[]));
        }
        let members = media::change(parameters, self.rules.eject_keeps_image_name);
        self.set_members(owner, members);
        Ok(())
    }

    fn set_members(&mut self, path: &str, changes: Map<String, Value>) {
        if let Some(members) = self.tree.change(path) {
            members.extend(changes);
        }
    }
}

struct Found {
    owner: String,
    /// `ComputerSystem.Reset`.
    name: String,
    action: Value,
}

/// The parameters of an action; no body is none.
fn parameters(body: &[u8]) -> Result<Map<String, Value>, Response> {
    if body.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_slice(body) {
        Ok(Value::Object(parameters)) => Ok(parameters),
        _ => Err(malformed()),
    }
}
