use std::sync::Arc;
use std::time::Duration;

use http::Method;
use redfish::fake::{FakeBmc, FakeClock, Fault, Rule};
use redfish::{
    BootClear, BootMode, BootRequest, BootSource, BootWrite, Delivery, Error, ErrorKind, GetOnly,
    ModeOption, PowerAction, ReadBack,
};
use serde_json::{Value, json};

use crate::site::{client, client_by};

const SYSTEM: &str = "/redfish/v1/Systems/1";

fn pxe_once() -> BootRequest {
    BootRequest::once(BootSource::PXE)
}

fn set(fake: &FakeBmc) -> Result<BootWrite, Error> {
    client(fake).set_boot_override(&pxe_once())
}

fn set_with(rules: &[Rule]) -> (FakeBmc, Result<BootWrite, Error>) {
    let fake = rules.iter().cloned().fold(FakeBmc::new(), FakeBmc::with_rule);
    let result = set(&fake);
    (fake, result)
}

/// If-Match of each PATCH.
fn tags(fake: &FakeBmc) -> Vec<Option<String>> {
    let patches = fake.requests().into_iter().filter(|asked| asked.method == Method::PATCH);
    patches.map(|asked| Some(asked.headers.get("if-match")?.to_str().unwrap().to_owned())).collect()
}

/// `Boot` of each PATCH, without the long names.
fn writes(fake: &FakeBmc) -> Vec<String> {
    let patches = fake.requests().into_iter().filter(|asked| asked.method == Method::PATCH);
    patches
        .map(|asked| {
            let boot = asked.body["Boot"].to_string().replace("BootSourceOverride", "");
            format!("{} {boot}", asked.target.replace(SYSTEM, "~"))
        })
        .collect()
}

/// A fake whose system is changed before it is served.
fn fake_with(change: impl FnOnce(&mut Value)) -> FakeBmc {
    let fake = FakeBmc::new();
    let mut system = fake.resource(SYSTEM).unwrap();
    change(&mut system);
    fake.set(SYSTEM, system);
    fake
}

/// A fake with a Settings object of this `Boot`.
fn fake_with_settings(boot: &Value) -> FakeBmc {
    let settings = format!("{SYSTEM}/Settings");
    let fake = fake_with(|system| {
        system["@Redfish.Settings"] = json!({"SettingsObject": {"@odata.id": settings}});
    });
    fake.set(&settings, json!({"@odata.id": settings, "Boot": boot}));
    fake
}

#[test]
fn a_one_time_boot_with_its_reset_takes_three_requests_when_the_bmc_is_known() {
    let fake = FakeBmc::new();
    let first = client(&fake);
    let _written = first.set_boot_override(&pxe_once()).unwrap();
    fake.forget_requests();

    let bmc = client(&fake).with_known(first.known());
    let written = bmc.set_boot_override(&pxe_once()).unwrap();
    assert!(written.read_back.is_set());
    let _sent = bmc.power(PowerAction::ResetOrOn).unwrap();
    assert_eq!(
        fake.lines(),
        [
            r#"PATCH /redfish/v1/Systems/1 {"Boot":{"BootSourceOverrideTarget":"Pxe","BootSourceOverrideEnabled":"Once"}}"#,
            "GET /redfish/v1/Systems/1",
            r#"POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset {"ResetType":"ForceRestart"}"#,
        ]
    );
}

#[test]
fn a_write_that_is_taken_and_not_done_is_seen() {
    let (_, result) = set_with(&[Rule::ForgetWrites]);
    let written = result.unwrap();
    assert!(matches!(written.read_back, ReadBack::NotTaken(_)), "{written:?}");
    assert!(!written.read_back.is_set());
}

#[test]
fn once_that_reads_back_continuous_is_a_warning_and_no_failure() {
    let (_, result) = set_with(&[Rule::ReadBackContinuous]);
    let written = result.unwrap();
    assert!(matches!(&written.read_back, ReadBack::SetReadsBackContinuous(_)), "{written:?}");
}

#[test]
fn continuous_that_was_asked_for_is_simply_set() {
    let fake = FakeBmc::new();
    let written =
        client(&fake).set_boot_override(&BootRequest::continuous(BootSource::HDD)).unwrap();
    let ReadBack::Set(shown) = written.read_back else { panic!("{written:?}") };
    assert_eq!(shown.to_string(), "Hdd, Continuous, UEFI");
}

