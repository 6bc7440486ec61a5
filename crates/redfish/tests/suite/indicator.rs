//! The indicator LED: which property of which resource, and what is read back.

use http::Method;
use redfish::fake::{FakeBmc, Fault, Rule};
use redfish::{Change, Delivery, ErrorKind, Indicator, IndicatorAction, IndicatorState};
use serde_json::{Value, json};

use crate::site::{client, recording};

const SYSTEM: &str = "/redfish/v1/Systems/1";
const CHASSIS: &str = "/redfish/v1/Chassis/1";

/// A system and its chassis with these properties.
fn with(system: &Value, chassis: &Value) -> FakeBmc {
    let fake = FakeBmc::new();
    let mut resource = fake.resource(SYSTEM).unwrap();
    resource["Links"] = json!({"Chassis": [{"@odata.id": CHASSIS}]});
    add(&mut resource, system);
    fake.set(SYSTEM, resource);
    let mut resource = json!({"@odata.id": CHASSIS});
    add(&mut resource, chassis);
    fake.set(CHASSIS, resource);
    fake
}

fn add(resource: &mut Value, properties: &Value) {
    for (name, value) in properties.as_object().unwrap() {
        resource[name] = value.clone();
    }
}

fn patches(fake: &FakeBmc) -> Vec<String> {
    fake.lines().into_iter().filter(|line| line.starts_with("PATCH")).collect()
}

fn set(fake: &FakeBmc, action: IndicatorAction) -> Change<Indicator> {
    client(fake).set_indicator(action).unwrap()
}

