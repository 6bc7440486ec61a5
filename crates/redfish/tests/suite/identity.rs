//! Whether a BMC is there and what it is.

use http::Method;
use redfish::ErrorKind;
use redfish::fake::{FakeBmc, Fault, Rule};
use serde_json::json;

use crate::site::{client, recording};

#[test]
fn a_ping_is_one_request_without_credentials() {
    let fake = FakeBmc::new().with_account("admin", "another password");
    let ping = client(&fake).ping().unwrap();
    assert_eq!(ping.status, 200);
    assert_eq!(ping.service.unwrap().redfish_version().as_deref(), Some("1.17.0"));
    let requests = fake.requests();
    assert_eq!((requests.len(), requests[0].line().as_str()), (1, "GET /redfish/v1/"));
    assert!(!requests[0].headers.contains_key("authorization"));
}

#[test]
fn any_answer_is_an_answer_and_none_is_read_as_a_service() {
    for (status, body) in [(200, "<html></html>"), (401, "{}"), (503, ""), (200, "[]"), (200, "{}")]
    {
        let fake = FakeBmc::new();
        fake.fail_next(Method::GET, Fault::Answer(status, body.to_owned()));
        let ping = client(&fake).ping().unwrap();
        assert_eq!((ping.status, ping.service), (status, None));
        assert_eq!(fake.requests().len(), 1);
    }
}

#[test]
fn a_bmc_that_cannot_be_reached_is_told_from_one_that_is_silent() {
    for (fault, kind) in
        [(Fault::Unreachable, ErrorKind::Unreachable), (Fault::Silent, ErrorKind::Timeout)]
    {
        let fake = FakeBmc::new();
        fake.fail_next(Method::GET, fault);
        let error = client(&fake).ping().unwrap_err();
        assert_eq!(*error.kind(), kind);
        assert!(error.is_unreachable());
    }
}

#[test]
fn a_redirect_of_a_ping_stays_on_the_bmc() {
    let redirect = |target: &str| {
        let fake = FakeBmc::new();
        let location = vec![("Location", target.to_owned())];
        fake.fail_next(Method::GET, Fault::AnswerWith(308, location, String::new()));
        client(&fake).ping()
    };
    assert_eq!(redirect("/redfish/v1").unwrap().status, 200);
    let error = redirect("https://elsewhere.example.org/redfish/v1/").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Redirected { .. }), "{error:?}");
}

#[test]
fn info_is_root_system_and_manager() {
    let fake = FakeBmc::new();
    let mut system = fake.resource("/redfish/v1/Systems/1").unwrap();
    system["Links"] = json!({"ManagedBy": [{"@odata.id": "/redfish/v1/Managers/1"}]});
    fake.set("/redfish/v1/Systems/1", system);
    fake.set("/redfish/v1/Managers/1", json!({"FirmwareVersion": "2.81", "ManagerType": "BMC"}));
    let bmc = client(&fake);
    let info = bmc.info().unwrap();
    assert_eq!(info.manager.unwrap().firmware_version().as_deref(), Some("2.81"));
    assert_eq!(info.system.model().as_deref(), Some("Node"));
    assert_eq!(fake.requests().len(), 3);
}

#[test]
fn a_manager_that_is_not_named_is_found_by_the_system_it_manages() {
    let fake = FakeBmc::new();
    let members =
        ["MCU0", "BMC"].map(|id| json!({"@odata.id": format!("/redfish/v1/Managers/{id}")}));
    fake.set("/redfish/v1/Managers", json!({"Members": members}));
    fake.set("/redfish/v1/Managers/MCU0", json!({"FirmwareVersion": "1"}));
    let links = json!({"ManagerForServers": [{"@odata.id": "/redfish/v1/Systems/1/"}]});
    fake.set("/redfish/v1/Managers/BMC", json!({"FirmwareVersion": "2", "Links": links}));
    let manager = client(&fake).info().unwrap().manager.unwrap();
    assert_eq!(manager.path().id(), "BMC");

    // Of two that say nothing neither is guessed.
    fake.set("/redfish/v1/Managers/BMC", json!({"FirmwareVersion": "2"}));
    assert!(client(&fake).info().unwrap().manager.is_none());
}

#[test]
fn a_root_that_wants_credentials_is_asked_with_them() {
    let fake = FakeBmc::new();
    fake.fail_next(Method::GET, Fault::Answer(401, String::new()));
    let service = client(&fake).service().unwrap();
    assert!(service.knows_only());
    assert_eq!(fake.requests().len(), 2);
    assert!(fake.requests()[1].headers.contains_key("authorization"));
}

#[test]
fn vendors_are_read_from_the_root_or_from_its_extension() {
    let vendor = |name: &str| {
        let fake = FakeBmc::of_resources(&recording(name)?);
        Some(client(&fake).service().unwrap().vendor())
    };
    let Some(dell) = vendor("dell-idrac9-6.00") else { return };
    assert_eq!(dell.as_deref(), Some("Dell"));
    assert_eq!(vendor("supermicro-x13").unwrap().as_deref(), Some("Supermicro"));
    assert_eq!(vendor("cray-ex425").unwrap(), None);
}

#[test]
fn a_service_that_opens_sessions_is_pinged_without_one() {
    let fake = FakeBmc::new().with_rule(Rule::OutOfSessions);
    let bmc = client(&fake).with_authentication(redfish::Authentication::Session);
    bmc.ping().unwrap();
    bmc.service().unwrap();
    assert!(fake.requests().iter().all(|asked| asked.method == Method::GET));
}
