//! `SessionService`: log in, use, log out, expire.

use std::time::Instant;

use rustls::crypto::ring::default_provider;
use serde_json::{Value, json};

use super::message::{
    malformed, not_found, password_change_required, property_missing, refusal, unauthorized,
};
use super::state::Service;
use crate::http::{Request, Response};
use crate::rules::SessionLocation;

pub(super) const SESSIONS: &str = "/redfish/v1/SessionService/Sessions";

/// One session.
pub(super) struct Session {
    id: String,
    token: String,
    user: String,
    used: Instant,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Session({})", self.id)
    }
}

impl Service {
    /// POST to the collection. A full table is told only to who knows the password.
    pub(super) fn log_in(&mut self, request: &Request, now: Instant) -> Response {
        let Ok(Value::Object(body)) = serde_json::from_slice(&request.body) else {
            return malformed();
        };
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let (user, password) = match (text("UserName"), text("Password")) {
            (Some(user), Some(password)) => (user, password),
            (None, _) => return property_missing("UserName"),
            (_, None) => return property_missing("Password"),
        };
        if !self.check(user, password, now) {
            return unauthorized();
        }
        self.expire(now);
        if self.sessions.len() >= self.rules.session_limit {
            let message = "The session establishment failed: the number of simultaneous sessions exceeds the limit.";
            let refused = &self.rules.session_refusal;
            return refusal(refused.status, &refused.message_id, message, &[]);
        }
        let Some(token) = token() else {
            return refusal(500, "InternalError", "No random bytes.", &[]);
        };
        self.last_session += 1;
        let id = self.last_session.to_string();
        let path = format!("{SESSIONS}/{id}");
        let mut body = json!({
            "@odata.type": "#Session.v1_7_1.Session",
            "@odata.id": path,
            "Id": id,
            "Name": "User Session",
            "UserName": user,
        });
        let known = self.accounts.iter().find(|account| account.user == user);
        if let Some(account) = known.filter(|account| account.must_change) {
            // The session is made, and its client is told that little can be done with it.
            let told = password_change_required(account.path.as_deref().unwrap_or_default());
            let told: Value = serde_json::from_slice(&told.body).unwrap_or_default();
            body["@Message.ExtendedInfo"] = told["error"]["@Message.ExtendedInfo"].clone();
        }
        let response = Response::json(201, &body).with("X-Auth-Token", token.clone());
        let response = match self.rules.session_location {
            SessionLocation::Path => response.with("Location", path.clone()),
            SessionLocation::Absolute => {
                response.with("Location", format!("https://bmc.invalid{path}"))
            }
            SessionLocation::Absent => response,
        };
        self.tree.insert(&path, body);
        self.sessions.push(Session { id, token, user: user.to_owned(), used: now });
        self.list_sessions();
        response
    }

    /// DELETE of one session.
    pub(super) fn log_out(&mut self, path: &str) -> Response {
        let id = path.strip_prefix(SESSIONS).and_then(|rest| rest.strip_prefix('/'));
        let Some(at) = self.sessions.iter().position(|known| Some(known.id.as_str()) == id) else {
            return not_found(path);
        };
        self.sessions.remove(at);
        self.tree.remove(path);
        self.list_sessions();
        Response::empty(204)
    }

    /// Whose session the resource at this path is.
    pub(super) fn session_user(&self, path: &str) -> Option<&String> {
        let id = path.strip_prefix(SESSIONS)?.strip_prefix('/')?;
        self.sessions.iter().find(|known| known.id == id).map(|session| &session.user)
    }

    /// The user of the session this token belongs to; its time starts anew.
    pub(super) fn use_session(&mut self, token: &str, now: Instant) -> Option<String> {
        self.expire(now);
        let session = self.sessions.iter_mut().find(|known| known.token == token)?;
        session.used = now;
        Some(session.user.clone())
    }

    /// Ends every session, as a reset of the BMC does.
    pub(crate) fn end_sessions(&mut self) {
        self.keep_sessions(|_| false);
    }

    fn expire(&mut self, now: Instant) {
        let timeout = self.rules.session_timeout;
        self.keep_sessions(|session| now.saturating_duration_since(session.used) < timeout);
    }

    fn keep_sessions(&mut self, keep: impl Fn(&Session) -> bool) {
        let before = self.sessions.len();
        let (kept, gone) = std::mem::take(&mut self.sessions).into_iter().partition(keep);
        self.sessions = kept;
        let gone: Vec<Session> = gone;
        for session in gone {
            self.tree.remove(&format!("{SESSIONS}/{}", session.id));
        }
        if self.sessions.len() != before {
            self.list_sessions();
        }
    }

    fn list_sessions(&mut self) {
        let link = |session: &Session| json!({ "@odata.id": format!("{SESSIONS}/{}", session.id) });
        self.tree.set_members(SESSIONS, self.sessions.iter().map(link).collect());
    }
}

fn token() -> Option<String> {
    use std::fmt::Write as _;
    let mut bytes = [0; 16];
    default_provider().secure_random.fill(&mut bytes).ok()?;
    Some(bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}