#[test]
fn supermicro_that_reads_back_uefi_boot_next_is_set_and_others_are_not() {
    for (vendor, expected) in [("Supermicro", true), ("Example", false)] {
        let fake = fake_with(|system| system["Manufacturer"] = json!(vendor));
        let fake = fake.with_rule(Rule::ReadPxeAs("UefiBootNext"));
        assert_eq!(set(&fake).unwrap().read_back.is_set(), expected, "{vendor}");
    }
}

#[test]
fn a_demanded_tag_is_sent_and_remembered() {
    let fake = FakeBmc::new().with_rule(Rule::RequireIfMatch);
    let bmc = client(&fake);
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    assert_eq!(tags(&fake), [Some("\"1\"".to_owned()), Some("*".to_owned())]);
}

#[test]
fn a_bmc_without_tags_that_demands_one_is_answered_with_a_star() {
    let fake = fake_with(|system| {
        system.as_object_mut().unwrap().remove("@odata.etag");
    });
    let fake = fake.with_rule(Rule::RequireIfMatch);
    assert!(set(&fake).unwrap().read_back.is_set());
    assert_eq!(tags(&fake), [None, Some("*".to_owned())]);
}

#[test]
fn a_weak_tag_that_is_compared_strongly_is_sent_strong() {
    let fake = fake_with(|system| system["@odata.etag"] = json!("W/\"5\""));
    let fake = fake.with_rule(Rule::CompareWeakTagsStrongly).with_rule(Rule::RequireIfMatch);
    assert!(set(&fake).unwrap().read_back.is_set());
    assert_eq!(tags(&fake), [Some("W/\"5\"".to_owned()), Some("\"5\"".to_owned())]);
}

#[test]
fn a_bmc_that_takes_no_if_match_is_sent_none_in_the_end_and_at_once_later() {
    let fake = FakeBmc::new().with_rule(Rule::RefuseIfMatch);
    let bmc = client(&fake);
    assert!(bmc.set_boot_override(&pxe_once()).unwrap().read_back.is_set());
    assert_eq!(tags(&fake), [Some("\"1\"".to_owned()), Some("*".to_owned()), None]);
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    assert_eq!(tags(&fake).len(), 4);
    assert_eq!(tags(&fake)[3], None);
}

#[test]
fn a_star_that_is_refused_is_followed_by_a_fresh_tag() {
    let fake = FakeBmc::new().with_rule(Rule::RequireIfMatch).with_rule(Rule::RefuseStar);
    let bmc = client(&fake);
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    let written = bmc.set_boot_override(&pxe_once()).unwrap();
    assert!(written.read_back.is_set());
    assert_eq!(tags(&fake)[1].as_deref(), Some("*"));
    assert!(tags(&fake)[2].as_deref().unwrap().starts_with('"'));
}

#[test]
fn a_mode_that_is_not_writable_is_left_out() {
    // AMI is sent the mode at once.
    let fake = fake_with(|system| system["Oem"] = json!({"Ami": {}}));
    let fake = fake.with_rule(Rule::ReadOnlyProperty("BootSourceOverrideMode"));
    assert!(set(&fake).unwrap().read_back.is_set());
    assert_eq!(
        writes(&fake),
        [
            r#"~ {"Target":"Pxe","Enabled":"Once","Mode":"UEFI"}"#,
            r#"~ {"Target":"Pxe","Enabled":"Once"}"#,
        ]
    );
}

