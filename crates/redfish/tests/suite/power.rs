use std::sync::Arc;
use std::time::Duration;

use http::Method;
use redfish::fake::{FakeBmc, FakeClock, Fault, Rule};
use redfish::{
    Accepted, Delivery, Error, ErrorKind, PowerAction, PowerOutcome, PowerState, Profile,
    ResetType, Transport, TransportError, TransportErrorKind,
};
use serde_json::{Value, json};

use crate::site::{account, client, client_by};

const SYSTEM: &str = "/redfish/v1/Systems/1";

fn change(fake: &FakeBmc, change: impl FnOnce(&mut Value)) {
    let mut system = fake.resource(SYSTEM).unwrap();
    change(&mut system);
    fake.set(SYSTEM, system);
}

fn offers(types: &[&str]) -> FakeBmc {
    let fake = FakeBmc::new();
    change(&fake, |system| {
        system["Actions"]["#ComputerSystem.Reset"]["ResetType@Redfish.AllowableValues"] =
            json!(types);
    });
    fake
}

fn turned_off(fake: FakeBmc) -> FakeBmc {
    change(&fake, |system| system["PowerState"] = json!("Off"));
    fake
}

/// The reset types that were posted.
fn sent(fake: &FakeBmc) -> Vec<String> {
    let posts = fake.requests().into_iter().filter(|asked| asked.method == Method::POST);
    posts.map(|asked| asked.body["ResetType"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_status_is_one_request() {
    let fake = FakeBmc::new();
    let bmc = client(&fake);
    assert_eq!(bmc.power_state().unwrap(), PowerState::On);
    assert_eq!(fake.lines(), ["GET /redfish/v1/Systems?only"]);
}

#[test]
fn a_missing_or_strange_power_state_is_never_on_or_off() {
    for (shown, expected) in [
        (Value::Null, "unknown"),
        (json!(""), "unknown"),
        (json!(1), "unknown"),
        (json!("PoweringOff"), "PoweringOff"),
        (json!("Starting"), "Starting"),
        (json!("on"), "on"),
    ] {
        let fake = FakeBmc::new();
        change(&fake, |system| system["PowerState"] = shown);
        let state = client(&fake).power_state().unwrap();
        assert_eq!(state.to_string(), expected);
        assert!(state != PowerState::On && state != PowerState::Off);
    }
}

#[test]
fn a_reset_whose_reply_is_lost_is_not_sent_again_and_unknown() {
    for fault in [Fault::LoseReply, Fault::Silent] {
        let fake = FakeBmc::new();
        fake.fail_next(Method::POST, fault);
        let error = client(&fake).reset(&ResetType::ForceRestart).unwrap_err();
        assert_eq!(error.delivery(), Delivery::PerhapsCarriedOut);
        assert_eq!(*error.kind(), ErrorKind::Timeout);
        assert_eq!(sent(&fake).len(), 1);
    }
}

#[test]
fn a_power_action_whose_reply_is_lost_is_not_followed_by_another() {
    for action in [
        PowerAction::On,
        PowerAction::Off,
        PowerAction::Soft,
        PowerAction::Cycle,
        PowerAction::Reset,
        PowerAction::ResetOrOn,
        PowerAction::Nmi,
    ] {
        let fake =
            if action == PowerAction::On { turned_off(FakeBmc::new()) } else { FakeBmc::new() };
        fake.fail_next(Method::POST, Fault::Silent);
        let error = client(&fake).power(action).unwrap_err();
        assert_eq!(error.delivery(), Delivery::PerhapsCarriedOut, "{action}");
        assert_eq!(sent(&fake).len(), 1, "{action}");
    }
}

#[test]
fn an_answer_of_a_failing_gateway_leaves_a_reset_open_and_a_redfish_error_does_not() {
    let redfish = r#"{"error": {"@Message.ExtendedInfo": [{"MessageId": "Base.1.8.InternalError", "Message": "No."}]}}"#;
    for (status, body, delivery) in [
        (502, "", Delivery::PerhapsCarriedOut),
        (504, "<html><title>Gateway Time-out</title>", Delivery::PerhapsCarriedOut),
        (500, "", Delivery::PerhapsCarriedOut),
        (500, redfish, Delivery::Answered),
        (503, "", Delivery::Answered),
        (400, "", Delivery::Answered),
        (401, "", Delivery::Answered),
    ] {
        let fake = FakeBmc::new();
        fake.fail_next(Method::POST, Fault::Answer(status, body.to_owned()));
        let error = client(&fake).reset(&ResetType::Nmi).unwrap_err();
        assert_eq!(error.delivery(), delivery, "{status} {body}");
        assert_eq!(sent(&fake), ["Nmi"]);
    }
}

#[test]
fn a_failure_before_the_reset_has_sent_nothing() {
    for fault in [Fault::Silent, Fault::Unreachable, Fault::Answer(401, String::new())] {
        let fake = FakeBmc::new();
        fake.fail_next(Method::GET, fault);
        let error = client(&fake).reset(&ResetType::ForceRestart).unwrap_err();
        assert_eq!(error.delivery(), Delivery::NotSent);
        assert_eq!(sent(&fake), Vec::<String>::new());
    }
}

#[test]
fn a_task_is_accepted_and_named() {
    let fake = FakeBmc::new().with_rule(Rule::Tasks);
    let accepted = client(&fake).reset(&ResetType::ForceRestart).unwrap();
    let Accepted::Task(Some(monitor)) = accepted else { panic!("{accepted:?}") };
    assert_eq!(monitor.as_str(), "/redfish/v1/TaskService/TaskMonitors/1");
}

#[test]
fn an_action_carries_no_if_match() {
    let fake = FakeBmc::new().with_rule(Rule::RefuseIfMatchOnActions);
    let _accepted = client(&fake).reset(&ResetType::ForceRestart).unwrap();
    assert!(fake.requests().iter().all(|asked| !asked.headers.contains_key("if-match")));
}

#[test]
fn off_that_is_off_is_done_whether_it_is_seen_before_or_after_the_refusal() {
    for status in [409, 400] {
        let fake = turned_off(FakeBmc::new().with_rule(Rule::RefuseSameState(status)));
        let bmc = client(&fake);
        assert_eq!(bmc.power(PowerAction::Off).unwrap(), PowerOutcome::Already(PowerState::Off));
        assert_eq!(sent(&fake), Vec::<String>::new());

        // Known: sent at once, refused, and the state says why.
        assert_eq!(bmc.power(PowerAction::Off).unwrap(), PowerOutcome::Already(PowerState::Off));
        assert_eq!(sent(&fake), ["ForceOff"]);
    }
}

#[test]
fn a_refusal_in_another_state_stays_a_refusal() {
    let fake = FakeBmc::new();
    fake.fail_next(Method::POST, Fault::Answer(409, String::new()));
    let error = client(&fake).power(PowerAction::Off).unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Refused, Delivery::Answered));
    assert_eq!(sent(&fake).len(), 1);
}

#[test]
fn a_reset_of_a_machine_that_is_off_says_so() {
    let fake = turned_off(FakeBmc::new().with_rule(Rule::RefuseSameState(400)));
    let error = client(&fake).power(PowerAction::Reset).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::MachineIsOff);
    assert!(error.to_string().contains("the machine is off"), "{error}");
}

