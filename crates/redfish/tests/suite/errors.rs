//! What a BMC says about a refusal, in every shape that was seen; and answers that are nothing.

use http::Method;
use proptest::prelude::*;
use redfish::fake::{FakeBmc, Fault};
use redfish::{
    Account, Bmc, BootRequest, BootSource, Delivery, ErrorKind, IndicatorAction, IndicatorState,
    MediaRequest, Password, PowerAction, PowerState, ResetType, SensorScope, Transport,
    TransportError, TransportErrorKind,
};

use crate::site::client;

/// The message of a refused read.
fn refusal(status: u16, body: &str) -> String {
    let fake = FakeBmc::new();
    for _ in 0..3 {
        fake.fail_next(Method::GET, Fault::Answer(status, body.to_owned()));
    }
    client(&fake).power_state().unwrap_err().to_string()
}

#[test]
fn an_error_body_of_any_observed_shape_is_read() {
    let shown = [
        // An array, as the schema says.
        r#"{"error": {"code": "Base.1.8.GeneralError", "message": "See below.", "@Message.ExtendedInfo": [{"MessageId": "Base.1.8.Broken", "Message": "It broke."}]}}"#,
        // An object: old iDRAC.
        r#"{"error": {"@Message.ExtendedInfo": {"MessageId": "Base.1.8.Broken", "Message": "It broke."}}}"#,
        // At the top.
        r#"{"@Message.ExtendedInfo": [{"MessageId": "Base.1.8.Broken", "Message": "It broke."}]}"#,
        // At a property.
        r#"{"Boot@Message.ExtendedInfo": [{"MessageId": "Base.1.8.Broken", "Message": "It broke."}]}"#,
        // iLO 4.
        r#"{"Messages": [{"MessageID": "Base.1.8.Broken", "Message": "It broke."}], "Type": "ExtendedError.0.9.6"}"#,
        // Without extended information.
        r#"{"error": {"code": "Base.1.8.Broken", "message": "It broke."}}"#,
        // Two documents in a row: iDRAC, licence.
        r#"{"@odata.id": "/x"}{"error": {"code": "Base.1.8.Broken", "message": "It broke."}}"#,
        // A truncated second document.
        r#"{"error": {"code": "Base.1.8.Broken", "message": "It broke."}}{"err"#,
    ];
    for body in shown {
        assert_eq!(
            refusal(403, body),
            "exe0001.mgmt.example.org: refused by the BMC (HTTP 403): It broke. (Base.1.8.Broken)",
            "{body}"
        );
    }
}

#[test]
fn a_message_without_text_is_shown_by_its_id_and_arguments() {
    let one = r#"{"error": {"@Message.ExtendedInfo": [{"MessageId": "iLO.2.15.PropertyNotWritable", "MessageArgs": ["Mode"]}]}}"#;
    insta::assert_snapshot!(refusal(400, one), @"exe0001.mgmt.example.org: refused by the BMC (HTTP 400): iLO.2.15.PropertyNotWritable: Mode");
    let two = r#"{"error": {"@Message.ExtendedInfo": [{"MessageID": "iLO.0.10.Broken"}, {"MessageId": "x.1.0.y"}]}}"#;
    insta::assert_snapshot!(refusal(400, two), @"exe0001.mgmt.example.org: refused by the BMC (HTTP 400): iLO.0.10.Broken, and 1 more");
}

#[test]
fn a_page_in_place_of_json_is_one_bounded_line() {
    let page = format!("<html><head><title>500\nInternal</title></head>{}", "x".repeat(100_000));
    assert_eq!(
        refusal(500, &page),
        "exe0001.mgmt.example.org: refused by the BMC (HTTP 500): 500 Internal"
    );
    let text = refusal(400, &format!("\u{1b}[31m{}\r\n\u{202e}", "y ".repeat(5_000)));
    assert!(
        text.chars().count() < 400 && !text.contains(['\u{1b}', '\r', '\n', '\u{202e}']),
        "{text}"
    );
}

#[test]
fn an_answer_that_is_no_resource_is_malformed_and_no_state() {
    for body in ["[]", "null", "\"On\"", "On", "{\"PowerState\": \"On\"", "<html></html>"] {
        let fake = FakeBmc::new();
        fake.fail_next(Method::GET, Fault::Answer(200, body.to_owned()));
        let error = client(&fake).power_state().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Malformed { .. }), "{body}: {error:?}");
        assert_eq!(error.delivery(), Delivery::NotSent);
    }
}

