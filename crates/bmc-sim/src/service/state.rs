//! What one BMC knows, and where a request goes.

use std::time::Instant;

use serde_json::{Value, json};

use super::account::{Account, Failures};
use super::account_service::ACCOUNTS;
use super::message::{method_not_allowed, not_found, refusal};
use super::reset::Deed;
use super::session::{SESSIONS, Session};
use crate::http::{Request, Response};
use crate::rules::{Reply, Rules};
use crate::tree::{SystemShape, Tree};
use crate::{BootOverride, Power};

/// The whole state of a BMC but the machines' power.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) tree: Tree,
    pub(crate) rules: Rules,
    pub(crate) accounts: Vec<Account>,
    pub(crate) systems: Vec<System>,
    pub(super) sessions: Vec<Session>,
    pub(super) last_session: u64,
    pub(super) failures: Failures,
    last_task: u64,
}

/// One system.
#[derive(Debug)]
pub(crate) struct System {
    pub(crate) path: String,
    pub(crate) settings: Option<String>,
    /// The override in force for the next boot; `None`: this BMC has none to set.
    pub(crate) boot: Option<BootOverride>,
    /// What the system itself shows while only its settings object takes writes.
    pub(crate) active: Option<BootOverride>,
    /// What the power reads while a reset has not had its effect yet.
    pub(crate) pending: Option<Power>,
    /// A configuration job waits for the next boot.
    pub(super) job: bool,
    pub(super) booted: Option<Instant>,
    pub(super) went_off: Option<Instant>,
}

/// What comes of a request: a response, and what must happen to a machine before it is sent.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) response: Response,
    pub(crate) deed: Option<Deed>,
}

impl From<Response> for Outcome {
    fn from(response: Response) -> Self {
        Self { response, deed: None }
    }
}

impl Service {
    pub(crate) fn new(mut tree: Tree, rules: Rules, accounts: Vec<Account>) -> Self {
        tree.remove_below(SESSIONS);
        tree.set_members(SESSIONS, Vec::new());
        let systems = tree.systems().into_iter().map(|shape| System::new(&tree, shape)).collect();
        let mut service = Self {
            tree,
            rules,
            accounts,
            systems,
            sessions: Vec::new(),
            last_session: 0,
            failures: Failures::default(),
            last_task: 0,
        };
        service.show_accounts();
        service
    }

    /// Answers a request. `powers` holds the power of each system that has a machine.
    pub(crate) fn handle(
        &mut self,
        request: &Request,
        powers: &[Option<Power>],
        now: Instant,
    ) -> Outcome {
        let path = request.path();
        let reads = matches!(request.method.as_str(), "GET" | "HEAD");
        if request.header("odata-version").is_some_and(|version| version != "4.0") {
            let message = "The OData-Version is not supported.";
            return refusal(412, "PreconditionFailed", message, &[]).into();
        }
        if let Some(redirect) = self.redirect(request) {
            return redirect.into();
        }
        if reads && is_public(path) {
            return self.read(request, powers).with("Allow", self.allow(path)).into();
        }
        let logs_in = request.method == "POST" && path.trim_end_matches("/Members") == SESSIONS;
        if logs_in && self.tree.get(SESSIONS).is_some() {
            return self.log_in(request, now).into();
        }
        let admitted =
            self.authenticate(request, now).and_then(|who| self.authorize(&who, request));
        let mut outcome = match admitted {
            Ok(()) => self.route(request, powers),
            Err(refused) => refused.into(),
        };
        outcome.response = outcome.response.in_shape(self.rules.error_shape);
        outcome
    }

    /// Does what the client may ask for.
    fn route(&mut self, request: &Request, powers: &[Option<Power>]) -> Outcome {
        let path = request.path();
        match request.method.as_str() {
            "GET" | "HEAD" => self.read(request, powers).with("Allow", self.allow(path)).into(),
            "PATCH" => self.update(request, powers).unwrap_or_else(|refused| refused).into(),
            "POST" if path == ACCOUNTS && self.tree.get(ACCOUNTS).is_some() => {
                self.create_account(request).unwrap_or_else(|refused| refused).into()
            }
            "POST" => self.act(request, powers).unwrap_or_else(Outcome::from),
            "DELETE" if below(path, SESSIONS) => self.log_out(path).into(),
            "DELETE" if below(path, ACCOUNTS) => self.delete_account(path).into(),
            _ if self.tree.get(path).is_some() => method_not_allowed(self.allow(path)).into(),
            _ => not_found(path).into(),
        }
    }

