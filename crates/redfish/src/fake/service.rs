//! The service behind the fake.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use http::{Method, Response};
use serde_json::{Map, Value, json};

use super::{Asked, Rule};
use crate::system::action_info_types;
use crate::{ResourcePath, System};

const SESSIONS: &str = "/redfish/v1/SessionService/Sessions";

#[derive(Debug)]
pub(super) struct Service {
    resources: BTreeMap<String, Value>,
    pub(super) rules: Vec<Rule>,
    pub(super) account: Option<(String, String)>,
    pub(super) sessions: BTreeSet<String>,
    logins: u32,
}

/// One system that lists everything.
pub(super) fn plain() -> Value {
    json!({
        "/redfish/v1": {
            "@odata.id": "/redfish/v1/",
            "RedfishVersion": "1.17.0",
            "ProtocolFeaturesSupported": { "OnlyMemberQuery": true },
            "Systems": { "@odata.id": "/redfish/v1/Systems" },
        },
        "/redfish/v1/Systems": {
            "@odata.id": "/redfish/v1/Systems",
            "Members": [{ "@odata.id": "/redfish/v1/Systems/1" }],
        },
        "/redfish/v1/Systems/1": {
            "@odata.id": "/redfish/v1/Systems/1",
            "@odata.etag": "\"1\"",
            "PowerState": "On",
            "Manufacturer": "Example",
            "Model": "Node",
            "BiosVersion": "1.0",
            "Status": { "Health": "OK", "State": "Enabled" },
            "Boot": {
                "BootSourceOverrideEnabled": "Disabled",
                "BootSourceOverrideTarget": "None",
                "BootSourceOverrideMode": "UEFI",
                "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Hdd", "BiosSetup"],
            },
            "Actions": { "#ComputerSystem.Reset": {
                "target": "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset",
                "ResetType@Redfish.AllowableValues":
                    ["On", "ForceOff", "GracefulShutdown", "ForceRestart", "PowerCycle", "Nmi"],
            } },
        },
    })
}

