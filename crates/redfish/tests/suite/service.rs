//! Finding the system, and requests in general.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use redfish::fake::{FakeBmc, FakeClock, Fault};
use redfish::{Delivery, Endpoint, ErrorKind, PowerState, Profile, ResetType, ResourcePath};
use serde_json::{Value, json};

use crate::site::{client, client_by};

const RESET: &str = "#ComputerSystem.Reset";

/// A service with these systems; those marked can be reset.
fn service(systems: &[(&str, bool)]) -> FakeBmc {
    let mut resources = serde_json::Map::new();
    let members: Vec<_> = systems.iter().map(|(path, _)| json!({"@odata.id": path})).collect();
    resources.insert("/redfish/v1/Systems".to_owned(), json!({"Members": members}));
    for (path, can_be_reset) in systems {
        let mut system = json!({"@odata.id": path, "PowerState": "On"});
        if *can_be_reset {
            system["Actions"][RESET]["target"] =
                json!(format!("{path}/Actions/ComputerSystem.Reset"));
        }
        resources.insert((*path).to_owned(), system);
    }
    FakeBmc::of_resources(&Value::Object(resources))
}

fn configured(fake: &FakeBmc, system: &str) -> Result<String, ErrorKind> {
    let profile = Profile { system: Some(system.to_owned()), ..Profile::default() };
    let system = client(fake).with_profile(profile).system();
    system.map(|system| system.path().to_string()).map_err(|error| error.kind().clone())
}

fn found(fake: &FakeBmc) -> Result<String, ErrorKind> {
    let system = client(fake).system();
    system.map(|system| system.path().id().to_owned()).map_err(|error| error.kind().clone())
}

#[test]
fn the_only_system_that_can_be_reset_is_meant() {
    let fake =
        service(&[("/redfish/v1/Systems/Capabilities", false), ("/redfish/v1/Systems/Self", true)]);
    assert_eq!(found(&fake), Ok("Self".to_owned()));
}

#[test]
fn a_gpu_baseboard_and_a_dpu_are_never_meant_beside_a_host() {
    let fake = service(&[
        ("/redfish/v1/Systems/HGX_Baseboard_0", true),
        ("/redfish/v1/Systems/System_0", true),
        ("/redfish/v1/Systems/Bluefield", true),
    ]);
    assert_eq!(found(&fake), Ok("System_0".to_owned()));
    // Only the host was read.
    assert_eq!(fake.requests().len(), 2);
}

#[test]
fn a_dpu_that_is_the_only_system_is_meant() {
    assert_eq!(
        found(&service(&[("/redfish/v1/Systems/Bluefield", true)])),
        Ok("Bluefield".to_owned())
    );
}

#[test]
fn several_systems_are_an_error_that_lists_them_in_any_order() {
    let fake = service(&[
        ("/redfish/v1/Systems/Node3", true),
        ("/redfish/v1/Systems/Node1", true),
        ("/redfish/v1/Systems/Node2", true),
    ]);
    let offered = ["Node3", "Node1", "Node2"].map(str::to_owned).to_vec();
    assert_eq!(found(&fake), Err(ErrorKind::SeveralSystems { offered }));
}

#[test]
fn a_system_is_configured_by_id_or_path_with_or_without_a_slash() {
    let fake = service(&[("/redfish/v1/Systems/1/", true), ("/redfish/v1/Systems/2", true)]);
    for name in ["1", "1/", "/redfish/v1/Systems/1", "/redfish/v1/Systems/1/"] {
        assert!(configured(&fake, name).unwrap().trim_end_matches('/').ends_with("Systems/1"));
    }
}

#[test]
fn a_configured_system_that_is_missing_is_an_error_with_the_ids() {
    let fake = service(&[("/redfish/v1/Systems/Node0", true), ("/redfish/v1/Systems/Node1", true)]);
    for wanted in ["node0", "Node2", "/redfish/v1/Systems/Node2"] {
        let offered = vec!["Node0".to_owned(), "Node1".to_owned()];
        let missing = ErrorKind::NoSuchSystem { wanted: wanted.to_owned(), offered };
        assert_eq!(configured(&fake, wanted), Err(missing));
    }
}

