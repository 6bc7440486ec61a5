//! `AccountService`: accounts made, changed and removed by clients.

use serde_json::{Map, Value, json};

use super::account::{Account, Role};
use super::message::{
    malformed, not_found, property_missing, property_unknown, refusal, value_not_in_list,
};
use super::state::Service;
use crate::http::{Request, Response};

pub(super) const ACCOUNTS: &str = "/redfish/v1/AccountService/Accounts";

/// The members a client may change.
pub(super) const WRITABLE: [&str; 5] =
    ["UserName", "Password", "RoleId", "Enabled", "PasswordChangeRequired"];

const SHORTEST_PASSWORD: usize = 8;

const MOST_ACCOUNTS: u32 = 32;

impl Service {
    /// Shows the accounts in a tree whose collection is empty; recorded ones stay as they are.
    pub(super) fn show_accounts(&mut self) {
        let empty = self.tree.get(ACCOUNTS).and_then(|it| it.get("Members")) == Some(&json!([]));
        if !empty {
            return;
        }
        for at in 0..self.accounts.len() {
            let path = format!("{ACCOUNTS}/{}", at + 1);
            self.tree.insert(&path, render(&self.accounts[at], &path));
            self.accounts[at].path = Some(path);
        }
        self.list_accounts();
    }

    /// POST to the collection.
    pub(super) fn create_account(&mut self, request: &Request) -> Result<Response, Response> {
        let Ok(Value::Object(body)) = serde_json::from_slice(&request.body) else {
            return Err(malformed());
        };
        if let Some(unknown) = body.keys().find(|name| !WRITABLE.contains(&name.as_str())) {
            return Err(property_unknown(unknown));
        }
        for name in ["UserName", "Password", "RoleId"] {
            if !body.contains_key(name) {
                return Err(property_missing(name));
            }
        }
        let mut account = Account::new("", "", Role::ReadOnly);
        Changes::judge(&body)?.apply(&mut account);
        if self.accounts.iter().any(|known| known.user == account.user) {
            let message = "The requested resource already exists.";
            return Err(refusal(400, "ResourceAlreadyExists", message, &[&account.user]));
        }
        let mut paths = (1..=MOST_ACCOUNTS).map(|id| format!("{ACCOUNTS}/{id}"));
        let Some(path) = paths.find(|path| self.tree.get(path).is_none()) else {
            let message = "The create operation failed because the resource has reached the limit of possible resources.";
            return Err(refusal(400, "CreateLimitReachedForResource", message, &[]));
        };
        let body = render(&account, &path);
        account.path = Some(path.clone());
        self.tree.insert(&path, body.clone());
        self.accounts.push(account);
        self.list_accounts();
        let tag = self.tree.tag(&path);
        Ok(Response::json(201, &body).with("Location", path).with("ETag", tag))
    }

    /// DELETE of an account that clients see.
    pub(super) fn delete_account(&mut self, path: &str) -> Response {
        let known = self.accounts.iter().position(|it| it.path.as_deref() == Some(path));
        let Some(at) = known else { return not_found(path) };
        self.accounts.remove(at);
        self.tree.remove(path);
        self.list_accounts();
        Response::empty(204)
    }

    /// Changes the account at this path; what its resource shows then.
    pub(super) fn change_account(&mut self, path: &str, changes: Changes) -> Option<Value> {
        let account = self.accounts.iter_mut().find(|it| it.path.as_deref() == Some(path))?;
        changes.apply(account);
        Some(render(account, path))
    }

    fn list_accounts(&mut self) {
        let paths = self.accounts.iter().filter_map(|account| account.path.as_ref());
        let ours: Vec<Value> = paths.map(|path| json!({ "@odata.id": path })).collect();
        let recorded = self.tree.get(ACCOUNTS).and_then(|it| it.get("Members")?.as_array());
        let mut members: Vec<Value> = recorded.cloned().unwrap_or_default();
        members.retain(|member| {
            let path = crate::tree::link(member);
            !ours.contains(member) && path.is_some_and(|path| self.tree.get(path).is_some())
        });
        members.extend(ours);
        self.tree.set_members(ACCOUNTS, members);
    }
}

/// What a client changes of an account.
#[derive(Default)]
pub(super) struct Changes {
    user: Option<String>,
    password: Option<String>,
    role: Option<Role>,
    enabled: Option<bool>,
    must_change: Option<bool>,
}

impl Changes {
    /// Judges the members of a new or changed account.
    pub(super) fn judge(body: &Map<String, Value>) -> Result<Self, Response> {
        let mut changes = Self::default();
        for (name, value) in body {
            let wrong = || value_not_in_list(&json!("***"), name);
            match (name.as_str(), value) {
                ("UserName", Value::String(user)) if !user.is_empty() => {
                    changes.user = Some(user.clone());
                }
                ("Password", Value::String(text)) if text.len() >= SHORTEST_PASSWORD => {
                    changes.password = Some(text.clone());
                }
                ("RoleId", Value::String(word)) => {
                    changes.role = Some(Role::from_word(word).ok_or_else(wrong)?);
                }
                ("Enabled", Value::Bool(enabled)) => changes.enabled = Some(*enabled),
                ("PasswordChangeRequired", Value::Bool(must)) => changes.must_change = Some(*must),
                _ => return Err(wrong()),
            }
        }
        Ok(changes)
    }

    fn apply(self, account: &mut Account) {
        if let Some(password) = self.password {
            account.password = password;
            account.must_change = false;
        }
        account.user = self.user.unwrap_or_else(|| std::mem::take(&mut account.user));
        account.role = self.role.unwrap_or(account.role);
        account.enabled = self.enabled.unwrap_or(account.enabled);
        account.must_change = self.must_change.unwrap_or(account.must_change);
    }
}

fn render(account: &Account, path: &str) -> Value {
    let role = account.role.as_str();
    json!({
        "@odata.type": "#ManagerAccount.v1_12_0.ManagerAccount",
        "@odata.id": path,
        "@odata.etag": "W/\"100\"",
        "Id": path.rsplit('/').next(),
        "Name": "User account",
        "UserName": account.user,
        "Password": null,
        "PasswordChangeRequired": account.must_change,
        "RoleId": role,
        "Enabled": account.enabled,
        "Locked": false,
        "AccountTypes": ["Redfish"],
        "Links": { "Role": { "@odata.id": format!("/redfish/v1/AccountService/Roles/{role}") } },
    })
}
