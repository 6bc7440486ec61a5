//! Everything else that can be written: LED, logs, virtual media.

use bmc_sim::{BootMode, PartialUpdates};
use serde_json::{Value, json};

use crate::client::{Bench, SYSTEM};

const CD: &str = "/redfish/v1/Managers/1/VirtualMedia/CD";
const INSERT: &str = "/redfish/v1/Managers/1/VirtualMedia/CD/Actions/VirtualMedia.InsertMedia";
const EJECT: &str = "/redfish/v1/Managers/1/VirtualMedia/CD/Actions/VirtualMedia.EjectMedia";
const SEL: &str = "/redfish/v1/Managers/1/LogServices/SEL";

#[test]
fn the_old_and_the_new_led_property_follow_each_other() {
    let bench = Bench::new();
    let mut client = bench.client();
    for path in [SYSTEM, "/redfish/v1/Chassis/1"] {
        let lit = client.patch(path, &json!({"IndicatorLED": "Lit"})).json();
        assert_eq!(lit["LocationIndicatorActive"], true);
        let dark = client.patch(path, &json!({"LocationIndicatorActive": false})).json();
        assert_eq!(dark["IndicatorLED"], "Off");
    }
}

#[test]
fn a_property_of_the_wrong_kind_or_name_is_refused_and_nothing_is_written() {
    let bench = Bench::new();
    let mut client = bench.client();
    for (member, message) in [
        (json!({"IndicatorLED": "Purple"}), "PropertyValueNotInList"),
        (json!({"IndicatorLED": true}), "PropertyValueTypeError"),
        (json!({"LocationIndicatorActive": "true"}), "PropertyValueTypeError"),
        (json!({"Boot": "Pxe"}), "PropertyValueTypeError"),
        (json!({"PowerState": "Off"}), "PropertyNotWritable"),
        (json!({"Nonsense": 1}), "PropertyUnknown"),
    ] {
        let mut body = json!({"AssetTag": "half"});
        body.as_object_mut().unwrap().extend(member.as_object().unwrap().clone());
        let refused = client.patch(SYSTEM, &body);
        assert_eq!((refused.status, refused.message_id().as_str()), (400, message), "{body}");
    }
    assert_eq!(client.patch(SYSTEM, &json!({})).status, 400);
    assert_eq!(client.send("PATCH", SYSTEM, "{\"AssetTag\":").unwrap().status, 400);
    let deep = format!("{{\"Boot\": {}1{}}}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(client.send("PATCH", SYSTEM, &deep).unwrap().status, 400);
    assert_eq!(client.get(SYSTEM).json()["AssetTag"], "");
}

#[test]
fn a_part_may_be_written_with_the_rest_told_beside_the_data_or_as_a_failure() {
    let body = json!({"AssetTag": "half", "Boot": {
        "BootSourceOverrideTarget": "Pxe", "BootSourceOverrideEnabled": "Once", "BootSourceOverrideMode": "UEFI",
    }});
    for (rule, status) in [
        (PartialUpdates::Refused, 400),
        (PartialUpdates::AppliedWithMessages, 200),
        (PartialUpdates::AppliedAndRefused, 400),
    ] {
        let bench = Bench::new();
        bench.bmc.change_rules(|rules| {
            rules.partial_updates = rule;
            rules.boot_mode = BootMode::Refused;
        });
        let reply = bench.client().patch(SYSTEM, &body);
        assert_eq!(reply.status, status, "{rule:?}");
        let pointer = if status == 200 { "" } else { "/error" };
        let told =
            reply.json().pointer(&format!("{pointer}/@Message.ExtendedInfo/0/MessageId")).cloned();
        assert_eq!(told, Some(json!("Base.1.18.PropertyNotWritable")), "{rule:?}");
        let written = rule != PartialUpdates::Refused;
        assert_eq!(bench.bmc.boot().is_pxe(), written, "{rule:?}");
        assert_eq!(bench.bmc.resource(SYSTEM).unwrap()["AssetTag"] == "half", written, "{rule:?}");
        // What is wholly writable, or not at all, is answered as ever.
        assert_eq!(bench.client().patch(SYSTEM, &json!({"AssetTag": "x"})).status, 200);
        assert_eq!(bench.client().patch(SYSTEM, &json!({"PowerState": "Off"})).status, 400);
    }
}

#[test]
fn clearing_a_log_empties_that_log_and_no_other() {
    let bench = Bench::new();
    let mut client = bench.client();
    let entries = format!("{SEL}/Entries");
    assert_eq!(client.get(&entries).json()["Members@odata.count"], 2);
    let target = format!("{SEL}/Actions/LogService.ClearLog");
    assert_eq!(client.post(&target, &json!({})).status, 204);
    assert_eq!(client.get(&entries).json()["Members"], json!([]));
    let other = client.get("/redfish/v1/Managers/1/LogServices/EventLog/Entries").json();
    assert_eq!(other["Members@odata.count"], 1);
}

#[test]
fn a_medium_is_inserted_once_and_ejected() {
    let bench = Bench::new();
    let mut client = bench.client();
    assert_eq!(client.post(INSERT, &json!({})).message_id(), "ActionParameterMissing");
    assert_eq!(
        client.post(INSERT, &json!({"Picture": "x"})).message_id(),
        "ActionParameterUnknown"
    );
    let image = json!({"Image": "http://images/a/rescue.iso", "UserName": "u", "Password": "p"});
    assert_eq!(client.post(INSERT, &image).status, 204);
    let media = client.get(CD).json();
    assert_eq!(
        [&media["Inserted"], &media["ImageName"], &media["ConnectedVia"], &media["Password"]],
        [&json!(true), &json!("rescue.iso"), &json!("URI"), &Value::Null]
    );
    assert_eq!(client.post(INSERT, &image).status, 409);
    assert_eq!(client.send("POST", EJECT, "").unwrap().status, 204);
    let media = client.get(CD).json();
    assert_eq!([&media["Inserted"], &media["Image"]], [&json!(false), &Value::Null]);
}

#[test]
fn a_medium_can_be_inserted_by_patch_too() {
    let bench = Bench::new();
    let mut client = bench.client();
    let media = client.patch(CD, &json!({"Image": "http://images/rescue.iso", "Inserted": true}));
    assert_eq!(media.json()["ImageName"], "rescue.iso");
    let media = client.patch(CD, &json!({"Image": null}));
    assert_eq!(media.json()["Inserted"], false);
}

#[test]
fn a_test_can_change_what_is_served() {
    let bench = Bench::new();
    bench.bmc.merge_resource(SYSTEM, &json!({"Status": {"Health": "Critical"}}));
    let system = bench.client().get(SYSTEM).json();
    assert_eq!(
        system["Status"],
        json!({"State": "Enabled", "Health": "Critical", "HealthRollup": "OK"})
    );
    assert_eq!(bench.bmc.resource("/redfish/v1/Systems/1/").unwrap(), system);
    assert_eq!(bench.bmc.resource("/redfish/v1/Systems/2"), None);
    // Even nonsense is served, and the BMC goes on.
    bench.bmc.merge_resource(SYSTEM, &json!("gone"));
    assert_eq!(bench.client().get(SYSTEM).json(), "gone");
    assert_eq!(bench.client().reset("ForceOff").status, 404);
}