#[test]
fn a_configured_id_holds_where_the_only_query_answers_with_the_system() {
    let fake = FakeBmc::new();
    assert_eq!(configured(&fake, "1"), Ok("/redfish/v1/Systems/1".to_owned()));
    let missing = configured(&fake, "2").unwrap_err();
    assert!(matches!(missing, ErrorKind::NoSuchSystem { .. }), "{missing:?}");
}

#[test]
fn null_members_a_bare_member_and_more_pages_are_read() {
    let fake = service(&[("/redfish/v1/Systems/1", true)]);
    fake.set(
        "/redfish/v1/Systems",
        json!({"Members": [null, {"@odata.id": "https://bmc.internal/redfish/v1/Systems/1"}]}),
    );
    assert_eq!(found(&fake), Ok("1".to_owned()));
    fake.set("/redfish/v1/Systems", json!({"Members": {"@odata.id": "/redfish/v1/Systems/1"}}));
    assert_eq!(found(&fake), Ok("1".to_owned()));
    fake.set(
        "/redfish/v1/Systems",
        json!({"Members": [], "Members@odata.nextLink": "/redfish/v1/Systems2"}),
    );
    fake.set("/redfish/v1/Systems2", json!({"Members": [{"@odata.id": "/redfish/v1/Systems/1"}], "Members@odata.nextLink": "/redfish/v1/Systems2"}));
    // The page links to itself: members repeat and are several, which is said and not followed on.
    assert!(matches!(found(&fake), Ok(_) | Err(ErrorKind::SeveralSystems { .. })));
    assert!(fake.requests().len() < 60);
}

#[test]
fn an_empty_collection_has_no_system() {
    assert_eq!(found(&service(&[])), Err(ErrorKind::NoSystem));
}

#[test]
fn a_service_that_refuses_the_only_query_is_asked_without_it() {
    for status in [400, 404, 501] {
        let fake = service(&[("/redfish/v1/Systems/1", true)]);
        fake.fail_next(Method::GET, Fault::Answer(status, String::new()));
        assert_eq!(found(&fake), Ok("1".to_owned()), "{status}");
    }
}

#[test]
fn a_collection_elsewhere_is_found_in_the_root() {
    let fake = FakeBmc::of_resources(&json!({
        "/redfish/v1/": {"Systems": {"@odata.id": "/redfish/v1/Computers"}},
        "/redfish/v1/Computers": {"Members": [{"@odata.id": "/redfish/v1/Computers/9"}]},
        "/redfish/v1/Computers/9": {"@odata.id": "/redfish/v1/Computers/9", "PowerState": "Off"},
    }));
    assert_eq!(client(&fake).power_state().unwrap(), PowerState::Off);
}

#[test]
fn a_known_system_that_is_gone_is_searched_again() {
    let fake = service(&[("/redfish/v1/Systems/1", true)]);
    let known = client(&fake);
    known.system().unwrap();
    let other = service(&[("/redfish/v1/Systems/Self", true)]);
    let bmc = client(&other).with_known(known.known());
    assert_eq!(bmc.system().unwrap().path().id(), "Self");
}

#[test]
fn what_is_known_of_one_system_is_never_used_for_another() {
    let fake = service(&[("/redfish/v1/Systems/Node0", true), ("/redfish/v1/Systems/Node1", true)]);
    let profile = |name: &str| Profile { system: Some(name.to_owned()), ..Profile::default() };
    let first = client(&fake).with_profile(profile("Node0"));
    first.system().unwrap();
    for name in ["Node1", "/redfish/v1/Systems/Node1"] {
        let bmc = client(&fake).with_profile(profile(name)).with_known(first.known());
        fake.forget_requests();
        let _accepted = bmc.reset(&ResetType::ForceOff).unwrap();
        assert!(fake.lines().last().unwrap().starts_with("POST /redfish/v1/Systems/Node1/"));
    }
    assert_eq!(fake.resource("/redfish/v1/Systems/Node0").unwrap()["PowerState"], "On");
}

