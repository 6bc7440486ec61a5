//! PATCH: preconditions, then every member is judged, then all are written.

use serde_json::{Map, Value, json};

use super::account_service;
use super::message::{
    malformed, method_not_allowed, not_found, property_not_writable, property_unknown, refusal,
    value_not_in_list,
};
use super::state::Service;
use crate::Power;
use crate::http::{Request, Response};
use crate::rules::{IfMatch, PartialUpdates};

/// The job that a write of the mode queues.
const JOB: &str = "/redfish/v1/TaskService/Tasks/JID_000000000001";

impl Service {
    pub(super) fn update(
        &mut self,
        request: &Request,
        powers: &[Option<Power>],
    ) -> Result<Response, Response> {
        let path = request.path();
        self.tree.get(path).ok_or_else(|| not_found(path))?;
        let allow = self.allow(path);
        if !allow.contains("PATCH") {
            return Err(method_not_allowed(allow));
        }
        self.check_tag(request.header("if-match"), path)?;
        let Ok(Value::Object(mut wanted)) = serde_json::from_slice(&request.body) else {
            return Err(malformed());
        };
        // Annotations are no properties: a client may send back what it read.
        wanted.retain(|name, _| !name.starts_with("@odata."));
        if wanted.is_empty() {
            let message = "The request body contained no property to be updated.";
            return Err(refusal(400, "NoOperation", message, &[]));
        }
        if self.rules.partial_updates == PartialUpdates::Refused {
            let plan = self.plan(path, wanted)?;
            let queued = plan.queues_job;
            self.apply(path, plan);
            let reply = self.reply(self.rules.patch_reply, Some((path, powers)));
            return Ok(if queued { reply.with("Location", JOB) } else { reply });
        }
        self.update_in_part(path, wanted, powers)
    }

    /// Writes what can be written, and tells of the rest.
    fn update_in_part(
        &mut self,
        path: &str,
        wanted: Map<String, Value>,
        powers: &[Option<Power>],
    ) -> Result<Response, Response> {
        let mut written = false;
        let mut refused = None;
        for piece in pieces(wanted) {
            match self.plan(path, piece) {
                Ok(plan) => {
                    self.apply(path, plan);
                    written = true;
                }
                Err(response) => refused = refused.or(Some(response)),
            }
        }
        let Some(refused) = refused else {
            return Ok(self.reply(self.rules.patch_reply, Some((path, powers))));
        };
        if !written || self.rules.partial_updates == PartialUpdates::AppliedAndRefused {
            return Err(refused);
        }
        let mut body = self.render(path, powers).unwrap_or_default();
        let error: Value = serde_json::from_slice(&refused.body).unwrap_or_default();
        body["@Message.ExtendedInfo"] = error["error"]["@Message.ExtendedInfo"].clone();
        Ok(Response::json(200, &body).with("ETag", self.tree.tag(path)))
    }

    fn apply(&mut self, path: &str, plan: Plan) {
        let Plan { members, boot, account, queues_job } = plan;
        if let Some((system, boot)) = boot {
            self.systems[system].boot = Some(boot);
            self.systems[system].job |= queues_job;
        }
        self.mirror_indicator(path, &members);
        let mut changed = Value::Object(members);
        if let Some(account) = account {
            changed = self.change_account(path, account).unwrap_or(changed);
            if let Value::Object(members) = &mut changed {
                members.shift_remove("@odata.etag");
            }
        }
        if let Some(members) = self.tree.change(path) {
            let mut body = Value::Object(std::mem::take(members));
            crate::tree::merge(&mut body, &changed);
            if let Value::Object(merged) = body {
                *members = merged;
            }
        }
    }

    /// RFC 9110 `If-Match`, as this BMC understands it.
    fn check_tag(&self, sent: Option<&str>, path: &str) -> Result<(), Response> {
        let missing = || {
            let message =
                "A precondition header or annotation is required to change this resource.";
            refusal(428, "PreconditionRequired", message, &[])
        };
        let failed = || {
            if self.rules.tags.stale_is_missing {
                return missing();
            }
            let message =
                "The ETag supplied did not match the ETag required to change this resource.";
            refusal(412, "PreconditionFailed", message, &[])
        };
        match (self.rules.tags.if_match, sent) {
            (IfMatch::Ignored, _) | (IfMatch::Optional | IfMatch::Refused, None) => Ok(()),
            (IfMatch::Required, None) => Err(missing()),
            (IfMatch::Refused, Some(_)) => Err(failed()),
            (IfMatch::Optional | IfMatch::Required, Some("*")) => {
                if self.rules.tags.any {
                    Ok(())
                } else {
                    Err(failed())
                }
            }
            (IfMatch::Optional | IfMatch::Required, Some(sent)) => {
                let tag = self.shown_tag(path);
                let matches = sent.split(',').map(str::trim).any(|sent| {
                    if self.rules.tags.weak {
                        sent.trim_start_matches("W/") == tag.trim_start_matches("W/")
                    } else {
                        !sent.starts_with("W/") && sent == tag.trim_start_matches("W/")
                    }
                });
                if matches { Ok(()) } else { Err(failed()) }
            }
        }
    }

