//! GET: resources as they are now.

use serde_json::{Value, json};

use super::message::{not_found, refusal};
use super::query::{Query, QueryError};
use super::state::{Service, System};
use crate::http::{Request, Response};
use crate::rules::{BootWrites, ReadBack, TagShape};
use crate::tree::link;
use crate::{BootOverride, OverrideEnabled, Power};

impl Service {
    pub(super) fn read(&self, request: &Request, powers: &[Option<Power>]) -> Response {
        let mut path = request.path().to_owned();
        if path == "/redfish/v1/$metadata" {
            return self.metadata();
        }
        let query = match request.query() {
            // A further page of a recorded collection is a resource of its own.
            Some(text) if self.tree.get(&format!("{path}?{text}")).is_some() => {
                path = format!("{path}?{text}");
                Query::default()
            }
            text => match Query::parse(text.unwrap_or_default()) {
                Ok(query) => query,
                Err(QueryError::Unknown(name)) => return query_not_supported(501, &name),
                Err(QueryError::Value(name)) => return query_not_supported(400, &name),
            },
        };
        let Some(mut body) = self.render(&path, powers) else {
            return not_found(&path);
        };
        let supports = |feature: &str| {
            let features =
                self.tree.get("/redfish/v1").and_then(|root| root.get("ProtocolFeaturesSupported"));
            features.and_then(|features| features.pointer(feature)).is_some_and(|value| {
                value.as_bool() == Some(true) || value.as_u64().is_some_and(|levels| levels > 0)
            })
        };
        // `only` has no dollar sign: a service that does not know it takes no notice.
        if query.only && supports("/OnlyMemberQuery") {
            let Some(members) = body.get("Members").and_then(Value::as_array) else {
                return query_not_supported(400, "only");
            };
            if let [member] = members.as_slice()
                && let Some(target) = link(member)
            {
                target.clone_into(&mut path);
                match self.render(&path, powers) {
                    Some(only) => body = only,
                    None => return not_found(&path),
                }
            }
        }
        if let Some(expand) = query.expand {
            if !supports("/ExpandQuery/MaxLevels") {
                return query_not_supported(501, "$expand");
            }
            let render = |path: &str| self.render(path, powers);
            expand.apply(&mut body, &render);
        }
        if let Some(select) = query.select {
            if !supports("/SelectQuery") {
                return query_not_supported(501, "$select");
            }
            if let Value::Object(members) = &mut body {
                members.retain(|name, _| name.starts_with("@odata.") || select.contains(name));
            }
        }
        let mut response = Response::json(200, &body);
        let tag = self.shown_tag(&path);
        if request.header("if-none-match").is_some_and(|sent| holds(sent, &tag)) {
            return Response::empty(304).with("ETag", tag);
        }
        let gzip = request.header("accept-encoding").is_some_and(|it| it.contains("gzip"));
        if self.rules.registries_are_compressed && path.contains("/Registries/") && !gzip {
            let message = "The response has only compressed forms.";
            return refusal(406, "HeaderInvalid", message, &["Accept-Encoding"]);
        }
        if gzip && self.rules.tags.gzip_suffix {
            response = response.with("ETag", format!("{}-gzip\"", tag.trim_end_matches('"')));
        } else if !tag.is_empty() {
            response = response.with("ETag", tag);
        }
        match body.get("@odata.type").and_then(Value::as_str) {
            Some(name) => response.with("Link", schema_link(name)),
            None => response,
        }
    }

    /// A resource with its live members.
    pub(crate) fn render(&self, path: &str, powers: &[Option<Power>]) -> Option<Value> {
        let mut body = self.tree.get(path)?.clone();
        for (system, power) in self.systems.iter().zip(powers) {
            if system.path == path {
                self.render_system(system, *power, &mut body);
            } else if system.settings.as_deref() == Some(path)
                && let (Some(boot), Some(Value::Object(shown))) =
                    (&system.boot, body.get_mut("Boot"))
            {
                self.read_back(boot).render(shown);
            }
        }
        super::readings::rest(&mut body, powers);
        self.render_tag(path, &mut body);
        Some(body)
    }

    /// The tag as the header shows it.
    pub(super) fn shown_tag(&self, path: &str) -> String {
        self.rules.tags.shape.write(&self.tree.tag(path))
    }

    /// The tag as the body shows it.
    fn render_tag(&self, path: &str, body: &mut Value) {
        let rules = self.rules.tags;
        if rules.shape == TagShape::AsKept && !rules.body_differs {
            return;
        }
        let Some(tag) = body.get_mut("@odata.etag") else { return };
        let shown = self.shown_tag(path);
        *tag = match shown.parse::<u64>() {
            _ if rules.body_differs => json!("\"stale\""),
            Ok(number) if rules.shape == TagShape::Number => json!(number),
            _ => json!(shown),
        };
    }

    fn render_system(&self, system: &System, power: Option<Power>, body: &mut Value) {
        if let (Some(power), Value::Object(members)) = (power, &mut *body) {
            let shown = match system.pending {
                Some(pending) if self.rules.transitional_states => pending,
                _ => power,
            };
            members.insert("PowerState".to_owned(), json!(shown.as_str()));
        }
        let boot = match self.rules.boot_writes {
            BootWrites::Settings | BootWrites::SettingsNamed if system.settings.is_some() => {
                system.active.clone()
            }
            _ => system.boot.as_ref().map(|boot| self.read_back(boot)),
        };
        if let (Some(boot), Some(Value::Object(shown))) = (boot, body.get_mut("Boot")) {
            boot.render(shown);
        }
    }

    fn read_back(&self, boot: &BootOverride) -> BootOverride {
        let mut shown = boot.clone();
        match self.rules.read_back {
            ReadBack::Continuous if shown.enabled == OverrideEnabled::Once => {
                shown.enabled = OverrideEnabled::Continuous;
            }
            rule if shown.target == "Pxe" && shown.mode.as_deref() == Some("UEFI") => {
                rule.pxe().clone_into(&mut shown.target);
            }
            _ => {}
        }
        shown
    }
}

/// Whether one of these tags is this one, weakly compared (RFC 9110, section 13.1.2).
fn holds(sent: &str, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    !tag.is_empty() && sent.split(',').any(|sent| sent.trim() == "*" || opaque(sent) == opaque(tag))
}

/// `#Chassis.v1_25_0.Chassis` is described by `Chassis.v1_25_0.json`.
fn schema_link(name: &str) -> String {
    let name = name.trim_start_matches('#');
    let schema = name.rsplit_once('.').map_or(name, |(schema, _)| schema);
    format!("<http://redfish.dmtf.org/schemas/v1/{schema}.json>; rel=describedby")
}

fn query_not_supported(status: u16, name: &str) -> Response {
    let message = format!("The query parameter {name} is not supported here.");
    refusal(status, "QueryNotSupported", &message, &[name])
}