#[test]
fn a_mode_that_is_missed_is_added_and_remembered() {
    let fake = FakeBmc::new().with_rule(Rule::RequireProperty("BootSourceOverrideMode"));
    let bmc = client(&fake);
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    let whole = r#"~ {"Target":"Pxe","Enabled":"Once","Mode":"UEFI"}"#;
    assert_eq!(writes(&fake), [r#"~ {"Target":"Pxe","Enabled":"Once"}"#, whole, whole]);
}

#[test]
fn a_mode_the_bmc_reports_already_is_not_sent() {
    let fake = FakeBmc::new();
    let request = pxe_once().with_mode(ModeOption::Set(BootMode::Uefi));
    let _written = client(&fake).set_boot_override(&request).unwrap();
    assert_eq!(writes(&fake), [r#"~ {"Target":"Pxe","Enabled":"Once"}"#]);
}

#[test]
fn a_mode_that_was_asked_for_is_never_left_out_after_a_refusal() {
    let fake = FakeBmc::new().with_rule(Rule::ReadOnlyProperty("BootSourceOverrideMode"));
    let request = pxe_once().with_mode(ModeOption::Set(BootMode::Legacy));
    let error = client(&fake).set_boot_override(&request).unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Refused, Delivery::Answered));
    assert_eq!(writes(&fake).len(), 1);
}

#[test]
fn a_supermicro_board_that_reports_no_mode_is_sent_none() {
    let fake = fake_with(|system| {
        system["Manufacturer"] = json!("Supermicro");
        system["Boot"].as_object_mut().unwrap().remove("BootSourceOverrideMode");
    });
    let fake = fake.with_rule(Rule::ReadOnlyProperty("BootSourceOverrideMode"));
    let _written = set(&fake).unwrap();
    assert_eq!(writes(&fake), [r#"~ {"Target":"Pxe","Enabled":"Once"}"#]);
}

#[test]
fn a_settings_object_is_written_only_where_it_carries_the_target() {
    let carries =
        json!({"BootSourceOverrideTarget": "None", "BootSourceOverrideEnabled": "Disabled"});
    let fake = fake_with_settings(&carries);
    let written = set(&fake).unwrap();
    assert_eq!(written.resource.as_str(), "/redfish/v1/Systems/1/Settings");
    // The pending override is where it was written.
    assert_eq!(client(&fake).boot_override().unwrap().is_set(), Some(true));

    let fake = fake_with_settings(&json!({"BootOrder": [], "BootSourceOverrideMode": "UEFI"}));
    assert_eq!(set(&fake).unwrap().resource.as_str(), SYSTEM);
}

#[test]
fn a_system_that_is_read_only_gives_way_to_its_settings_object() {
    // iDRAC 10 on builds whose Settings object does not show what it takes.
    let fake = fake_with_settings(&json!({"BootOrder": []}));
    let fake = fake.with_rule(Rule::ReadOnlyBoot(SYSTEM.to_owned()));
    let written = set(&fake).unwrap();
    assert_eq!(written.resource.id(), "Settings");
    assert!(written.read_back.is_set(), "{written:?}");
}

#[test]
fn megarac_that_names_the_future_state_is_written_there() {
    let fake = fake_with(|_| {});
    let future = format!("{SYSTEM}/SD");
    fake.set(&future, json!({"@odata.id": future, "Boot": {}}));
    let fake = fake.with_rule(Rule::FutureState(SYSTEM.to_owned(), future.clone()));
    let written = set(&fake).unwrap();
    assert_eq!(written.resource.as_str(), future);
    assert!(written.read_back.is_set());
}

#[test]
fn a_source_that_is_not_offered_is_refused_with_the_list_and_nothing_is_sent() {
    let fake = FakeBmc::new();
    let request = BootRequest::once(BootSource::UEFI_HTTP);
    let error = client(&fake).set_boot_override(&request).unwrap_err();
    insta::assert_snapshot!(error, @"exe0001.mgmt.example.org: boot source UefiHttp is not offered; there is None, Pxe, Hdd, BiosSetup");
    assert_eq!(writes(&fake), Vec::<String>::new());

    let written = client(&fake).set_boot_override(&request.even_if_not_listed()).unwrap();
    assert!(written.read_back.is_set());
}

#[test]
fn a_lost_reply_is_settled_by_the_read_back() {
    let fake = FakeBmc::new();
    fake.fail_next(Method::PATCH, Fault::LoseReply);
    assert!(set(&fake).unwrap().read_back.is_set());

    let fake = FakeBmc::new();
    fake.fail_next(Method::PATCH, Fault::Silent);
    let error = set(&fake).unwrap_err();
    assert_eq!(error.delivery(), Delivery::PerhapsCarriedOut);
    assert_eq!(writes(&fake).len(), 1);
}

#[test]
fn idrac_8_that_refuses_what_it_did_has_done_it() {
    let (_, result) = set_with(&[Rule::StoreAndRefuse]);
    let written = result.unwrap();
    assert!(written.read_back.is_set());
    assert_eq!(written.messages[0].key(), "PropertyNotWritable");
}

#[test]
fn a_bmc_that_cannot_be_reached_is_not_asked_a_second_time() {
    let fake = FakeBmc::new();
    let bmc = client(&fake);
    bmc.boot_override().unwrap();
    fake.forget_requests();
    fake.fail_next(Method::PATCH, Fault::Unreachable);
    let error = bmc.set_boot_override(&pxe_once()).unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Unreachable, Delivery::NotSent));
    assert_eq!(fake.requests().len(), 1);
}

#[test]
fn a_read_back_that_fails_leaves_the_write_unverified() {
    let fake = FakeBmc::new();
    let bmc = client(&fake);
    bmc.boot_override().unwrap();
    fake.fail_next(Method::GET, Fault::Silent);
    let written = bmc.set_boot_override(&pxe_once()).unwrap();
    let ReadBack::Unverified(error) = &written.read_back else { panic!("{written:?}") };
    assert_eq!(error.delivery(), Delivery::Answered);
}

#[test]
fn a_refusal_during_the_self_test_is_waited_out_within_the_deadline() {
    let post = r#"{"error": {"@Message.ExtendedInfo": [{"MessageId": "iLO.2.15.UnableToModifyDuringSystemPOST"}]}}"#;
    let fake = FakeBmc::new();
    let clock = Arc::new(FakeClock::default());
    for _ in 0..3 {
        fake.fail_next(Method::PATCH, Fault::Answer(400, post.to_owned()));
    }
    let written = client_by(&fake, clock.clone()).set_boot_override(&pxe_once()).unwrap();
    assert!(written.read_back.is_set());
    assert_eq!(clock.waited(), Duration::from_secs(30));

    let fake = FakeBmc::new();
    let clock = Arc::new(FakeClock::default());
    for _ in 0..100 {
        fake.fail_next(Method::PATCH, Fault::Answer(400, post.to_owned()));
    }
    let error = client_by(&fake, clock.clone()).set_boot_override(&pxe_once()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Busy { .. }), "{error:?}");
    assert!(clock.waited() < Duration::from_mins(2));
}

#[test]
fn an_override_at_rest_is_none_although_a_target_is_shown() {
    let fake = fake_with(|system| system["Boot"]["BootSourceOverrideTarget"] = json!("Pxe"));
    let shown = client(&fake).boot_override().unwrap();
    assert_eq!((shown.is_set(), shown.to_string()), (Some(false), "none".to_owned()));

    let fake = fake_with(|system| system["Boot"]["BootSourceOverrideEnabled"] = Value::Null);
    let fake2 = fake_with(|system| {
        system["Boot"]["BootSourceOverrideEnabled"] = Value::Null;
        system["Boot"]["BootSourceOverrideTarget"] = json!("Pxe");
    });
    assert_eq!(client(&fake).boot_override().unwrap().is_set(), Some(false));
    assert_eq!(client(&fake2).boot_override().unwrap().to_string(), "unknown");
}

#[test]
fn clearing_says_disabled_only_and_reads_back() {
    let fake = FakeBmc::new();
    let bmc = client(&fake);
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    fake.forget_requests();
    assert!(matches!(bmc.clear_boot_override().unwrap(), BootClear::Cleared));
    assert_eq!(writes(&fake), [r#"~ {"Enabled":"Disabled"}"#]);
    assert_eq!(fake.requests().len(), 2);
}

#[test]
fn clearing_goes_on_to_the_target_where_the_override_stays() {
    let fake = FakeBmc::new().with_rule(Rule::ClearNeedsTarget);
    let bmc = client(&fake);
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    fake.forget_requests();
    assert!(matches!(bmc.clear_boot_override().unwrap(), BootClear::Cleared));
    assert_eq!(
        writes(&fake),
        [r#"~ {"Enabled":"Disabled"}"#, r#"~ {"Target":"None","Enabled":"Disabled"}"#]
    );
}

#[test]
fn clearing_what_is_not_set_succeeds_though_hpe_refuses_it() {
    let fake = FakeBmc::new().with_rule(Rule::RefuseDisableWithoutTarget);
    assert!(matches!(client(&fake).clear_boot_override().unwrap(), BootClear::Cleared));
    assert_eq!(writes(&fake).len(), 1);
}

#[test]
fn an_override_that_stays_after_every_way_to_clear_it_is_reported() {
    let fake = fake_with(|system| {
        system["Boot"]["BootSourceOverrideEnabled"] = json!("Once");
        system["Boot"]["BootSourceOverrideTarget"] = json!("Pxe");
    });
    let fake = fake.with_rule(Rule::ForgetWrites);
    let BootClear::StillSet(shown) = client(&fake).clear_boot_override().unwrap() else { panic!() };
    assert_eq!(shown.to_string(), "Pxe, Once, UEFI");
    assert_eq!(writes(&fake).len(), 3);
}

#[test]
fn clearing_that_could_not_be_read_back_is_unverified() {
    let fake = FakeBmc::new();
    let bmc = client(&fake);
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    fake.fail_next(Method::GET, Fault::Silent);
    assert!(matches!(bmc.clear_boot_override().unwrap(), BootClear::Unverified(_)));
}

#[test]
fn a_system_without_an_override_is_said_to_have_none() {
    let fake = fake_with(|system| system["Boot"] = json!({"BootOrder": []}));
    let error = set(&fake).unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::NoBootOverride, Delivery::NotSent));
}

#[test]
fn a_job_the_bmc_makes_of_the_write_is_named() {
    let fake = FakeBmc::new();
    let job = "https://bmc.internal/redfish/v1/TaskService/Tasks/JID_1".to_owned();
    fake.fail_next(Method::PATCH, Fault::AnswerWith(202, vec![("Location", job)], String::new()));
    let written = set(&fake).unwrap();
    assert_eq!(written.job.unwrap().as_str(), "/redfish/v1/TaskService/Tasks/JID_1");
}

#[test]
fn a_rehearsal_reads_and_writes_nothing() {
    let fake = FakeBmc::new();
    let bmc = redfish::Bmc::new(
        "exe0001.mgmt.example.org".parse().unwrap(),
        crate::site::account(),
        GetOnly::new(&fake),
    );
    let error = bmc.set_boot_override(&pxe_once()).unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::NotPermitted, Delivery::NotSent));
    assert_eq!(bmc.power(PowerAction::Off).unwrap_err().delivery(), Delivery::NotSent);
    assert!(fake.requests().iter().all(|asked| asked.method == Method::GET));
}