#[test]
fn reads_follow_redirects_of_the_same_origin_and_at_most_three() {
    let to =
        |target: &str| Fault::AnswerWith(308, vec![("Location", target.to_owned())], String::new());
    let fake = FakeBmc::new();
    fake.fail_next(Method::GET, to("/redfish/v1/Systems/"));
    fake.fail_next(Method::GET, to("https://exe0001.mgmt.example.org:443/redfish/v1/Systems/1"));
    assert_eq!(client(&fake).power_state().unwrap(), PowerState::On);
    assert_eq!(fake.requests().len(), 3);

    let fake = FakeBmc::new();
    for _ in 0..9 {
        fake.fail_next(Method::GET, to("/redfish/v1/Systems/"));
    }
    let error = client(&fake).power_state().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Redirected { .. }), "{error:?}");
    assert_eq!(fake.requests().len(), 4);
}

#[test]
fn a_redirect_elsewhere_is_named_and_sees_no_credentials() {
    for target in [
        "https://evil.example.org/redfish/v1/Systems",
        "https://exe0001.mgmt.example.org:8443/redfish/v1/Systems",
        "http://exe0001.mgmt.example.org/redfish/v1/Systems",
        "//evil.example.org/redfish/v1/Systems",
        "",
    ] {
        let fake = FakeBmc::new();
        fake.fail_next(
            Method::GET,
            Fault::AnswerWith(301, vec![("Location", target.to_owned())], String::new()),
        );
        let error = client(&fake).power_state().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Redirected { .. }), "{target}: {error:?}");
        assert!(error.to_string().contains(target), "{error}");
        assert_eq!(fake.requests().len(), 1);
    }
}

#[test]
fn a_redirected_write_is_not_repeated_and_names_the_target() {
    let target = "/redfish/v1/Systems/1/Actions/Reset/".to_owned();
    let fake = FakeBmc::new();
    fake.fail_next(
        Method::POST,
        Fault::AnswerWith(307, vec![("Location", target.clone())], String::new()),
    );
    let error = client(&fake).reset(&ResetType::ForceRestart).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Redirected { target });
    assert_eq!(error.delivery(), Delivery::Answered);
    assert_eq!(fake.requests().iter().filter(|asked| asked.method == Method::POST).count(), 1);
}

#[test]
fn a_read_that_fails_in_passing_is_repeated_a_little_later() {
    let retry = Fault::AnswerWith(503, vec![("Retry-After", "7".to_owned())], String::new());
    let fake = FakeBmc::new();
    fake.fail_next(Method::GET, retry.clone());
    // Seen right after a power transition.
    fake.fail_next(Method::GET, Fault::Answer(200, String::new()));
    let clock = Arc::new(FakeClock::default());
    assert_eq!(client_by(&fake, clock.clone()).power_state().unwrap(), PowerState::On);
    assert_eq!(clock.waited(), Duration::from_secs(8));

    let fake = FakeBmc::new();
    for _ in 0..9 {
        fake.fail_next(Method::GET, retry.clone());
    }
    let error = client(&fake).power_state().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Busy { retry_after: Some(Duration::from_secs(7)) });
    assert_eq!(fake.requests().len(), 3);
}

#[test]
fn a_retry_after_of_nothing_or_of_ages_neither_hammers_nor_overflows() {
    for (asked, waited) in [("0", 2), ("-1", 10), ("Wed, 21 Oct 2015 07:28:00 GMT", 10)] {
        let fake = FakeBmc::new();
        for _ in 0..9 {
            let header = vec![("Retry-After", asked.to_owned())];
            fake.fail_next(Method::GET, Fault::AnswerWith(503, header, String::new()));
        }
        let clock = Arc::new(FakeClock::default());
        client_by(&fake, clock.clone()).power_state().unwrap_err();
        assert_eq!(clock.waited(), Duration::from_secs(waited), "{asked}");
    }
    let fake = FakeBmc::new();
    let header = vec![("Retry-After", u64::MAX.to_string())];
    fake.fail_next(Method::GET, Fault::AnswerWith(503, header, String::new()));
    let error = client(&fake).power_state().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Busy { .. }), "{error:?}");
}

