//! The firmware inventory.

use http::Method;
use redfish::fake::{FakeBmc, Fault, Rule};
use redfish::{ErrorKind, Firmware};
use serde_json::{Value, json};

use crate::site::{client, recording};

const INVENTORY: &str = "/redfish/v1/UpdateService/FirmwareInventory";

fn inventory(vendor: Option<&str>, components: &[Value]) -> FakeBmc {
    let fake = FakeBmc::new();
    let mut members = Vec::new();
    for component in components {
        let path = format!("{INVENTORY}/{}", component["Id"].as_str().unwrap());
        members.push(json!({"@odata.id": path}));
        let mut component = component.clone();
        component["@odata.id"] = json!(path);
        fake.set(&path, component);
    }
    fake.set(INVENTORY, json!({"Members": members}));
    let mut root = fake.resource("/redfish/v1").unwrap();
    root["Vendor"] = json!(vendor);
    root["ProtocolFeaturesSupported"]["ExpandQuery"] = json!({"NoLinks": true});
    fake.set("/redfish/v1", root);
    fake
}

fn lines(inventory: &[Firmware]) -> Vec<String> {
    let version = |it: &Firmware| it.version.clone().unwrap_or("unknown".to_owned());
    inventory.iter().map(|it| format!("{} {}", it.id, version(it))).collect()
}

#[test]
fn an_inventory_that_is_expanded_takes_two_requests() {
    let components =
        [json!({"Id": "BIOS", "Version": "1.2"}), json!({"Id": "BMC", "Version": "3"})];
    let fake = inventory(Some("HPE"), &components);
    assert_eq!(lines(&client(&fake).firmware().unwrap()), ["BIOS 1.2", "BMC 3"]);
    assert_eq!(fake.lines(), ["GET /redfish/v1/", &format!("GET {INVENTORY}?$expand=.")]);

    let fake = inventory(Some("NVIDIA"), &components);
    assert_eq!(lines(&client(&fake).firmware().unwrap()), ["BIOS 1.2", "BMC 3"]);
    assert_eq!(fake.requests().len(), 4);
}

#[test]
fn a_version_that_is_missing_or_null_is_unknown_and_one_that_was_dropped_is_read() {
    let components = [
        json!({"Id": "A", "Version": null}),
        json!({"Id": "B"}),
        json!({"Id": "C", "Version": ""}),
        json!({"Id": "D", "Version": 7}),
    ];
    let fake = inventory(Some("Dell"), &components);
    let unknown = ["A unknown", "B unknown", "C unknown", "D unknown"];
    assert_eq!(lines(&client(&fake).firmware().unwrap()), unknown);

    let fake = inventory(Some("Dell"), &[json!({"Id": "A", "Version": "1"})]);
    let fake = fake.with_rule(Rule::ExpandDrops("Version"));
    assert_eq!(lines(&client(&fake).firmware().unwrap()), ["A 1"]);
}

#[test]
fn what_dell_lists_twice_is_shown_once_and_rollback_images_stay() {
    let component = |id: &str| json!({"Id": id, "Version": "1"});
    let ids = ["Installed-0-1__A", "Current-0-1__A", "Current-0-1__B", "Previous-0-1__A"];
    let fake = inventory(Some("Dell"), &ids.map(component));
    assert_eq!(
        lines(&client(&fake).firmware().unwrap()),
        ["Installed-0-1__A 1", "Current-0-1__B 1", "Previous-0-1__A 1"]
    );
}

#[test]
fn without_an_inventory_manager_and_system_are_asked() {
    let fake = FakeBmc::new();
    fake.set("/redfish/v1/Managers", json!({"Members": [{"@odata.id": "/redfish/v1/Managers/1"}]}));
    fake.set("/redfish/v1/Managers/1", json!({"FirmwareVersion": "2.81"}));
    assert_eq!(lines(&client(&fake).firmware().unwrap()), ["BMC 2.81", "BIOS 1.0"]);
}

#[test]
fn an_inventory_elsewhere_is_found_by_the_update_service() {
    let fake = FakeBmc::new();
    fake.set(
        "/redfish/v1/UpdateService",
        json!({"FirmwareInventory": {"@odata.id": "/redfish/v1/FW"}}),
    );
    fake.set("/redfish/v1/FW", json!({"Members": [{"@odata.id": "/redfish/v1/FW/1"}]}));
    fake.set("/redfish/v1/FW/1", json!({"Version": "9"}));
    assert_eq!(lines(&client(&fake).firmware().unwrap()), ["1 9"]);
}

#[test]
fn an_inventory_that_is_forbidden_is_no_empty_one() {
    let fake = inventory(None, &[]);
    // The root is open.
    fake.fail_next(Method::GET, Fault::Answer(200, r#"{"RedfishVersion": "1.0.0"}"#.to_owned()));
    fake.fail_next(Method::GET, Fault::Answer(403, String::new()));
    let error = client(&fake).firmware().unwrap_err();
    assert_eq!((error.kind(), error.status()), (&ErrorKind::Refused, Some(403)));
}

#[test]
fn a_password_that_is_refused_with_the_query_is_not_tried_again_without() {
    for status in [401, 403] {
        let fake = inventory(Some("Dell"), &[]);
        let bmc = client(&fake);
        bmc.service().unwrap();
        fake.fail_next(Method::GET, Fault::Answer(status, String::new()));
        assert_eq!(bmc.firmware().unwrap_err().status(), Some(status));
        assert_eq!(fake.requests().len(), 2, "{status}");
    }
}

#[test]
fn every_recorded_inventory_is_read_in_few_requests_where_it_is_expanded() {
    let mut shown = Vec::new();
    for name in [
        "ami-dgx-h100",
        "cray-ex425",
        "dell-idrac9-6.00",
        "hpe-ilo5",
        "hpe-ilo6-dl380a",
        "lenovo-xcc",
        "nvidia-gb200",
        "openbmc-stock",
        "supermicro-x13",
    ] {
        let Some(resources) = recording(name) else { return };
        let fake = FakeBmc::of_resources(&resources);
        let inventory = client(&fake).firmware().unwrap();
        let (components, requests) = (inventory.len(), fake.requests().len());
        let first = lines(&inventory)[0].clone();
        shown.push(format!("{name}: {components} components, {requests} requests; {first}"));
    }
    insta::assert_snapshot!(shown.join("\n"), @"
    ami-dgx-h100: 66 components, 68 requests; CPLDMB_0 0.2.1.8
    cray-ex425: 11 components, 13 requests; Node1.HPCNet0 1.5.27
    dell-idrac9-6.00: 23 components, 2 requests; Installed-0-2.1.3__Disk.Bay.0:Enclosure.Internal.0-1 2.1.3
    hpe-ilo5: 48 components, 2 requests; 1 2.72 Sep 04 2022
    hpe-ilo6-dl380a: 34 components, 2 requests; 1 1.66 Dec 13 2024
    lenovo-xcc: 43 components, 2 requests; BMC-Primary 42S-2.83
    nvidia-gb200: 30 components, 32 requests; CX7_0 28.42.1234
    openbmc-stock: 1 components, 3 requests; 5d0869c4 2.15.0-dev-686-g100c36de90
    supermicro-x13: 106 components, 2 requests; BMC 11.01.01
    ");
}
