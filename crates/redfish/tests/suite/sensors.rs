//! Sensors: what is read, in how many requests, and that nothing is made up.

use redfish::fake::{FakeBmc, Rule};
use redfish::{Profile, Sensor, SensorScope};
use serde_json::{Value, json};

use crate::site::{client, recording};

const CHASSIS: &str = "/redfish/v1/Chassis/1";

/// A machine with one chassis that links to these resources.
fn chassis(resources: &[(&str, Value)]) -> FakeBmc {
    let fake = FakeBmc::new();
    let mut system = fake.resource("/redfish/v1/Systems/1").unwrap();
    system["Links"] = json!({"Chassis": [{"@odata.id": CHASSIS}]});
    fake.set("/redfish/v1/Systems/1", system);
    let mut chassis = json!({"@odata.id": CHASSIS});
    for (name, body) in resources {
        let path = format!("{CHASSIS}/{name}");
        if !name.contains('/') {
            chassis[*name] = json!({"@odata.id": path});
        }
        fake.set(&path, body.clone());
    }
    fake.set(CHASSIS, chassis);
    fake
}

/// A `Sensors` collection with one member, announced as one that can be expanded.
fn expandable(vendor: &str) -> FakeBmc {
    let member = format!("{CHASSIS}/Sensors/1");
    let fake = chassis(&[
        ("Sensors", json!({"Members": [{"@odata.id": member}]})),
        (
            "Sensors/1",
            json!({"@odata.id": member, "Name": "CPU", "Reading": 40, "ReadingUnits": "Cel"}),
        ),
    ]);
    let mut root = fake.resource("/redfish/v1").unwrap();
    root["Vendor"] = json!(vendor);
    root["ProtocolFeaturesSupported"]["ExpandQuery"] = json!({"NoLinks": true, "Levels": true});
    fake.set("/redfish/v1", root);
    fake
}

fn read(fake: &FakeBmc) -> Vec<Sensor> {
    client(fake).sensors(SensorScope::System).unwrap()
}

fn line(sensor: &Sensor) -> String {
    let reading = sensor.reading.map_or("unknown".to_owned(), |reading| reading.to_string());
    let unit = sensor.unit.as_deref().unwrap_or("-");
    format!("{}: {reading} {unit} {}", sensor.name, sensor.health.as_deref().unwrap_or("-"))
}

#[test]
fn a_missing_null_or_strange_reading_is_unknown_and_never_zero() {
    let thermal = json!({"Temperatures": [
        {"Name": "missing"},
        {"Name": "null", "ReadingCelsius": null},
        {"Name": "text", "ReadingCelsius": "37"},
        {"Name": "absent", "ReadingCelsius": 0, "Status": {"State": "Absent"}},
        {"Name": "zero", "ReadingCelsius": 0, "Status": {"Health": "OK", "State": "Enabled"}},
        null,
        "bare",
    ]});
    let fake = chassis(&[("Thermal", thermal), ("Power", json!({"Voltages": []}))]);
    let lines: Vec<_> = read(&fake).iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "missing: unknown Cel -",
            "null: unknown Cel -",
            "text: unknown Cel -",
            "absent: unknown Cel -",
            "zero: 0 Cel OK",
        ]
    );
}

#[test]
fn thermal_and_power_are_four_requests_cold() {
    let fake = chassis(&[
        (
            "Thermal",
            json!({"Fans": [{"FanName": "Fan 1", "Reading": 51, "ReadingUnits": "Percent"}]}),
        ),
        ("Power", json!({"Voltages": [{"Name": "12V", "ReadingVolts": 12.1}]})),
        ("Sensors", json!({"Members": []})),
    ]);
    let lines: Vec<_> = read(&fake).iter().map(line).collect();
    assert_eq!(lines, ["Fan 1: 51 % -", "12V: 12.1 V -"]);
    assert_eq!(fake.requests().len(), 4);
}

#[test]
fn supplies_of_the_same_name_are_told_apart() {
    let supply = |member: &str, watts: u32| json!({"Name": "HpeServerPowerSupply", "MemberId": member, "LastPowerOutputWatts": watts});
    let power = json!({"PowerSupplies": [supply("0", 277), supply("1", 260)]});
    let fake = chassis(&[("Thermal", json!({})), ("Power", power)]);
    let lines: Vec<_> = read(&fake).iter().map(line).collect();
    assert_eq!(lines, ["HpeServerPowerSupply 0: 277 W -", "HpeServerPowerSupply 1: 260 W -"]);
}

#[test]
fn sensors_are_expanded_where_that_is_announced_and_trusted_only() {
    let asked = |vendor: &str| {
        let fake = expandable(vendor);
        assert_eq!(read(&fake).iter().map(line).collect::<Vec<_>>(), ["CPU: 40 Cel -"], "{vendor}");
        let expanded = fake.lines().iter().any(|line| line.contains("$expand=.($levels=1)"));
        (expanded, fake.requests().len())
    };
    assert_eq!(asked("Dell Inc."), (true, 4));
    assert_eq!(asked("Lenovo"), (true, 4));
    // GB300 and DGX H100 drop required properties when they expand.
    assert_eq!(asked("NVIDIA"), (false, 5));
    assert_eq!(asked("AMI"), (false, 5));
    assert_eq!(asked("Dellicious"), (false, 5));
}