pub(super) fn answer(
    status: u16,
    headers: &[(&'static str, String)],
    body: &str,
) -> Response<Vec<u8>> {
    let mut builder = Response::builder().status(status);
    for (name, value) in headers {
        builder = builder.header(*name, value);
    }
    builder.body(body.as_bytes().to_vec()).unwrap_or_default()
}

pub(super) fn refuse(status: u16, id: &str, text: &str, arguments: &[&str]) -> Response<Vec<u8>> {
    let info = json!([{ "MessageId": id, "Message": text, "MessageArgs": arguments }]);
    let body = json!({ "error": { "code": id, "message": text, "@Message.ExtendedInfo": info } });
    answer(status, &[], &body.to_string())
}

impl Service {
    pub(super) fn new(resources: &Value) -> Self {
        let resources = resources.as_object().into_iter().flatten();
        Self {
            resources: resources.map(|(path, body)| (key(path), body.clone())).collect(),
            rules: Vec::new(),
            account: None,
            sessions: BTreeSet::new(),
            logins: 0,
        }
    }

    pub(super) fn resource(&self, path: &str) -> Option<&Value> {
        self.resources.get(&key(path))
    }

    pub(super) fn set(&mut self, path: &str, body: Value) {
        self.resources.insert(key(path), body);
    }

    pub(super) fn answer(&mut self, asked: &Asked) -> Response<Vec<u8>> {
        let sessions = self.session_collection();
        if asked.method == Method::POST && key(&asked.target) == sessions {
            return self.log_in(asked);
        }
        if asked.method == Method::POST && key(&asked.target) == SESSIONS {
            return self.missing(SESSIONS);
        }
        let path = key(&asked.target);
        // The root is open to everybody (DSP0266).
        let is_open = asked.method == Method::GET && path == "/redfish/v1";
        if !is_open && !self.is_authenticated(asked) {
            return refuse(401, "Base.1.8.InsufficientPrivilege", "Log in first.", &[]);
        }
        if asked.method == Method::GET {
            let query = asked.target.split_once('?').map_or("", |(_, query)| query);
            return self.get(&path, query);
        }
        if asked.method == Method::DELETE && path.starts_with(&sessions) {
            self.sessions.remove(&path);
            return answer(204, &[], "");
        }
        match self.resources.get(&path) {
            Some(_) if asked.method == Method::PATCH => self.patch(&path, asked),
            None if asked.method == Method::POST => self.post(&path, asked),
            Some(_) => answer(405, &[], ""),
            None => self.missing(&path),
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.resources.iter().map(|(path, body)| (path.as_str(), body))
    }

    pub(super) fn resource_mut(&mut self, path: &str) -> Option<&mut Value> {
        self.resources.get_mut(&key(path))
    }

    pub(super) fn has(&self, rule: &Rule) -> bool {
        self.rules.contains(rule)
    }

    fn is_authenticated(&self, asked: &Asked) -> bool {
        let header = |name: &str| asked.headers.get(name).and_then(|value| value.to_str().ok());
        if let Some(token) = header("x-auth-token") {
            return self.sessions.iter().any(|session| session.ends_with(&format!("/{token}")));
        }
        let Some((user, password)) = &self.account else {
            return header("authorization").is_some();
        };
        let pair = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
        header("authorization") == Some(&format!("Basic {pair}"))
    }

    /// Where the root says sessions are, or where they are everywhere.
    fn session_collection(&self) -> String {
        let root = self.resource("/redfish/v1");
        let link = root.and_then(|root| root["Links"]["Sessions"]["@odata.id"].as_str());
        link.map_or_else(|| SESSIONS.to_owned(), key)
    }

    fn log_in(&mut self, asked: &Asked) -> Response<Vec<u8>> {
        let is_full = self.rules.iter().any(|rule| match rule {
            Rule::OutOfSessions => true,
            Rule::SessionLimit(most) => self.sessions.len() >= *most,
            _ => false,
        });
        if is_full {
            return refuse(
                503,
                "IDRAC.2.8.RAC0218",
                "The maximum number of sessions is reached.",
                &[],
            );
        }
        let said = |name: &str| asked.body.get(name).and_then(Value::as_str).unwrap_or_default();
        let is_known = self.account.as_ref().is_none_or(|(user, password)| {
            user == said("UserName") && password == said("Password")
        });
        if !is_known {
            return refuse(401, "Base.1.8.ResourceAtUriUnauthorized", "Wrong password.", &[]);
        }
        self.logins += 1;
        let token = format!("token{}", self.logins);
        let session = format!("{}/{token}", self.session_collection());
        self.sessions.insert(session.clone());
        let body = json!({ "@odata.id": session }).to_string();
        let mut headers = vec![("X-Auth-Token", token)];
        if !self.has(&Rule::SessionWithoutLocation) {
            headers.push(("Location", format!("https://bmc.internal{session}")));
        }
        answer(201, &headers, &body)
    }

    fn get(&self, path: &str, query: &str) -> Response<Vec<u8>> {
        let Some(body) = self.resources.get(path) else { return self.missing(path) };
        if query.starts_with('$') && self.has(&Rule::RefuseExpand) {
            return refuse(400, "Base.1.8.QueryNotSupportedOnResource", "No queries here.", &[]);
        }
        let body = self.rendered(body, query);
        let tag = body["@odata.etag"].as_str().map(|tag| ("ETag", tag.to_owned()));
        answer(200, &Vec::from_iter(tag), &body.to_string())
    }

    fn missing(&self, path: &str) -> Response<Vec<u8>> {
        let only_root = self.resources.len() == 1;
        if only_root {
            return refuse(403, "Base.1.8.InsufficientPrivilege", "Forbidden.", &[]);
        }
        refuse(404, "Base.1.8.ResourceMissingAtURI", "There is no such resource.", &[path])
    }

    fn patch(&mut self, path: &str, asked: &Asked) -> Response<Vec<u8>> {
        if let Some(refusal) = self.refuse_tag(path, asked) {
            return refusal;
        }
        let empty = Map::new();
        let boot = asked.body["Boot"].as_object().unwrap_or(&empty);
        let has_boot = asked.body.get("Boot").is_some();
        let refused = has_boot.then(|| self.refuse_boot(path, boot)).flatten();
        if let Some(refusal) = refused.or_else(|| self.refuse_properties(path, &asked.body)) {
            return refusal;
        }
        let forgets = |rule: &Rule| match rule {
            Rule::ForgetWrites => true,
            Rule::ForgetBoot(resource) => key(resource) == path,
            _ => false,
        };
        if !self.rules.iter().any(forgets) {
            self.store(path, boot);
            self.store_properties(path, &asked.body);
        }
        if self.has(&Rule::StoreAndRefuse) {
            return refuse(400, "Base.1.0.PropertyNotWritable", "The property is read only.", &[]);
        }
        answer(200, &[], "")
    }

    fn refuse_tag(&self, path: &str, asked: &Asked) -> Option<Response<Vec<u8>>> {
        let sent = asked.headers.get("if-match").and_then(|value| value.to_str().ok());
        let failed = || refuse(412, "Base.1.8.PreconditionFailed", "The ETag does not match.", &[]);
        let tag = self.resource(path).and_then(|body| body["@odata.etag"].as_str());
        match sent {
            None if self.has(&Rule::RequireIfMatch) => {
                Some(refuse(428, "Base.1.8.PreconditionRequired", "If-Match is required.", &[]))
            }
            Some(_) if self.has(&Rule::RefuseIfMatch) => Some(failed()),
            Some("*") if self.has(&Rule::RefuseStar) => Some(failed()),
            Some(sent) if sent.starts_with("W/") && self.has(&Rule::CompareWeakTagsStrongly) => {
                Some(failed())
            }
            Some(sent) if sent != "*" => {
                let bare = |tag: &str| tag.trim_start_matches("W/").to_owned();
                tag.is_some_and(|tag| bare(tag) != bare(sent)).then(failed)
            }
            _ => None,
        }
    }

    fn refuse_boot(&self, path: &str, boot: &Map<String, Value>) -> Option<Response<Vec<u8>>> {
        let not_writable = |name: &str| {
            let text = format!("The property {name} is a read only property.");
            Some(refuse(400, "Base.1.8.PropertyNotWritable", &text, &[name]))
        };
        self.rules.iter().find_map(|rule| match rule {
            Rule::ReadOnlyProperty(name) if boot.contains_key(*name) => not_writable(name),
            Rule::RequireProperty(name) if !boot.contains_key(*name) => {
                let text = format!("The property {name} is missing.");
                Some(refuse(400, "Base.1.8.PropertyMissing", &text, &[name]))
            }
            Rule::ReadOnlyBoot(resource) if key(resource) == path => not_writable("Boot"),
            Rule::FutureState(resource, instead) if key(resource) == path => Some(refuse(
                400,
                "Ami.1.0.OperationSupportedInFutureStateURI",
                "The operation is supported by another URI.",
                &[path, instead],
            )),
            Rule::RefuseDisableWithoutTarget => {
                let shown = self.resource(path)?;
                let is_none = shown["Boot"]["BootSourceOverrideTarget"] == json!("None")
                    || boot.get("BootSourceOverrideTarget") == Some(&json!("None"));
                let disables = boot.get("BootSourceOverrideEnabled") == Some(&json!("Disabled"));
                (is_none && disables).then(|| not_writable("BootSourceOverrideEnabled")).flatten()
            }
            _ => None,
        })
    }

    fn store(&mut self, path: &str, boot: &Map<String, Value>) {
        let (rules, tag) = (self.rules.clone(), self.resources.len());
        let Some(resource) = self.resources.get_mut(path) else { return };
        let keeps = rules.contains(&Rule::ClearNeedsTarget)
            && boot.get("BootSourceOverrideEnabled") == Some(&json!("Disabled"))
            && !boot.contains_key("BootSourceOverrideTarget");
        for (name, value) in boot.iter().filter(|_| !keeps) {
            let stored = rules.iter().find_map(|rule| match rule {
                Rule::ReadBackContinuous if *value == json!("Once") => Some(json!("Continuous")),
                Rule::ReadPxeAs(word) if *value == json!("Pxe") => Some(json!(word)),
                _ => None,
            });
            resource["Boot"][name] = stored.unwrap_or_else(|| value.clone());
        }
        let names_mode = boot.contains_key("BootSourceOverrideMode");
        if rules.contains(&Rule::ResetOmitted) && !names_mode {
            resource["Boot"]["BootSourceOverrideMode"] = json!("Legacy");
        }
        if let Some(shown) = resource["@odata.etag"].as_str() {
            let weak = if shown.starts_with("W/") { "W/" } else { "" };
            resource["@odata.etag"] = json!(format!("{weak}\"{}-{tag}\"", shown.len()));
        }
    }

    fn post(&mut self, path: &str, asked: &Asked) -> Response<Vec<u8>> {
        if asked.headers.contains_key("if-match") && self.has(&Rule::RefuseIfMatchOnActions) {
            return refuse(400, "Base.1.8.HeaderInvalid", "If-Match is not allowed here.", &[]);
        }
        if let Some(done) = self.act(path, asked) {
            return done;
        }
        let of_this = |body: &Value| {
            let target = body["Actions"]["#ComputerSystem.Reset"]["target"].as_str();
            target.is_some_and(|target| key(target) == path)
        };
        let system = self.resources.iter().find(|(_, body)| of_this(body));
        let Some(system) = system.map(|(path, _)| path.clone()) else { return self.missing(path) };
        let kind = asked.body["ResetType"].as_str().unwrap_or_default();
        if self.reset_types(&system).is_some_and(|types| !types.iter().any(|known| known == kind)) {
            let text = format!("The value {kind} is not in the list of acceptable values.");
            return refuse(400, "Base.1.8.ActionParameterNotSupported", &text, &[kind]);
        }
        if let Some(refusal) = self.reset(&system, kind) {
            return refusal;
        }
        self.taken()
    }

    fn reset_types(&self, system: &str) -> Option<Vec<String>> {
        let path = system.parse::<ResourcePath>().ok()?;
        let view = System::new(&path, self.resource(system)?.clone());
        let listed = || action_info_types(self.resource(view.reset_action_info()?.as_str())?);
        let types = view.reset_types().or_else(listed)?;
        Some(types.iter().map(ToString::to_string).collect())
    }

    fn reset(&mut self, system: &str, kind: &str) -> Option<Response<Vec<u8>>> {
        let is_off = self.resource(system)?["PowerState"] == json!("Off");
        let status = self.rules.iter().find_map(|rule| match rule {
            Rule::RefuseSameState(status) => Some(*status),
            _ => None,
        });
        let to_off = matches!(kind, "ForceOff" | "GracefulShutdown" | "Off");
        let to_on = matches!(kind, "On" | "ForceOn");
        if let Some(status) = status
            && ((is_off && !to_on) || (!is_off && to_on))
        {
            let text = "The operation cannot be performed in this power state.";
            return Some(refuse(status, "Base.1.8.InvalidOperationForSystemState", text, &[]));
        }
        let settings = self.resource(system)?["@Redfish.Settings"]["SettingsObject"]["@odata.id"]
            .as_str()
            .map(key);
        self.resources.get_mut(system)?["PowerState"] = json!(if to_off { "Off" } else { "On" });
        let boots = !to_off && kind != "Nmi" && (is_off || !to_on);
        if boots {
            for path in [Some(key(system)), settings].into_iter().flatten() {
                let boot = self.resources.get_mut(&path).map(|body| &mut body["Boot"]);
                if let Some(boot) =
                    boot.filter(|boot| boot["BootSourceOverrideEnabled"] == json!("Once"))
                {
                    boot["BootSourceOverrideEnabled"] = json!("Disabled");
                    boot["BootSourceOverrideTarget"] = json!("None");
                }
            }
        }
        None
    }
}

pub(super) fn key(path: &str) -> String {
    path.split('?').next().unwrap_or(path).trim_end_matches('/').to_owned()
}