    /// Where a request without a final slash is sent to the address with one.
    fn redirect(&self, request: &Request) -> Option<Response> {
        let slashed = match (request.method.as_str(), request.target.as_str()) {
            ("GET", "/redfish/v1") if self.rules.root_redirects => "/redfish/v1/",
            ("POST", SESSIONS) if self.rules.login_redirects => {
                "/redfish/v1/SessionService/Sessions/"
            }
            _ => return None,
        };
        Some(Response::empty(308).with("Location", slashed))
    }

    /// The methods a resource takes.
    pub(super) fn allow(&self, path: &str) -> &'static str {
        if path == SESSIONS || path == ACCOUNTS {
            "GET, HEAD, POST"
        } else if below(path, SESSIONS) {
            "GET, HEAD, DELETE"
        } else if self.accounts.iter().any(|account| account.path.as_deref() == Some(path)) {
            "GET, HEAD, PATCH, DELETE"
        } else if self.tree.get(path).is_some_and(super::update::is_updatable) {
            "GET, HEAD, PATCH"
        } else {
            "GET, HEAD"
        }
    }

    /// The answer a request would have had, if it had been done.
    pub(crate) fn pretend(&mut self, request: &Request, powers: &[Option<Power>]) -> Response {
        let path = request.path();
        match request.method.as_str() {
            "PATCH" => self.reply(self.rules.patch_reply, Some((path, powers))),
            "POST" => self.reply(self.rules.action_reply, None),
            "DELETE" => Response::empty(204),
            _ => self.read(request, powers),
        }
    }

    pub(crate) fn session_count(&self) -> usize {
        self.sessions.len()
    }

    /// The answer to something done; for a PATCH, with the resource's path.
    pub(super) fn reply(&mut self, reply: Reply, on: Option<(&str, &[Option<Power>])>) -> Response {
        match (reply, on) {
            (Reply::Resource, Some((path, powers))) => match self.render(path, powers) {
                Some(body) => Response::json(200, &body).with("ETag", self.shown_tag(path)),
                None => Response::empty(204),
            },
            (Reply::Resource, None) | (Reply::Message, _) => super::message::success(),
            (Reply::NoContent, _) => Response::empty(204),
            (Reply::Empty, _) => Response::empty(200),
            (Reply::Task, _) => self.task(),
        }
    }

    /// 202 with a task that is finished by the time it is read.
    fn task(&mut self) -> Response {
        self.last_task += 1;
        let id = self.last_task.to_string();
        let path = format!("/redfish/v1/TaskService/Tasks/{id}");
        let mut body = json!({
            "@odata.type": "#Task.v1_7_4.Task",
            "@odata.id": path,
            "Id": id,
            "Name": "Task",
            "TaskState": "Completed",
            "TaskStatus": "OK",
            "PercentComplete": 100,
        });
        self.tree.insert(&path, body.clone());
        let tasks = "/redfish/v1/TaskService/Tasks";
        let known =
            self.tree.get(tasks).and_then(|tasks| tasks.get("Members")?.as_array().cloned());
        if let Some(mut members) = known {
            members.push(json!({ "@odata.id": path }));
            self.tree.set_members(tasks, members);
        }
        body["TaskState"] = Value::from("New");
        body["PercentComplete"] = Value::from(0);
        Response::json(202, &body).with("Location", path)
    }
}

impl System {
    fn new(tree: &Tree, shape: SystemShape) -> Self {
        let recorded = |path: &str| BootOverride::recorded(tree.get(path)?.get("Boot")?);
        let active = recorded(&shape.path);
        let pending = shape.settings.as_deref().and_then(recorded);
        Self {
            path: shape.path,
            settings: shape.settings,
            boot: pending.or_else(|| active.clone()),
            active,
            pending: None,
            job: false,
            booted: None,
            went_off: None,
        }
    }

    /// Gives the resources that show the override a new tag.
    pub(super) fn touch(&self, tree: &mut Tree) {
        tree.change(&self.path);
        if let Some(settings) = &self.settings {
            tree.change(settings);
        }
    }
}

fn below(path: &str, collection: &str) -> bool {
    path.strip_prefix(collection).is_some_and(|rest| rest.starts_with('/'))
}

/// What everybody may read (DSP0266, "Resource access without authentication").
fn is_public(path: &str) -> bool {
    matches!(path, "/redfish" | "/redfish/v1" | "/redfish/v1/odata" | "/redfish/v1/$metadata")
}