#[test]
fn reset_or_on_switches_on_what_is_off_and_resets_what_is_on() {
    let fake = turned_off(FakeBmc::new().with_rule(Rule::RefuseSameState(400)));
    let bmc = client(&fake);
    let _sent = bmc.power(PowerAction::ResetOrOn).unwrap();
    let _sent = bmc.power(PowerAction::ResetOrOn).unwrap();
    assert_eq!(sent(&fake), ["On", "ForceRestart"]);

    // Switched off behind our back.
    turned_off_now(&fake);
    let _sent = bmc.power(PowerAction::ResetOrOn).unwrap();
    assert_eq!(sent(&fake)[2..], ["ForceRestart", "On"]);
}

fn turned_off_now(fake: &FakeBmc) {
    change(fake, |system| system["PowerState"] = json!("Off"));
}

#[test]
fn a_cycle_switches_on_what_is_off_and_is_native_only_where_there_is_no_off() {
    let fake = turned_off(FakeBmc::new());
    let _sent = client(&fake).power(PowerAction::Cycle).unwrap();
    assert_eq!(sent(&fake), ["On"]);

    let fake = offers(&["On", "PowerCycle", "ForceRestart"]);
    let _sent = client(&fake).power(PowerAction::Cycle).unwrap();
    assert_eq!(sent(&fake), ["PowerCycle"]);
}