    fn plan(&self, path: &str, wanted: Map<String, Value>) -> Result<Plan, Response> {
        let body = self.tree.get(path).ok_or_else(|| not_found(path))?;
        let mut plan = Plan::default();
        if self.accounts.iter().any(|account| account.path.as_deref() == Some(path)) {
            let known = |name: &&String| body.get(name.as_str()).is_some();
            if let Some(name) =
                wanted.keys().find(|it| !account_service::WRITABLE.contains(&it.as_str()))
            {
                let refused = if known(&name) { property_not_writable } else { property_unknown };
                return Err(refused(name));
            }
            plan.account = Some(account_service::Changes::judge(&wanted)?);
            return Ok(plan);
        }
        let is_media = type_of(body) == "VirtualMedia";
        if self.rules.one_indicator_at_a_time
            && wanted.contains_key("IndicatorLED")
            && wanted.contains_key("LocationIndicatorActive")
        {
            let message = "IndicatorLED and LocationIndicatorActive cannot be written together.";
            return Err(refusal(400, "PropertyValueConflict", message, &["IndicatorLED"]));
        }
        for (name, value) in wanted {
            match (name.as_str(), &value) {
                ("Boot", Value::Object(boot)) if body.get("Boot").is_some() => {
                    self.plan_boot(path, boot, &mut plan)?;
                    continue;
                }
                _ if is_media && super::media::is_parameter(&name) => {}
                (known, _) if body.get(known).is_none() => return Err(property_unknown(known)),
                ("IndicatorLED", Value::String(led)) => {
                    let annotation = "IndicatorLED@Redfish.AllowableValues";
                    let allowed = body.get(annotation).and_then(Value::as_array);
                    let holds = allowed.map_or_else(
                        || matches!(led.as_str(), "Lit" | "Blinking" | "Off"),
                        |allowed| allowed.contains(&value),
                    );
                    if !holds {
                        return Err(value_not_in_list(&value, "IndicatorLED"));
                    }
                    if body.get("LocationIndicatorActive").is_some() {
                        plan.set("LocationIndicatorActive", json!(led != "Off"));
                    }
                }
                ("LocationIndicatorActive", Value::Bool(active)) => {
                    if body.get("IndicatorLED").is_some() {
                        let led = if *active { "Blinking" } else { "Off" };
                        plan.set("IndicatorLED", json!(led));
                    }
                }
                ("AssetTag" | "HostName", Value::String(_))
                | ("SessionTimeout", Value::Number(_)) => {}
                (
                    "AssetTag" | "HostName" | "IndicatorLED" | "LocationIndicatorActive" | "Boot",
                    _,
                ) => {
                    let message = format!(
                        "The value for the property {name} is of a different type than the property can accept."
                    );
                    return Err(refusal(400, "PropertyValueTypeError", &message, &[&name]));
                }
                _ => return Err(property_not_writable(&name)),
            }
            plan.set(&name, value);
        }
        if is_media {
            plan.members = super::media::change(plan.members, self.rules.eject_keeps_image_name);
        }
        Ok(plan)
    }
}

/// What a PATCH will write.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) members: Map<String, Value>,
    /// Which system's override becomes what.
    pub(super) boot: Option<(usize, crate::BootOverride)>,
    account: Option<account_service::Changes>,
    /// The mode was written, and that takes a configuration job.
    pub(super) queues_job: bool,
}

impl Plan {
    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.members.insert(name.to_owned(), value);
    }
}

/// Whether anything of a resource can be written.
pub(super) fn is_updatable(body: &Value) -> bool {
    let writable = [
        "Boot",
        "IndicatorLED",
        "LocationIndicatorActive",
        "AssetTag",
        "HostName",
        "SessionTimeout",
    ];
    type_of(body) == "VirtualMedia" || writable.iter().any(|name| body.get(name).is_some())
}

/// The members one by one, those of `Boot` apart.
fn pieces(wanted: Map<String, Value>) -> impl Iterator<Item = Map<String, Value>> {
    wanted.into_iter().flat_map(|(name, value)| match value {
        Value::Object(boot) if name == "Boot" => boot
            .into_iter()
            .map(|(name, value)| Map::from_iter([("Boot".to_owned(), json!({ name: value }))]))
            .collect(),
        value => vec![Map::from_iter([(name, value)])],
    })
}

/// The schema's name: `#VirtualMedia.v1_6_3.VirtualMedia` is a `VirtualMedia`.
pub(super) fn type_of(body: &Value) -> &str {
    let name = body.get("@odata.type").and_then(Value::as_str).unwrap_or_default();
    name.rsplit('.').next().unwrap_or_default()
}