#[test]
fn a_settings_object_that_ignores_the_write_gives_way_to_the_system() {
    // iDRAC 10 on builds that take a target there and do nothing (libredfish pull request 75).
    let carries =
        json!({"BootSourceOverrideTarget": "None", "BootSourceOverrideEnabled": "Disabled"});
    let fake = fake_with_settings(&carries);
    let fake = fake.with_rule(Rule::ForgetBoot(format!("{SYSTEM}/Settings")));
    let written = set(&fake).unwrap();
    assert!(written.read_back.is_set(), "{written:?}");
    assert_eq!(written.resource.as_str(), SYSTEM);
    assert_eq!(writes(&fake).len(), 2);
}

#[test]
fn a_lifetime_or_a_mode_that_is_not_listed_is_refused_with_the_list_and_nothing_is_sent() {
    let fake = fake_with(|system| {
        let boot = &mut system["Boot"];
        boot["BootSourceOverrideEnabled@Redfish.AllowableValues"] = json!(["Once", "Disabled"]);
        boot["BootSourceOverrideMode@Redfish.AllowableValues"] = json!(["UEFI"]);
    });
    let refused = |request: &BootRequest| client(&fake).set_boot_override(request).unwrap_err();
    let continuous = BootRequest::continuous(BootSource::PXE);
    insta::assert_snapshot!(refused(&continuous), @"exe0001.mgmt.example.org: a boot override Continuous is not offered; there is Once, Disabled");
    let legacy = pxe_once().with_mode(ModeOption::Set(BootMode::Legacy));
    insta::assert_snapshot!(refused(&legacy), @"exe0001.mgmt.example.org: a boot override Legacy is not offered; there is UEFI");
    assert_eq!(writes(&fake), Vec::<String>::new());
    assert!(client(&fake).set_boot_override(&continuous.even_if_not_listed()).is_ok());
}

#[test]
fn a_mode_that_changed_behind_our_back_is_sent_although_it_was_seen_before() {
    let fake = FakeBmc::new();
    let bmc = client(&fake);
    bmc.boot_override().unwrap();
    let mut system = fake.resource(SYSTEM).unwrap();
    system["Boot"]["BootSourceOverrideMode"] = json!("Legacy");
    fake.set(SYSTEM, system);
    let request = pxe_once().with_mode(ModeOption::Set(BootMode::Uefi));
    let written = bmc.set_boot_override(&request).unwrap();
    assert!(written.read_back.is_set(), "{written:?}");
    assert_eq!(writes(&fake), [r#"~ {"Target":"Pxe","Enabled":"Once","Mode":"UEFI"}"#]);
}
