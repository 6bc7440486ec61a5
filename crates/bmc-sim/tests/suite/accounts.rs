//! Basic, sessions, roles, lockout.

use std::time::Duration;

use bmc_sim::{Auth, Bmc, Lockout, Role, SessionLocation};
use serde_json::{Value, json};

use crate::client::{Bench, Client, PASSWORD, Reply, SYSTEM, USER};

const SESSIONS: &str = "/redfish/v1/SessionService/Sessions";

fn log_in(bench: &Bench) -> Reply {
    let mut client = Client::new(bench.running.address());
    client.post(SESSIONS, &json!({"UserName": USER, "Password": PASSWORD}))
}

fn with_token(bench: &Bench, login: &Reply) -> Client {
    let token = login.header("X-Auth-Token").unwrap();
    Client::new(bench.running.address()).with("X-Auth-Token", token)
}

#[test]
fn a_session_lives_from_its_post_to_its_delete() {
    let bench = Bench::new();
    let login = log_in(&bench);
    assert_eq!(login.status, 201);
    let path = login.header("Location").unwrap().to_owned();
    assert_eq!(login.json()["@odata.id"], path.as_str());
    let mut client = with_token(&bench, &login);
    assert_eq!(client.get(SYSTEM).status, 200);
    assert_eq!(client.get(SESSIONS).json()["Members"][0]["@odata.id"], path.as_str());
    assert_eq!(client.get(&path).json()["UserName"], USER);
    assert_eq!(bench.bmc.state().sessions, 1);

    assert_eq!(client.send("DELETE", &path, "").unwrap().status, 204);
    assert_eq!(client.get(SYSTEM).status, 401);
    assert_eq!(bench.client().get(&path).status, 404);
    assert_eq!(bench.client().send("DELETE", &path, "").unwrap().status, 404);
    assert_eq!(bench.bmc.state().sessions, 0);
}

#[test]
fn a_wrong_token_is_refused_even_with_the_right_password() {
    let bench = Bench::new();
    assert_eq!(bench.client().with("X-Auth-Token", "nonsense").get(SYSTEM).status, 401);
}

#[test]
fn what_is_no_login_gets_no_session() {
    let bench = Bench::new();
    let mut client = Client::new(bench.running.address());
    for (body, status) in [
        (json!({"UserName": USER, "Password": "wrong"}), 401),
        (json!({"UserName": USER}), 400),
        (json!({"Password": PASSWORD}), 400),
        (json!({"UserName": 1, "Password": 2}), 400),
        (json!([]), 400),
    ] {
        assert_eq!(client.post(SESSIONS, &body).status, status, "{body}");
    }
    assert_eq!(client.send("POST", SESSIONS, "not json").unwrap().status, 400);
    assert_eq!(bench.bmc.state().sessions, 0);
}

#[test]
fn basic_credentials_are_compared_exactly() {
    let bench = Bench::new();
    for (user, password) in [("admin", "Password"), ("Admin", "password"), ("admin", ""), ("", "")]
    {
        let mut client = Client::new(bench.running.address()).with_basic(user, password);
        assert_eq!(client.get(SYSTEM).status, 401, "{user}:{password}");
    }
    for header in ["Basic", "Basic !!!", "Bearer x", "Basic YWRtaW4="] {
        let mut client = Client::new(bench.running.address()).with("Authorization", header);
        assert_eq!(client.get(SYSTEM).status, 401, "{header}");
    }
}

#[test]
fn one_session_above_the_limit_is_refused() {
    let bench = Bench::new();
    bench.bmc.change_rules(|rules| rules.session_limit = 2);
    assert_eq!([log_in(&bench).status, log_in(&bench).status], [201, 201]);
    let refused = log_in(&bench);
    assert_eq!((refused.status, refused.message_id().as_str()), (503, "SessionLimitExceeded"));
    // Basic needs no session.
    assert_eq!(bench.client().get(SYSTEM).status, 200);
    bench.bmc.end_sessions();
    assert_eq!(log_in(&bench).status, 201);
}

#[test]
fn a_session_that_is_not_used_expires() {
    let bench = Bench::new();
    bench.bmc.change_rules(|rules| rules.session_timeout = Duration::ZERO);
    let login = log_in(&bench);
    assert_eq!(login.status, 201);
    assert_eq!(with_token(&bench, &login).get(SYSTEM).status, 401);
    assert_eq!(bench.bmc.state().sessions, 0);
}

#[test]
fn the_location_of_a_session_comes_in_every_known_shape() {
    let bench = Bench::new();
    bench.bmc.change_rules(|rules| rules.session_location = SessionLocation::Absolute);
    assert!(log_in(&bench).header("Location").unwrap().starts_with("https://"));
    bench.bmc.change_rules(|rules| rules.session_location = SessionLocation::Absent);
    let login = log_in(&bench);
    assert_eq!(login.header("Location"), None);
    let path = login.json()["@odata.id"].as_str().unwrap().to_owned();
    assert_eq!(with_token(&bench, &login).send("DELETE", &path, "").unwrap().status, 204);
}

#[test]
fn a_reset_of_the_manager_ends_the_sessions() {
    let bench = Bench::new();
    let login = log_in(&bench);
    let target = "/redfish/v1/Managers/1/Actions/Manager.Reset";
    let reset = with_token(&bench, &login).post(target, &json!({"ResetType": "ForceRestart"}));
    assert_eq!(reset.status, 204);
    assert_eq!(with_token(&bench, &login).get(SYSTEM).status, 401);
}