#[test]
fn a_query_that_is_refused_is_made_without() {
    let fake = expandable("HPE").with_rule(Rule::RefuseExpand);
    assert_eq!(read(&fake).len(), 1);
    assert_eq!(fake.requests().len(), 6);
}

#[test]
fn an_expanded_sensor_without_a_reading_is_read_on_its_own() {
    let fake = expandable("Dell").with_rule(Rule::ExpandDrops("Reading"));
    assert_eq!(line(&read(&fake)[0]), "CPU: 40 Cel -");
}

#[test]
fn a_sensor_that_cannot_be_read_is_unknown_and_the_others_are_shown() {
    let members = json!({"Members": [
        {"@odata.id": format!("{CHASSIS}/Sensors/gone")},
        null,
        {"@odata.id": format!("{CHASSIS}/Sensors/1")},
    ]});
    let fake =
        chassis(&[("Sensors", members), ("Sensors/1", json!({"Name": "CPU", "Reading": 1.5}))]);
    let lines: Vec<_> = read(&fake).iter().map(line).collect();
    assert_eq!(lines, ["gone: unknown - -", "CPU: 1.5 - -"]);
}

#[test]
fn metrics_stand_in_for_what_a_chassis_has_no_list_of() {
    let fake = chassis(&[
        ("Power", json!({"Voltages": [{"Name": "12V", "ReadingVolts": 12}]})),
        (
            "ThermalSubsystem",
            json!({"ThermalMetrics": {"@odata.id": format!("{CHASSIS}/Metrics/T")}}),
        ),
        (
            "Metrics/T",
            json!({"TemperatureReadingsCelsius": [
                {"DeviceName": "Inlet", "Reading": 21},
                {"DataSourceUri": format!("{CHASSIS}/Sensors/96L0"), "Reading": null},
            ]}),
        ),
        (
            "EnvironmentMetrics",
            json!({
                "PowerWatts": {"DataSourceUri": format!("{CHASSIS}/Sensors/total"), "Reading": 614},
                "HumidityPercent": null,
            }),
        ),
    ]);
    let lines: Vec<_> = read(&fake).iter().map(line).collect();
    assert_eq!(lines, ["12V: 12 V -", "Inlet: 21 Cel -", "96L0: unknown Cel -", "total: 614 W -"]);
}

#[test]
fn a_system_without_any_sensor_has_none() {
    assert!(read(&chassis(&[])).is_empty());
    let error = client(&FakeBmc::new()).sensors(SensorScope::System).unwrap_err();
    assert!(error.to_string().ends_with("the BMC shows no sensors"), "{error}");
}

/// Sensors of a recording: how many, of how many requests, and how many are unknown.
fn counted(name: &str, scope: SensorScope) -> Option<String> {
    let fake = FakeBmc::of_resources(&recording(name)?);
    let system = (name == "cray-ex425").then(|| "Node0".to_owned());
    let bmc = client(&fake).with_profile(Profile { system, ..Profile::default() });
    let sensors = bmc.sensors(scope).unwrap();
    let unknown = sensors.iter().filter(|sensor| sensor.reading.is_none()).count();
    Some(format!(
        "{name}: {} sensors, {unknown} unknown, {} requests",
        sensors.len(),
        fake.requests().len()
    ))
}

#[test]
fn every_recorded_machine_shows_its_sensors_in_few_requests() {
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
        let Some(line) = counted(name, SensorScope::System) else { return };
        shown.push(line);
    }
    shown.push(counted("nvidia-gb200", SensorScope::AllChassis).unwrap());
    insta::assert_snapshot!(shown.join("\n"), @"
    ami-dgx-h100: 138 sensors, 14 unknown, 7 requests
    cray-ex425: 56 sensors, 4 unknown, 6 requests
    dell-idrac9-6.00: 63 sensors, 41 unknown, 4 requests
    hpe-ilo5: 62 sensors, 6 unknown, 4 requests
    hpe-ilo6-dl380a: 64 sensors, 24 unknown, 4 requests
    lenovo-xcc: 42 sensors, 7 unknown, 4 requests
    nvidia-gb200: 1 sensors, 0 unknown, 7 requests
    openbmc-stock: 1 sensors, 1 unknown, 4 requests
    supermicro-x13: 65 sensors, 4 unknown, 5 requests
    nvidia-gb200: 68 sensors, 26 unknown, 155 requests
    ");
}

#[test]
fn a_recorded_sensor_shows_what_the_bmc_said() {
    let Some(resources) = recording("dell-idrac9-6.00") else { return };
    let fake = FakeBmc::of_resources(&resources);
    let sensors = read(&fake);
    let named = |name: &str| line(sensors.iter().find(|sensor| sensor.name == name).unwrap());
    assert_eq!(named("CPU1 Temp"), "CPU1 Temp: 37 Cel OK");
    assert_eq!(named("System Board Fan6A"), "System Board Fan6A: 18600 RPM OK");
    assert_eq!(named("System Power Control"), "System Power Control: 614 W -");
    // A power-good sensor: it has a state and no reading.
    assert_eq!(named("CPU2 FIVR PG"), "CPU2 FIVR PG: unknown V OK");
}