#[test]
fn the_newer_property_is_written_where_both_are_shown_and_never_both() {
    let both = json!({"LocationIndicatorActive": false, "IndicatorLED": "Off"});
    let fake = with(&both, &json!({}));
    let changed = set(&fake, IndicatorAction::On);
    assert!(matches!(changed, Change::Done(_)), "{changed:?}");
    assert_eq!(patches(&fake), [format!(r#"PATCH {SYSTEM} {{"LocationIndicatorActive":true}}"#)]);
}

#[test]
fn false_is_sent_and_not_left_out() {
    let fake = with(&json!({"LocationIndicatorActive": true}), &json!({}));
    assert!(set(&fake, IndicatorAction::Off).is_done());
    assert_eq!(patches(&fake), [format!(r#"PATCH {SYSTEM} {{"LocationIndicatorActive":false}}"#)]);
}

#[test]
fn an_older_service_is_told_lit_off_and_blinking() {
    let fake = with(&json!({"IndicatorLED": "Off"}), &json!({}));
    for (action, word) in [
        (IndicatorAction::On, "Lit"),
        (IndicatorAction::Blink, "Blinking"),
        (IndicatorAction::Off, "Off"),
    ] {
        fake.forget_requests();
        let changed = set(&fake, action);
        assert_eq!(
            changed.shown().unwrap().state(),
            match action {
                IndicatorAction::On => IndicatorState::On,
                IndicatorAction::Off => IndicatorState::Off,
                IndicatorAction::Blink => IndicatorState::Blinking,
            }
        );
        assert_eq!(patches(&fake), [format!(r#"PATCH {SYSTEM} {{"IndicatorLED":"{word}"}}"#)]);
    }
}

#[test]
fn an_led_that_blinks_is_switched_off_by_the_property_that_made_it_blink() {
    let both = json!({"LocationIndicatorActive": false, "IndicatorLED": "Blinking"});
    let fake = with(&both, &json!({}));
    assert_eq!(client(&fake).indicator().unwrap().state(), IndicatorState::Blinking);
    assert!(set(&fake, IndicatorAction::Off).is_done());
    assert_eq!(patches(&fake), [format!(r#"PATCH {SYSTEM} {{"IndicatorLED":"Off"}}"#)]);
}

#[test]
fn openbmc_that_says_of_an_active_led_that_it_blinks_has_it_on() {
    let active = json!({"LocationIndicatorActive": true, "IndicatorLED": "Blinking"});
    let fake = with(&active, &json!({}));
    assert!(matches!(set(&fake, IndicatorAction::On), Change::Already(_)));
    assert!(matches!(set(&fake, IndicatorAction::Blink), Change::Already(_)));
    assert_eq!(client(&fake).indicator().unwrap().state(), IndicatorState::Blinking);
}

#[test]
fn dl360_gen12_has_it_on_its_chassis_only() {
    let fake = with(&json!({}), &json!({"LocationIndicatorActive": false}));
    assert_eq!(client(&fake).indicator().unwrap().resource().as_str(), CHASSIS);
    assert!(set(&fake, IndicatorAction::On).is_done());
    assert_eq!(fake.resource(CHASSIS).unwrap()["LocationIndicatorActive"], true);
    assert!(fake.resource(SYSTEM).unwrap().get("LocationIndicatorActive").is_none());
}

#[test]
fn a_chassis_is_asked_to_blink_where_the_system_cannot_say_so() {
    let fake = with(&json!({"LocationIndicatorActive": false}), &json!({"IndicatorLED": "Off"}));
    assert!(set(&fake, IndicatorAction::Blink).is_done());
    assert_eq!(patches(&fake), [format!(r#"PATCH {CHASSIS} {{"IndicatorLED":"Blinking"}}"#)]);
}

#[test]
fn an_led_that_cannot_blink_is_said_so_and_nothing_is_sent() {
    for system in [
        json!({"LocationIndicatorActive": false}),
        json!({"IndicatorLED": "Off", "IndicatorLED@Redfish.AllowableValues": ["Lit", "Off"]}),
    ] {
        let fake = with(&system, &json!({}));
        let error = client(&fake).set_indicator(IndicatorAction::Blink).unwrap_err();
        insta::allow_duplicates! {
            insta::assert_snapshot!(error, @"exe0001.mgmt.example.org: the BMC shows no indicator LED that blinks");
        }
        assert_eq!(patches(&fake), Vec::<String>::new());
    }
}

#[test]
fn nothing_is_sent_where_it_shows_that_already() {
    let fake = with(&json!({"IndicatorLED": "Lit"}), &json!({}));
    assert!(matches!(set(&fake, IndicatorAction::On), Change::Already(_)));
    assert_eq!(fake.requests().len(), 1);
}

#[test]
fn a_null_or_strange_state_is_never_on_or_off() {
    let fake = with(&json!({"IndicatorLED": null}), &json!({"LocationIndicatorActive": null}));
    let error = client(&fake).indicator().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NotOffered { what: "indicator LED" });
    for (word, shown) in [("Unknown", "unknown"), ("on", "on"), ("Amber", "Amber")] {
        let fake = with(&json!({"IndicatorLED": word}), &json!({}));
        let state = client(&fake).indicator().unwrap().state();
        assert_eq!(state.to_string(), shown);
        assert!(!matches!(state, IndicatorState::On | IndicatorState::Off));
    }
}

#[test]
fn a_property_that_is_not_writable_gives_way_to_the_other() {
    let both = json!({"LocationIndicatorActive": false, "IndicatorLED": "Off"});
    let fake = with(&both, &json!({})).with_rule(Rule::ReadOnlyProperty("LocationIndicatorActive"));
    client(&fake).set_indicator(IndicatorAction::Blink).unwrap().shown().unwrap();
    fake.forget_requests();
    assert!(set(&fake, IndicatorAction::Off).is_done());

    let fake = with(&both, &json!({})).with_rule(Rule::ReadOnlyProperty("LocationIndicatorActive"));
    // The newer property still says false, so that the read-back cannot prove it.
    let changed = set(&fake, IndicatorAction::On);
    assert!(matches!(changed, Change::NotTaken(_)), "{changed:?}");
    assert_eq!(patches(&fake).len(), 2);
}

#[test]
fn a_refusal_for_another_reason_is_final() {
    let fake = with(&json!({"LocationIndicatorActive": false, "IndicatorLED": "Off"}), &json!({}));
    fake.fail_next(Method::PATCH, Fault::Answer(403, String::new()));
    let error = client(&fake).set_indicator(IndicatorAction::On).unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Refused, Delivery::Answered));
    assert_eq!(patches(&fake).len(), 1);
}

#[test]
fn a_write_that_is_taken_and_not_done_is_seen() {
    let fake = with(&json!({"IndicatorLED": "Off"}), &json!({})).with_rule(Rule::ForgetWrites);
    assert!(matches!(set(&fake, IndicatorAction::On), Change::NotTaken(_)));
}

#[test]
fn a_lost_reply_is_settled_by_the_read_back_and_nothing_is_sent_again() {
    let off = json!({"IndicatorLED": "Off"});
    let fake = with(&off, &json!({}));
    fake.fail_next(Method::PATCH, Fault::LoseReply);
    assert!(matches!(set(&fake, IndicatorAction::On), Change::Done(_)));

    let fake = with(&off, &json!({}));
    fake.fail_next(Method::PATCH, Fault::Silent);
    let error = client(&fake).set_indicator(IndicatorAction::On).unwrap_err();
    assert_eq!(error.delivery(), Delivery::PerhapsCarriedOut);
    assert_eq!(patches(&fake).len(), 1);
}

#[test]
fn a_demanded_tag_is_sent() {
    for rules in [
        vec![Rule::RequireIfMatch],
        vec![Rule::RequireIfMatch, Rule::RefuseStar],
        vec![Rule::RefuseIfMatch],
    ] {
        let fake = with(&json!({"IndicatorLED": "Off"}), &json!({}));
        let fake = rules.iter().cloned().fold(fake, FakeBmc::with_rule);
        assert!(set(&fake, IndicatorAction::On).is_done(), "{rules:?}");
    }
}

#[test]
fn every_recorded_led_is_found_and_switched() {
    let mut shown = Vec::new();
    for (name, action) in [
        ("ami-dgx-h100", IndicatorAction::On),
        ("dell-idrac9-6.00", IndicatorAction::Blink),
        ("hpe-ilo5", IndicatorAction::On),
        ("hpe-ilo6-dl380a", IndicatorAction::On),
        ("lenovo-xcc", IndicatorAction::Blink),
        ("nvidia-gb200", IndicatorAction::On),
        ("openbmc-stock", IndicatorAction::On),
        ("supermicro-x13", IndicatorAction::On),
    ] {
        let Some(resources) = recording(name) else { return };
        let fake = FakeBmc::of_resources(&resources).with_rule(Rule::RequireIfMatch);
        let before = client(&fake).indicator().unwrap().state();
        let changed = set(&fake, action);
        assert!(matches!(changed, Change::Done(_)), "{name}: {changed:?}");
        let patches = patches(&fake);
        let patch = patches.last().unwrap().replace("/redfish/v1/Systems", "~");
        shown.push(format!("{name}: {before}; {patch}"));
    }
    insta::assert_snapshot!(shown.join("\n"), @r#"
    ami-dgx-h100: off; PATCH ~/DGX {"IndicatorLED":"Lit"}
    dell-idrac9-6.00: on; PATCH ~/System.Embedded.1 {"IndicatorLED":"Blinking"}
    hpe-ilo5: off; PATCH ~/1 {"IndicatorLED":"Lit"}
    hpe-ilo6-dl380a: off; PATCH ~/1 {"LocationIndicatorActive":true}
    lenovo-xcc: off; PATCH ~/1 {"IndicatorLED":"Blinking"}
    nvidia-gb200: off; PATCH ~/System_0 {"LocationIndicatorActive":true}
    openbmc-stock: off; PATCH ~/system {"LocationIndicatorActive":true}
    supermicro-x13: off; PATCH ~/1 {"LocationIndicatorActive":true}
    "#);
}

#[test]
fn words_of_the_command_line_are_exact() {
    assert_eq!("blink".parse::<IndicatorAction>(), Ok(IndicatorAction::Blink));
    assert!("Blinking".parse::<IndicatorAction>().is_err());
}