const ACCOUNTS: &str = "/redfish/v1/AccountService/Accounts";

fn as_user(bench: &Bench, user: &str, password: &str) -> Client {
    Client::new(bench.running.address()).with_basic(user, password)
}

#[test]
fn an_account_is_made_used_changed_and_removed() {
    let bench = Bench::new();
    let mut admin = bench.client();
    let shown = admin.get(&format!("{ACCOUNTS}/1")).json();
    assert_eq!([&shown["UserName"], &shown["Password"]], [&json!(USER), &Value::Null]);

    let wanted = json!({"UserName": "eve", "Password": "first-password", "RoleId": "Operator"});
    let made = admin.post(ACCOUNTS, &wanted);
    assert_eq!((made.status, &made.json()["RoleId"]), (201, &json!("Operator")));
    assert_eq!(admin.post(ACCOUNTS, &wanted).message_id(), "ResourceAlreadyExists");
    let path = made.header("Location").unwrap().to_owned();
    let mut eve = as_user(&bench, "eve", "first-password");
    assert_eq!(eve.reset("Nmi").status, 204);
    assert_eq!(eve.post(ACCOUNTS, &wanted).status, 403);
    assert_eq!(eve.patch(&path, &json!({"RoleId": "Administrator"})).status, 403);
    assert_eq!(eve.patch(&path, &json!({"Password": "short"})).status, 400);
    assert_eq!(eve.patch(&path, &json!({"Password": "second-password"})).status, 200);
    assert_eq!(eve.get(SYSTEM).status, 401);
    let mut eve = as_user(&bench, "eve", "second-password");
    assert_eq!(admin.patch(&path, &json!({"Enabled": false})).status, 200);
    assert_eq!(eve.get(SYSTEM).status, 401);
    assert_eq!(admin.send("DELETE", &path, "").unwrap().status, 204);
    assert_eq!(admin.get(ACCOUNTS).json()["Members@odata.count"], 1);
    let text = serde_json::to_string(&bench.bmc.requests()).unwrap();
    assert!(!text.contains("second-password") && !text.contains("short"));
}

#[test]
fn an_account_that_must_change_its_password_can_do_only_that() {
    let bench = Bench::new();
    let wanted = json!({"UserName": "new", "Password": "first-password", "RoleId": "Administrator",
        "PasswordChangeRequired": true});
    let path = bench.client().post(ACCOUNTS, &wanted).header("Location").unwrap().to_owned();
    let mut new = as_user(&bench, "new", "first-password");
    let refused = new.get(SYSTEM);
    assert_eq!((refused.status, refused.message_id().as_str()), (403, "PasswordChangeRequired"));
    let args = "/error/@Message.ExtendedInfo/0/MessageArgs/0";
    assert_eq!(refused.json().pointer(args), Some(&json!(path)));
    assert_eq!(new.patch(&path, &json!({"Password": "second-password"})).status, 200);
    assert_eq!(as_user(&bench, "new", "second-password").get(SYSTEM).status, 200);
}

#[test]
fn a_read_only_account_reads_only() {
    let bench = Bench::of(Bmc::builder().credentials(USER, PASSWORD).account(
        "viewer",
        "secret",
        Role::ReadOnly,
    ));
    let mut viewer = Client::new(bench.running.address()).with_basic("viewer", "secret");
    assert_eq!(viewer.get(SYSTEM).status, 200);
    let refused = viewer.reset("ForceOff");
    assert_eq!((refused.status, refused.message_id().as_str()), (403, "InsufficientPrivilege"));
    assert_eq!(viewer.patch(SYSTEM, &json!({"AssetTag": "x"})).status, 403);
    assert_eq!(bench.bmc.resource(SYSTEM).unwrap()["AssetTag"], "");
}

#[test]
fn wrong_passwords_lock_and_a_right_one_in_between_starts_anew() {
    let bench = Bench::new();
    let lockout = Lockout { failures: 2, duration: Duration::from_mins(10) };
    bench.bmc.change_rules(|rules| rules.lockout = Some(lockout));
    let mut wrong = Client::new(bench.running.address()).with_basic(USER, "wrong");
    assert_eq!(wrong.get(SYSTEM).status, 401);
    assert_eq!(bench.client().get(SYSTEM).status, 200);
    assert_eq!(wrong.get(SYSTEM).status, 401);
    assert_eq!(wrong.get(SYSTEM).status, 401);
    assert_eq!(bench.client().get(SYSTEM).status, 401);
}

#[test]
fn records_tell_who_asked_and_keep_no_secret() {
    let bench = Bench::new();
    let login = log_in(&bench);
    let token = login.header("X-Auth-Token").unwrap().to_owned();
    with_token(&bench, &login).get(SYSTEM);
    bench.client().with("If-Match", "*").patch(SYSTEM, &json!({"AssetTag": "my password"}));
    let records = bench.bmc.requests();
    let auth: Vec<&Auth> = records.iter().map(|record| &record.auth).collect();
    assert_eq!(auth, [&Auth::None, &Auth::Token, &Auth::Basic { user: USER.to_owned() }]);
    assert_eq!(records[0].body, Some(json!({"UserName": "admin", "Password": "***"})));
    assert_eq!(records[2].body, Some(json!({"AssetTag": "my ***"})));
    assert_eq!(records[2].if_match.as_deref(), Some("*"));
    let text = serde_json::to_string(&records).unwrap();
    assert!(!text.contains(PASSWORD) && !text.contains(&token), "{text}");
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()[1]["target"], SYSTEM);
}