#[test]
fn a_cycle_is_an_off_that_is_waited_for_and_an_on() {
    let fake = offers(&["On", "ForceOff", "PowerCycle"]);
    let _sent = client(&fake).power(PowerAction::Cycle).unwrap();
    let lines: Vec<_> = fake.requests().iter().map(|asked| asked.method.clone()).collect();
    assert_eq!(lines, [Method::GET, Method::POST, Method::GET, Method::POST]);
    assert_eq!(sent(&fake), ["ForceOff", "On"]);
}

/// Answers the first `On`s in its own way and leaves the rest to the fake.
struct SlowToSwitchOn<'a> {
    fake: &'a FakeBmc,
    answers: std::sync::Mutex<Vec<Option<u16>>>,
    asked: std::sync::Mutex<Vec<String>>,
}

impl Transport for SlowToSwitchOn<'_> {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        let body = String::from_utf8_lossy(request.body()).into_owned();
        if !body.is_empty() {
            self.asked.lock().unwrap().push(body.clone());
        }
        if !body.contains(r#""On""#) {
            return self.fake.send(request);
        }
        match self.answers.lock().unwrap().pop() {
            None => self.fake.send(request),
            Some(Some(status)) => {
                Ok(http::Response::builder().status(status).body(Vec::new()).unwrap())
            }
            Some(None) => {
                Err(TransportError::new(TransportErrorKind::Timeout, Delivery::PerhapsCarriedOut))
            }
        }
    }
}

/// A cycle by off and on whose `On`s are answered so, last first; what was posted.
fn cycle_slowly(answers: &[Option<u16>]) -> (Result<PowerOutcome, Error>, Vec<String>, Duration) {
    let fake = offers(&["On", "ForceOff"]);
    let (answers, asked) = (answers.to_vec().into(), std::sync::Mutex::default());
    let slow = SlowToSwitchOn { fake: &fake, answers, asked };
    let clock = Arc::new(FakeClock::default());
    let bmc = redfish::Bmc::new("bmc.example.org".parse().unwrap(), account(), &slow);
    let result = bmc.with_clock(clock.clone()).power(PowerAction::Cycle);
    (result, slow.asked.into_inner().unwrap(), clock.waited())
}

#[test]
fn idrac_10_that_refuses_to_switch_on_after_an_off_is_asked_again() {
    let (result, asked, waited) = cycle_slowly(&[Some(409), Some(409)]);
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(asked.len(), 4, "{asked:?}");
    assert_eq!(waited, Duration::from_secs(20));
}

#[test]
fn idrac_10_that_refuses_an_on_right_after_an_off_is_asked_again_and_a_plain_conflict_is_not() {
    let too_soon = r#"{"error": {"@Message.ExtendedInfo": [{"MessageId": "Base.1.18.ActionParameterValueConflict"}]}}"#;
    let fake = turned_off(FakeBmc::new());
    for _ in 0..2 {
        fake.fail_next(Method::POST, Fault::Answer(409, too_soon.to_owned()));
    }
    let clock = Arc::new(FakeClock::default());
    let outcome = client_by(&fake, clock.clone()).power(PowerAction::On).unwrap();
    assert!(matches!(outcome, PowerOutcome::Sent { .. }), "{outcome:?}");
    assert_eq!((sent(&fake).len(), clock.waited()), (3, Duration::from_secs(20)));

    let fake = turned_off(FakeBmc::new());
    fake.fail_next(Method::POST, Fault::Answer(409, String::new()));
    client(&fake).power(PowerAction::On).unwrap_err();
    assert_eq!(sent(&fake).len(), 1);
}

#[test]
fn a_task_without_a_location_is_named_by_its_body() {
    for body in [
        r#"{"@odata.id": "/redfish/v1/TaskService/Tasks/1", "TaskState": "New"}"#,
        r#"{"@odata.id": "/redfish/v1/x", "TaskMonitor": "/redfish/v1/TaskService/Tasks/1"}"#,
    ] {
        let fake = FakeBmc::new();
        fake.fail_next(Method::POST, Fault::Answer(202, body.to_owned()));
        let accepted = client(&fake).reset(&ResetType::ForceRestart).unwrap();
        let Accepted::Task(Some(monitor)) = accepted else { panic!("{accepted:?}") };
        assert_eq!(monitor.as_str(), "/redfish/v1/TaskService/Tasks/1");
    }
    let fake = FakeBmc::new();
    fake.fail_next(
        Method::POST,
        Fault::Answer(202, r#"{"@odata.id": "/redfish/v1/x"}"#.to_owned()),
    );
    assert_eq!(client(&fake).reset(&ResetType::ForceRestart).unwrap(), Accepted::Task(None));
}

#[test]
fn a_cycle_whose_second_half_fails_says_that_the_machine_is_off_and_why() {
    for (answer, posts) in [(None, 2), (Some(400), 2)] {
        let (result, asked, _) = cycle_slowly(&[answer]);
        let error = result.unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::LeftOff);
        assert!(std::error::Error::source(&error).is_some());
        assert_eq!(asked.len(), posts, "{asked:?}");
    }
}

