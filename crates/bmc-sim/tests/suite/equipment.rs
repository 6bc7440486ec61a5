//! Light, sensors, logs, firmware, media: what changes when something is done.

use bmc_sim::{Bmc, Power};
use serde_json::{Value, json};

use crate::client::{Bench, SYSTEM};
use crate::recordings::{bench as recorded, folder};

const CHASSIS: &str = "/redfish/v1/Chassis/1";
const SEL: &str = "/redfish/v1/Managers/1/LogServices/SEL";

#[test]
fn system_and_chassis_show_one_light_in_either_word() {
    let bench = Bench::new();
    let light = |path: &str| {
        let body = bench.client().get(path).json();
        (body["IndicatorLED"].clone(), body["LocationIndicatorActive"].clone())
    };
    assert_eq!(bench.client().patch(SYSTEM, &json!({"IndicatorLED": "Blinking"})).status, 200);
    assert_eq!(light(CHASSIS), (json!("Blinking"), json!(true)));
    let off = json!({"LocationIndicatorActive": false});
    assert_eq!(bench.client().patch(CHASSIS, &off).status, 200);
    assert_eq!(light(SYSTEM), (json!("Off"), json!(false)));
    assert_eq!(bench.client().patch(SYSTEM, &json!({"IndicatorLED": "Green"})).status, 400);
}

#[test]
fn a_light_that_only_the_chassis_has_is_written_there() {
    let Some(bench) = recorded("hpe-ilo6-dl380a") else { return };
    let on = json!({"LocationIndicatorActive": true});
    assert_eq!(bench.client().patch(CHASSIS, &on).status / 100, 2);
    assert_eq!(bench.client().get(CHASSIS).json()["LocationIndicatorActive"], true);
    assert!(bench.client().get(CHASSIS).json().get("IndicatorLED").is_none());
}

#[test]
fn what_happens_to_a_machine_is_logged_until_the_log_is_cleared() {
    let bench = Bench::new();
    let entries = || bench.client().get(&format!("{SEL}/Entries")).json();
    assert_eq!(entries()["Members@odata.count"], 2);
    bench.client().reset("ForceOff");
    bench.client().reset("On");
    let logged = entries();
    let last = logged["Members"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&logged["Members@odata.count"], &last["Id"]), (&json!(4), &json!("4")));
    assert_eq!(last["Message"], "Power on");
    let path = last["@odata.id"].as_str().unwrap();
    assert_eq!(bench.client().get(path).json()["Created"], last["Created"]);

    let clear = format!("{SEL}/Actions/LogService.ClearLog");
    assert_eq!(bench.client().post(&clear, &json!({})).status, 204);
    assert_eq!(entries()["Members"], json!([]));
    assert_eq!(bench.client().get(path).status, 404);
    let other = "/redfish/v1/Managers/1/LogServices/EventLog/Entries";
    assert_ne!(bench.client().get(other).json()["Members"], json!([]));
}

#[test]
fn the_log_forgets_the_oldest_when_it_is_full() {
    let bench = Bench::new();
    let mut client = bench.client();
    for _ in 0..520 {
        client.reset("ForceRestart");
    }
    let entries = client.get(&format!("{SEL}/Entries")).json();
    assert_eq!(entries["Members@odata.count"], 512);
    assert_eq!(entries["Members"][0]["Id"], "11");
}

#[test]
fn a_machine_that_is_off_turns_no_fan_and_draws_no_power() {
    let bench = Bench::new();
    let readings = || {
        let read = |path: &str, pointer: &str| {
            bench.client().get(&format!("{CHASSIS}/{path}")).json().pointer(pointer).cloned()
        };
        [
            read("Thermal", "/Fans/0/Reading"),
            read("Thermal", "/Temperatures/0/ReadingCelsius"),
            read("Power", "/PowerControl/0/PowerConsumedWatts"),
            read("Sensors/TotalPower", "/Reading"),
            read("Sensors/Inlet", "/Reading"),
        ]
        .map(Option::unwrap)
    };
    assert_eq!(readings(), [5400, 22, 212, 212, 22].map(Value::from));
    bench.client().reset("ForceOff");
    assert_eq!(readings(), [0, 22, 0, 0, 22].map(Value::from));
    bench.client().reset("On");
    assert_eq!(readings(), [5400, 22, 212, 212, 22].map(Value::from));
}

#[test]
fn recorded_sensors_rest_too() {
    let Some(bench) = recorded("dell-idrac9-6.00") else { return };
    let power = "/redfish/v1/Chassis/System.Embedded.1/Power";
    let drawn = || bench.client().get(power).json()["PowerControl"][0]["PowerConsumedWatts"].take();
    assert!(drawn().as_f64().unwrap() > 0.0);
    let target = "/redfish/v1/Systems/System.Embedded.1/Actions/ComputerSystem.Reset";
    bench.client().post(target, &json!({"ResetType": "ForceOff"}));
    assert_eq!((bench.bmc.power(), drawn()), (Some(Power::Off), json!(0)));
}

#[test]
fn the_firmware_inventory_comes_in_one_request_where_it_is_expanded() {
    let bench = Bench::new();
    let all = bench.client().get("/redfish/v1/UpdateService/FirmwareInventory?$expand=.").json();
    let versions: Vec<_> =
        all["Members"].as_array().unwrap().iter().map(|it| &it["Version"]).collect();
    assert_eq!(versions, ["1.0.0", "1.0"]);
}

/// Drives of recordings: by the action where there is one, else by a PATCH of the image.
#[test]
fn a_recorded_drive_takes_a_medium_and_gives_it_back() {
    let Some(folder) = folder() else { return };
    let mut tried = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let tree = bmc_sim::Tree::recording(entry.unwrap().path()).unwrap();
        let bench = Bench::of(Bmc::builder().tree(tree));
        let mut client = bench.client().with("If-Match", "*");
        for manager in members(&bench, "/redfish/v1/Managers") {
            for drive in members(&bench, &format!("{manager}/VirtualMedia")) {
                let body = client.get(&drive).json();
                let action = |name: &str| {
                    body.pointer(&format!("/Actions/#VirtualMedia.{name}/target"))
                        .and_then(Value::as_str)
                        .map(str::to_owned)
                };
                let image = json!({"Image": "http://boot/x.iso"});
                let inserted = match action("InsertMedia") {
                    Some(target) => client.post(&target, &image).status,
                    None => client.patch(&drive, &image).status,
                };
                assert_eq!(inserted / 100, 2, "{drive}: {inserted}");
                let shown = client.get(&drive).json();
                assert_eq!((&shown["Inserted"], &shown["Image"]), (&json!(true), &image["Image"]));
                let ejected = match action("EjectMedia") {
                    Some(target) => client.post(&target, &json!({})).status,
                    None => client.patch(&drive, &json!({"Image": null})).status,
                };
                assert_eq!(ejected / 100, 2, "{drive}: {ejected}");
                assert_eq!(client.get(&drive).json()["Inserted"], false, "{drive}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 8, "{tried}");
}

fn members(bench: &Bench, collection: &str) -> Vec<String> {
    let body = bench.bmc.resource(collection).unwrap_or_default();
    let members = body["Members"].as_array().cloned().unwrap_or_default();
    let path = |member: &Value| Some(member["@odata.id"].as_str()?.to_owned());
    let paths = members.iter().filter_map(path);
    paths.filter(|path| bench.bmc.resource(path).is_some()).collect()
}
