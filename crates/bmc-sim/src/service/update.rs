//! PATCH: preconditions, then every member is judged, then all are written.

use serde_json::{Map, Value, json};

use super::message::{
    malformed, method_not_allowed, not_found, property_not_writable, property_unknown, refusal,
    value_not_in_list,
};
use super::session::SESSIONS;
use super::state::Service;
use crate::Power;
use crate::http::{Request, Response};
use crate::rules::IfMatch;

impl Service {
    pub(super) fn update(
        &mut self,
        request: &Request,
        powers: &[Option<Power>],
    ) -> Result<Response, Response> {
        let path = request.path();
        let body = self.tree.get(path).ok_or_else(|| not_found(path))?;
        if body.get("Members").is_some() || path.starts_with(SESSIONS) {
            return Err(method_not_allowed("GET, HEAD, POST"));
        }
        self.check_tag(request.header("if-match"), path)?;
        let Ok(Value::Object(wanted)) = serde_json::from_slice(&request.body) else {
            return Err(malformed());
        };
        if wanted.is_empty() {
            return Err(refusal(400, "EmptyJSON", "The request body contained no members.", &[]));
        }
        let plan = self.plan(path, wanted)?;
        if let Some((system, boot)) = plan.boot {
            self.systems[system].boot = Some(boot);
        }
        if let Some(members) = self.tree.change(path) {
            let mut body = Value::Object(std::mem::take(members));
            crate::tree::merge(&mut body, &Value::Object(plan.members));
            if let Value::Object(merged) = body {
                *members = merged;
            }
        }
        Ok(self.reply(self.rules.patch_reply, Some((path, powers))))
    }

    /// RFC 9110 `If-Match`, as this BMC understands it.
    fn check_tag(&self, sent: Option<&str>, path: &str) -> Result<(), Response> {
        let failed = || {
            let message =
                "The ETag supplied did not match the ETag required to change this resource.";
            refusal(412, "PreconditionFailed", message, &[])
        };
        match (self.rules.tags.if_match, sent) {
            (IfMatch::Ignored, _) | (IfMatch::Optional | IfMatch::Refused, None) => Ok(()),
            (IfMatch::Required, None) => {
                let message =
                    "A precondition header or annotation is required to change this resource.";
                Err(refusal(428, "PreconditionRequired", message, &[]))
            }
            (IfMatch::Refused, Some(_)) => Err(failed()),
            (IfMatch::Optional | IfMatch::Required, Some("*")) => {
                if self.rules.tags.any {
                    Ok(())
                } else {
                    Err(failed())
                }
            }
            (IfMatch::Optional | IfMatch::Required, Some(sent)) => {
                let tag = self.tree.tag(path);
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
        let is_media = type_of(body) == "VirtualMedia";
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
            plan.members = super::media::change(plan.members);
        }
        Ok(plan)
    }
}

/// What a PATCH will write.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) members: Map<String, Value>,
    /// Which system's override becomes what.
    pub(super) boot: Option<(usize, crate::BootOverride)>,
}

impl Plan {
    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.members.insert(name.to_owned(), value);
    }
}

/// The schema's name: `#VirtualMedia.v1_6_3.VirtualMedia` is a `VirtualMedia`.
pub(super) fn type_of(body: &Value) -> &str {
    let name = body.get("@odata.type").and_then(Value::as_str).unwrap_or_default();
    name.rsplit('.').next().unwrap_or_default()
}