#[test]
fn a_machine_that_does_not_go_off_is_not_switched_on() {
    let fake = offers(&["On", "ForceOff"]);
    fake.fail_next(Method::POST, Fault::Answer(204, String::new()));
    let clock = Arc::new(FakeClock::default());
    let error = client_by(&fake, clock.clone()).power(PowerAction::Cycle).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::LeftOff);
    assert_eq!(sent(&fake), ["ForceOff"]);
    assert!(clock.waited() >= Duration::from_secs(110));
}

#[test]
fn soft_is_never_a_hard_off() {
    let fake = offers(&["On", "ForceOff", "ForceRestart"]);
    let error = client(&fake).power(PowerAction::Soft).unwrap_err();
    insta::assert_snapshot!(error, @"exe0001.mgmt.example.org: reset type GracefulShutdown is not offered; there is On, ForceOff, ForceRestart");
    assert_eq!(sent(&fake), Vec::<String>::new());
}

#[test]
fn on_is_never_the_button() {
    let fake = turned_off(offers(&["PushPowerButton", "ForceOff"]));
    client(&fake).power(PowerAction::On).unwrap_err();
    assert_eq!(sent(&fake), Vec::<String>::new());

    let fake = turned_off(offers(&["PushPowerButton", "ForceOn"]));
    let _sent = client(&fake).power(PowerAction::On).unwrap();
    assert_eq!(sent(&fake), ["ForceOn"]);
}

#[test]
fn a_type_outside_the_profile_is_refused_before_it_is_sent_and_the_profile_is_named() {
    let fake = FakeBmc::new();
    let reset_types = Some(vec![ResetType::On, ResetType::ForceOff]);
    let profile = Profile { name: "oldbox".to_owned(), reset_types, ..Profile::default() };
    let bmc = client(&fake).with_profile(profile);
    let error = bmc.reset(&ResetType::ForceRestart).unwrap_err();
    insta::assert_snapshot!(error, @"exe0001.mgmt.example.org: reset type ForceRestart is not offered by profile oldbox; there is On, ForceOff");
    assert_eq!(sent(&fake), Vec::<String>::new());

    let _sent = bmc.power(PowerAction::Reset).unwrap();
    assert_eq!(sent(&fake), ["ForceOff", "On"]);
}

#[test]
fn a_system_without_a_reset_action_is_said_to_have_none() {
    let fake = FakeBmc::new();
    change(&fake, |system| system["Actions"] = json!({}));
    assert_eq!(*client(&fake).power(PowerAction::Off).unwrap_err().kind(), ErrorKind::NoReset);
}

#[test]
fn values_glued_into_one_text_are_told_apart() {
    let fake = offers(&["On, ForceOff, ForceRestart"]);
    assert_eq!(client(&fake).system().unwrap().reset_types().unwrap().len(), 3);
}

#[test]
fn waiting_for_a_state_ends_in_time() {
    let fake = FakeBmc::new();
    let clock = Arc::new(FakeClock::default());
    let bmc = client_by(&fake, clock.clone());
    let state = bmc.wait_for(&PowerState::Off, Duration::from_secs(20)).unwrap();
    assert_eq!(state, PowerState::On);
    assert!(clock.waited() < Duration::from_secs(20));
    turned_off_now(&fake);
    assert_eq!(bmc.wait_for(&PowerState::Off, Duration::from_secs(20)).unwrap(), PowerState::Off);
}

#[test]
fn words_of_the_command_line_are_exact() {
    assert_eq!("cycle".parse::<PowerAction>(), Ok(PowerAction::Cycle));
    assert!("On".parse::<PowerAction>().is_err());
    assert_eq!(ResetType::from("forcerestart"), ResetType::ForceRestart);
}