/// Answers from a list, then nothing any more; counts requests.
#[derive(Debug)]
struct Script {
    answers: std::sync::Mutex<Vec<(u16, String, Vec<u8>)>>,
    asked: std::sync::Mutex<Vec<Method>>,
}

impl Transport for Script {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        self.asked.lock().unwrap().push(request.method().clone());
        let Some((status, location, body)) = self.answers.lock().unwrap().pop() else {
            return Err(TransportError::new(
                TransportErrorKind::Timeout,
                Delivery::PerhapsCarriedOut,
            ));
        };
        let response = http::Response::builder().status(status);
        let response = response.header("Location", location.clone()).header("ETag", location);
        Ok(response.body(body).unwrap())
    }
}

fn answers() -> impl Strategy<Value = Vec<(u16, String, Vec<u8>)>> {
    let bodies = prop_oneof![
        Just(r##"{"@odata.id":"/redfish/v1/Systems/1","PowerState":null,"Boot":{"BootSourceOverrideTarget":null},"@Redfish.Settings":{"SettingsObject":{"@odata.id":"/redfish/v1/Systems/1/S"}},"Actions":{"#ComputerSystem.Reset":{"target":"/redfish/v1/Systems/1/R","@Redfish.ActionInfo":"/redfish/v1/A"}}}"##.to_owned()),
        Just(r#"{"Members":[null,{"@odata.id":"/redfish/v1/Systems/1"},{"@odata.id":"/redfish/v1/Systems/2"}],"Members@odata.nextLink":"/redfish/v1/Systems"}"#.to_owned()),
        Just(r#"{"error":{"@Message.ExtendedInfo":{"MessageId":"a.PropertyNotWritable","MessageArgs":["BootSourceOverrideMode","Boot"]}}}"#.to_owned()),
        Just(r#"{"Parameters":[{"Name":"ResetType","AllowableValues":["On","ForceOff"]}]}"#.to_owned()),
        "[ -~]{0,40}",
        Just(String::new()),
    ];
    let statuses = prop_oneof![
        Just(200),
        Just(202),
        Just(204),
        Just(301),
        Just(308),
        Just(400),
        Just(401),
        Just(404),
        Just(405),
        Just(409),
        Just(412),
        Just(428),
        Just(500),
        Just(503),
        200_u16..600,
    ];
    let locations = prop_oneof![Just("/redfish/v1/Systems/".to_owned()), "[ -~]{0,20}"];
    proptest::collection::vec((statuses, locations, bodies.prop_map(String::into_bytes)), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_sequence_of_answers_panics_loops_or_becomes_a_state(answers in answers()) {
        let script = Script { answers: std::sync::Mutex::new(answers), asked: std::sync::Mutex::default() };
        let account = Account::new("a", Password::new("b".to_owned())).unwrap();
        let clock = std::sync::Arc::new(redfish::fake::FakeClock::default());
        let bmc = Bmc::new("bmc.example.org".parse().unwrap(), account, &script).with_clock(clock);
        if let Ok(state) = bmc.power_state() {
            prop_assert_ne!(state, PowerState::On);
        }
        let _ = bmc.set_boot_override(&BootRequest::once(BootSource::PXE));
        let _ = bmc.clear_boot_override();
        let before = script.asked.lock().unwrap().len();
        let _ = bmc.reset(&ResetType::ForceRestart);
        let posts = |asked: &[Method]| asked.iter().filter(|method| **method == Method::POST).count();
        prop_assert!(posts(&script.asked.lock().unwrap()[before..]) <= 1);
        let _ = bmc.power(PowerAction::Off);
        let _ = bmc.indicator().map(|indicator| assert_ne!(indicator.state(), IndicatorState::On));
        let _ = bmc.set_indicator(IndicatorAction::Blink);
        let _ = bmc.sensors(SensorScope::AllChassis);
        let _ = bmc.events(100);
        let _ = bmc.firmware();
        let _ = bmc.insert_media(&MediaRequest::new("http://a/b.iso"));
        let _ = bmc.clear_events();
        let _ = bmc.diagnose();
        let asked = script.asked.lock().unwrap();
        prop_assert!(asked.len() < 250, "{} requests", asked.len());
    }
}
