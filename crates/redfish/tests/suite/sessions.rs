use http::Method;
use redfish::fake::{FakeBmc, Fault, Rule};
use redfish::{Account, Authentication, Bmc, Delivery, ErrorKind, Password, PowerState, ResetType};

use crate::site::client;

fn by_session(fake: &FakeBmc) -> Bmc<&FakeBmc> {
    client(fake).with_authentication(Authentication::Session)
}

fn logins(fake: &FakeBmc) -> usize {
    fake.requests().iter().filter(|asked| asked.target.ends_with("/Sessions")).count()
}

#[test]
fn a_session_is_made_once_without_credentials_in_its_headers_and_deleted_at_the_end() {
    for rule in [Rule::SessionWithoutLocation, Rule::Tasks] {
        let fake = FakeBmc::new().with_account("admin", "secret").with_rule(rule);
        let bmc = by_session(&fake);
        assert_eq!(bmc.power_state().unwrap(), PowerState::On);
        bmc.power_state().unwrap();
        assert_eq!(fake.open_sessions(), 1);
        drop(bmc);
        assert_eq!(fake.open_sessions(), 0);
        assert_eq!(logins(&fake), 1);
        assert!(fake.requests().iter().all(|asked| !asked.headers.contains_key("authorization")));
    }
}

#[test]
fn a_session_is_deleted_after_a_failure_and_after_a_panic() {
    let fake = FakeBmc::new();
    let bmc = by_session(&fake);
    bmc.power_state().unwrap();
    fake.fail_next(Method::POST, Fault::Silent);
    bmc.reset(&ResetType::ForceRestart).unwrap_err();
    drop(bmc);
    assert_eq!(fake.open_sessions(), 0);

    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let bmc = by_session(&fake);
        bmc.power_state().unwrap();
        panic!("on purpose");
    }));
    assert!(panicked.is_err());
    assert_eq!(fake.open_sessions(), 0);
}

#[test]
fn threads_that_share_a_bmc_share_its_session() {
    let fake = FakeBmc::new();
    let bmc = by_session(&fake);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| bmc.power_state().unwrap());
        }
    });
    drop(bmc);
    assert_eq!((logins(&fake), fake.open_sessions()), (1, 0));
}

#[test]
fn a_session_that_ended_is_made_anew_once_for_a_read_only() {
    let fake = FakeBmc::new();
    let bmc = by_session(&fake);
    bmc.power_state().unwrap();
    fake.expire_sessions();
    bmc.power_state().unwrap();
    assert_eq!(logins(&fake), 2);

    fake.expire_sessions();
    let error = bmc.reset(&ResetType::ForceRestart).unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Unauthorized, Delivery::Answered));
    let posts = fake.requests().iter().filter(|asked| asked.target.contains("Actions")).count();
    assert_eq!((posts, logins(&fake)), (1, 2));

    for _ in 0..9 {
        fake.fail_next(Method::GET, Fault::Answer(401, String::new()));
    }
    assert!(bmc.power_state().unwrap_err().is_unauthorized());
    assert!(logins(&fake) <= 4);
}

#[test]
fn a_bmc_without_a_free_session_is_asked_with_basic_and_nobody_else_is_logged_out() {
    let fake = FakeBmc::new().with_rule(Rule::OutOfSessions);
    let bmc = by_session(&fake);
    assert_eq!(bmc.power_state().unwrap(), PowerState::On);
    assert!(bmc.is_out_of_sessions());
    bmc.power_state().unwrap();
    assert_eq!(logins(&fake), 1);
    assert!(fake.requests().iter().all(|asked| asked.method != Method::DELETE));
}

#[test]
fn a_redirected_login_keeps_its_method_and_body() {
    let fake = FakeBmc::new().with_account("admin", "secret");
    let target = "/redfish/v1/SessionService/Sessions/".to_owned();
    fake.fail_next(Method::POST, Fault::AnswerWith(301, vec![("Location", target)], String::new()));
    by_session(&fake).power_state().unwrap();
    let first = &fake.requests()[..2];
    assert!(
        first.iter().all(|asked| asked.method == Method::POST && asked.body["UserName"] == "admin")
    );
}

