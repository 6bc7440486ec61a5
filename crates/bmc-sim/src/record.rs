//! What was asked of a BMC.

use std::collections::VecDeque;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http::Request;

/// One request as it arrived, and the status it was answered with. Passwords and tokens are not kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestRecord {
    /// Its place among all requests of the BMC, from 1.
    pub number: u64,
    /// When its last byte was read.
    pub at: SystemTime,
    /// Which connection carried it: counted from 1 per BMC.
    pub connection: u64,
    /// Its place on that connection, from 1.
    pub nth: u64,
    /// The method.
    pub method: String,
    /// Path and query as sent.
    pub target: String,
    /// Which credentials came along.
    pub auth: Auth,
    /// `If-Match`, as sent.
    pub if_match: Option<String>,
    /// `Host`, as sent.
    pub host: Option<String>,
    /// The body, where it is JSON; passwords are replaced by `***`.
    pub body: Option<Value>,
    /// The status of the answer; `None` while, and where, there is none.
    pub status: Option<u16>,
}

/// Which credentials a request carried; whether they were right shows in the status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Auth {
    /// None.
    None,
    /// `Authorization: Basic` with this user.
    Basic {
        /// The user's name.
        user: String,
    },
    /// `X-Auth-Token`.
    Token,
    /// An `Authorization` header that is not Basic, or cannot be read.
    Unknown,
}

impl RequestRecord {
    fn new(request: &Request, secrets: &[String]) -> Self {
        let auth = if request.header("x-auth-token").is_some() {
            Auth::Token
        } else if let Some(basic) = request.basic() {
            Auth::Basic { user: basic.user }
        } else if request.header("authorization").is_some() {
            Auth::Unknown
        } else {
            Auth::None
        };
        let mut body = serde_json::from_slice(&request.body).ok();
        if let Some(body) = &mut body {
            redact(body, secrets);
        }
        Self {
            at: SystemTime::now(),
            number: 0,
            connection: 0,
            nth: 0,
            method: request.method.clone(),
            target: request.target.clone(),
            auth,
            if_match: request.header("if-match").map(str::to_owned),
            host: request.header("host").map(str::to_owned),
            body,
            status: None,
        }
    }
}

/// Records that are kept.
const KEPT: usize = 10_000;

/// The requests of one BMC.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    total: u64,
    records: VecDeque<RequestRecord>,
}

impl Journal {
    /// Adds a record; its number.
    pub(crate) fn add(
        &mut self,
        request: &Request,
        connection: u64,
        nth: u64,
        secrets: &[String],
    ) -> u64 {
        self.total += 1;
        let number = self.total;
        let record = RequestRecord::new(request, secrets);
        self.records.push_back(RequestRecord { number, connection, nth, ..record });
        if self.records.len() > KEPT {
            self.records.pop_front();
        }
        number
    }

    /// Notes the status a request is answered with.
    pub(crate) fn answer(&mut self, number: u64, status: u16) {
        if let Some(record) = self.records.iter_mut().rfind(|record| record.number == number) {
            record.status = Some(status);
        }
    }

    pub(crate) fn records(&self) -> Vec<RequestRecord> {
        self.records.iter().cloned().collect()
    }

    pub(crate) fn clear(&mut self) {
        self.records.clear();
    }

    /// Requests so far, forgotten ones included.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }
}

const REDACTED: &str = "***";

/// Replaces what a member named like a password holds, and known passwords wherever they stand.
fn redact(value: &mut Value, secrets: &[String]) {
    match value {
        Value::String(text) => {
            for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
                if text.contains(secret.as_str()) {
                    *text = text.replace(secret.as_str(), REDACTED);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redact(item, secrets)),
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                if name.to_ascii_lowercase().contains("password") {
                    *member = Value::from(REDACTED);
                } else {
                    redact(member, secrets);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_password_is_not_kept_wherever_it_stands() {
        let mut body = json!({"UserName": "admin", "Password": ["x"], "Image": "http://admin:hunter2@host/a",
            "Deep": [{"newPassword": "other"}]});
        redact(&mut body, &["hunter2".to_owned(), String::new()]);
        assert_eq!(
            body,
            json!({"UserName": "admin", "Password": "***", "Image": "http://admin:***@host/a",
                "Deep": [{"newPassword": "***"}]})
        );
    }
}