#[test]
fn an_operation_has_one_deadline_for_all_its_requests() {
    let wait = Fault::AnswerWith(503, vec![("Retry-After", "100".to_owned())], String::new());
    let fake = FakeBmc::new();
    fake.fail_next(Method::GET, wait.clone());
    fake.fail_next(Method::GET, wait);
    let clock = Arc::new(FakeClock::default());
    client_by(&fake, clock.clone()).power_state().unwrap_err();
    assert_eq!(clock.waited(), Duration::from_secs(100));

    let fake = FakeBmc::new();
    let passed = std::time::Instant::now();
    let bmc = client(&fake).until(passed);
    assert_eq!(*bmc.power_state().unwrap_err().kind(), ErrorKind::Deadline);
    assert_eq!(fake.requests().len(), 0);
}

#[test]
fn get_and_post_reach_any_resource_and_post_is_sent_once() {
    let fake = FakeBmc::new();
    let bmc = client(&fake);
    let path: ResourcePath = "/redfish/v1/Systems/1".parse().unwrap();
    assert_eq!(bmc.get(&path).unwrap()["Model"], "Node");
    let missing: ResourcePath = "/redfish/v1/Nothing".parse().unwrap();
    assert_eq!(
        *bmc.get(&missing).unwrap_err().kind(),
        ErrorKind::NotFound { path: missing.clone() }
    );
    let error = bmc.post(&missing, &json!({"a": 1})).unwrap_err();
    assert_eq!(error.delivery(), Delivery::Answered);
    assert_eq!(fake.lines().last().unwrap(), r#"POST /redfish/v1/Nothing {"a":1}"#);
}

#[test]
fn endpoints_are_hosts_with_a_port_and_nothing_else() {
    for (text, printed) in [
        ("EXE1.example.org.", "exe1.example.org"),
        ("exe1:8443", "exe1:8443"),
        ("10.0.0.1", "10.0.0.1"),
        ("fd00::1", "[fd00::1]"),
        ("[fd00::1]:443", "[fd00::1]"),
        ("[fd00::1]:8443", "[fd00::1]:8443"),
    ] {
        assert_eq!(text.parse::<Endpoint>().unwrap().to_string(), printed);
    }
    for text in [
        "",
        ".",
        "a b",
        "a#b",
        "a?b",
        "a/b",
        "user@host",
        "a%b",
        "a\\b",
        "host:",
        "host:0",
        "host:65536",
        "host:+1",
        "[10.0.0.1]",
        "[fd00::1",
        "fd00::1]",
        "[::1]x",
        "10.0.0.256",
        "a..b",
        "-a",
        "host:1:2",
        "ex\u{e4}",
    ] {
        assert!(text.parse::<Endpoint>().is_err(), "{text:?}");
    }
}

#[test]
fn paths_stay_under_redfish_and_on_the_bmc() {
    assert_eq!(
        ResourcePath::from_link("HTTPS://10.1.1.1:444/redfish/v1/Systems/1#/Boot")
            .unwrap()
            .as_str(),
        "/redfish/v1/Systems/1"
    );
    for text in [
        "",
        "/",
        "redfish/v1",
        "/rest/v1",
        "/redfishx",
        "/redfish/../etc",
        "/redfish//x",
        "/redfish/v1 x",
        "/redfish/v1\n",
        "//evil/redfish",
        "https://evil",
    ] {
        assert!(ResourcePath::from_link(text).is_err() || text.contains('\n'), "{text:?}");
        assert!(text.parse::<ResourcePath>().is_err(), "{text:?}");
    }
}