#[test]
fn a_wrong_password_is_said_once_and_never_tried_again() {
    for authentication in [Authentication::Basic, Authentication::Session] {
        let fake = FakeBmc::new().with_account("admin", "other");
        let bmc = client(&fake).with_authentication(authentication);
        let error = bmc.power_state().unwrap_err();
        assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Unauthorized, Delivery::NotSent));
        assert_eq!(fake.requests().len(), 1, "OpenBMC locks the account after five");
    }
}

#[test]
fn a_password_that_has_to_be_changed_is_not_a_wrong_one() {
    let body = r#"{"error": {"@Message.ExtendedInfo": [{"MessageId": "Base.1.8.PasswordChangeRequired",
        "MessageArgs": ["/redfish/v1/AccountService/Accounts/1"]}]}}"#;
    for status in [401, 403] {
        let fake = FakeBmc::new();
        fake.fail_next(Method::GET, Fault::Answer(status, body.to_owned()));
        let error = client(&fake).power_state().unwrap_err();
        let ErrorKind::PasswordChangeRequired { account } = error.kind() else {
            panic!("{error:?}")
        };
        assert_eq!(account.as_ref().unwrap().id(), "1");
        assert!(error.is_unauthorized());
    }
}

#[test]
fn a_password_is_never_printed() {
    let account = Account::new("admin", Password::new("hunter2".to_owned())).unwrap();
    let fake = FakeBmc::new().with_account("admin", "other");
    let bmc = Bmc::new("bmc.example.org".parse().unwrap(), account.clone(), &fake);
    let error = bmc.power_state().unwrap_err();
    for text in [format!("{account:?}"), format!("{bmc:?}"), format!("{error:?} {error}")] {
        assert!(!text.contains("hunter2") && !text.contains("aHVudGVyMg"), "{text}");
    }
}

#[test]
fn an_account_that_basic_cannot_say_is_refused() {
    let account =
        |user: &str, password: &str| Account::new(user, Password::new(password.to_owned()));
    assert!(account("a:b", "c").is_err());
    assert!(account("", "c").is_err());
    assert!(account("a", "c\n").is_err());
    assert!(account("a", "c:d e#").is_ok());
}

#[test]
fn sessions_that_are_elsewhere_are_found_by_the_root() {
    let fake = FakeBmc::new().with_account("admin", "secret");
    let mut root = fake.resource("/redfish/v1").unwrap();
    root["Links"] = serde_json::json!({"Sessions": {"@odata.id": "/redfish/v1/Sessions"}});
    fake.set("/redfish/v1", root);
    let bmc = by_session(&fake);
    bmc.power_state().unwrap();
    assert_eq!(fake.open_sessions(), 1);
    drop(bmc);
    assert_eq!(fake.open_sessions(), 0);
    assert!(fake.requests().iter().all(|asked| !asked.headers.contains_key("authorization")));
}

#[test]
fn a_session_whose_token_was_refused_once_is_deleted_at_the_end_too() {
    // GB200 refuses good tokens at times; nobody else would end that session.
    let fake = FakeBmc::new();
    let bmc = by_session(&fake);
    bmc.power_state().unwrap();
    fake.fail_next(Method::GET, Fault::Answer(401, String::new()));
    bmc.power_state().unwrap();
    assert_eq!((logins(&fake), fake.open_sessions()), (2, 2));
    drop(bmc);
    assert_eq!(fake.open_sessions(), 0);

    let bmc = by_session(&fake);
    bmc.power_state().unwrap();
    fake.fail_next(Method::POST, Fault::Answer(401, String::new()));
    bmc.reset(&ResetType::ForceRestart).unwrap_err();
    drop(bmc);
    assert_eq!(fake.open_sessions(), 0);
}
