//! The system event log: found, read and cleared, and no other log touched.

use http::Method;
use redfish::fake::{FakeBmc, Fault, Rule};
use redfish::{Accepted, Delivery, ErrorKind, Profile};
use serde_json::{Value, json};

use crate::site::{client, recording};

const SYSTEM: &str = "/redfish/v1/Systems/1";

/// A machine with these logs: path, `LogEntryType`, entries.
fn logs(logs: &[(&str, Option<&str>, &[Value])]) -> FakeBmc {
    let fake = FakeBmc::new();
    let mut system = fake.resource(SYSTEM).unwrap();
    system["Links"] = json!({"ManagedBy": [{"@odata.id": "/redfish/v1/Managers/1"}]});
    let mut manager = json!({"@odata.id": "/redfish/v1/Managers/1", "FirmwareVersion": "1"});
    for (path, kind, entries) in logs {
        let services = path.rsplit_once('/').unwrap().0;
        let mut collection = fake.resource(services).unwrap_or(json!({"Members": []}));
        collection["Members"].as_array_mut().unwrap().push(json!({"@odata.id": path}));
        fake.set(services, collection);
        let owner = if path.contains("Systems") { &mut system } else { &mut manager };
        owner["LogServices"] = json!({"@odata.id": services});
        let actions = json!({"#LogService.ClearLog": {"target": format!("{path}/Actions/LogService.ClearLog")}});
        let entries_path = format!("{path}/Entries");
        fake.set(
            path,
            json!({
                "@odata.id": path, "LogEntryType": kind, "Actions": actions,
                "Entries": {"@odata.id": entries_path},
            }),
        );
        fake.set(&entries_path, json!({"Members": entries, "Members@odata.count": entries.len()}));
    }
    fake.set(SYSTEM, system);
    fake.set("/redfish/v1/Managers/1", manager);
    fake
}

fn entry(id: u32) -> Value {
    json!({"@odata.id": format!("/redfish/v1/e/{id}"), "Id": id.to_string(), "Created": "2026-01-01T00:00:00Z",
        "Severity": "OK", "Message": format!("Event {id}")})
}

fn posts(fake: &FakeBmc) -> Vec<String> {
    fake.lines().into_iter().filter(|line| line.starts_with("POST")).collect()
}

#[test]
fn the_log_called_sel_is_the_one_wherever_it_is() {
    let fake = logs(&[
        ("/redfish/v1/Systems/1/LogServices/BIOS", Some("SEL"), &[]),
        ("/redfish/v1/Managers/1/LogServices/AuditLog", Some("Event"), &[]),
        ("/redfish/v1/Managers/1/LogServices/SEL", Some("SEL"), &[entry(1)]),
    ]);
    let log = client(&fake).events(10).unwrap();
    assert_eq!(log.log.as_str(), "/redfish/v1/Managers/1/LogServices/SEL");
    assert_eq!((log.events[0].message.as_str(), log.is_complete), ("Event 1", true));
}

#[test]
fn only_the_system_event_log_is_cleared_and_nothing_else_is_wiped() {
    let fake = logs(&[
        ("/redfish/v1/Systems/1/LogServices/Dump", None, &[entry(1)]),
        ("/redfish/v1/Systems/1/LogServices/PostCodes", None, &[entry(2)]),
        ("/redfish/v1/Systems/1/LogServices/SEL", Some("SEL"), &[entry(3), entry(4)]),
        ("/redfish/v1/Systems/1/LogServices/EventLog", None, &[entry(5)]),
    ]);
    let cleared = client(&fake).clear_events().unwrap();
    assert_eq!((cleared.accepted, cleared.left), (Accepted::Done, Some(0)));
    assert_eq!(
        posts(&fake),
        ["POST /redfish/v1/Systems/1/LogServices/SEL/Actions/LogService.ClearLog {}"]
    );
    for log in ["Dump", "PostCodes", "EventLog"] {
        let entries = fake.resource(&format!("{SYSTEM}/LogServices/{log}/Entries")).unwrap();
        assert_eq!(entries["Members@odata.count"], 1, "{log}");
    }
}

#[test]
fn dumps_alone_are_no_system_event_log_and_are_not_cleared() {
    let fake = logs(&[
        ("/redfish/v1/Systems/1/LogServices/Dump", None, &[entry(1)]),
        ("/redfish/v1/Managers/1/LogServices/Journal", None, &[entry(1)]),
    ]);
    let error = client(&fake).clear_events().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NotOffered { what: "system event log" });
    assert_eq!(posts(&fake), Vec::<String>::new());
}

#[test]
fn of_two_logs_of_supermicro_the_one_of_type_sel_is_taken() {
    let fake = logs(&[
        ("/redfish/v1/Systems/1/LogServices/Log1", Some("OEM"), &[]),
        ("/redfish/v1/Managers/1/LogServices/Log1", Some("SEL"), &[entry(1)]),
    ]);
    assert!(client(&fake).events(10).unwrap().log.as_str().contains("Managers"));
}

#[test]
fn pages_are_followed_up_to_the_bound_and_a_loop_ends() {
    let sel = "/redfish/v1/Systems/1/LogServices/SEL";
    let fake = logs(&[(sel, Some("SEL"), &[entry(1), entry(2)])]);
    let entries = format!("{sel}/Entries");
    let next = format!("{entries}?$skip=2");
    let mut page = fake.resource(&entries).unwrap();
    page["Members@odata.nextLink"] = json!(next);
    // The fake knows no query: the next page is the first again, for ever.
    fake.set(&entries, page);
    let log = client(&fake).events(7).unwrap();
    assert_eq!((log.events.len(), log.is_complete), (7, false));
    let log = client(&fake).events(1_000_000).unwrap();
    assert!(!log.is_complete);
    assert!(fake.requests().len() < 150, "{}", fake.requests().len());
}

#[test]
fn entries_that_are_links_are_read() {
    let sel = "/redfish/v1/Systems/1/LogServices/SEL";
    let fake = logs(&[(sel, Some("SEL"), &[json!({"@odata.id": "/redfish/v1/e/1"})])]);
    fake.set("/redfish/v1/e/1", entry(1));
    assert_eq!(client(&fake).events(10).unwrap().events[0].message, "Event 1");
}

#[test]
fn an_entry_without_a_message_is_shown_by_its_id_and_on_one_line() {
    let sel = "/redfish/v1/Systems/1/LogServices/SEL";
    let entries = [
        json!({"Id": "1", "MessageId": "iLOEvents.3.7.ServerResetDetected", "Name": "Event"}),
        json!({"Id": "2", "Message": "a\u{1b}[31m\nb", "Severity": null}),
        json!({}),
    ];
    let fake = logs(&[(sel, Some("SEL"), &entries)]);
    let events = client(&fake).events(10).unwrap().events;
    let texts: Vec<_> = events.iter().map(|event| event.message.as_str()).collect();
    assert_eq!(texts, ["iLOEvents.3.7.ServerResetDetected", "a [31m b", ""]);
    assert_eq!(events[1].severity, None);
}

#[test]
fn clearing_whose_reply_is_lost_is_unknown_and_not_sent_again() {
    let fake = logs(&[("/redfish/v1/Systems/1/LogServices/SEL", Some("SEL"), &[entry(1)])]);
    fake.fail_next(Method::POST, Fault::Silent);
    let error = client(&fake).clear_events().unwrap_err();
    assert_eq!(error.delivery(), Delivery::PerhapsCarriedOut);
    assert_eq!(posts(&fake).len(), 1);
}

#[test]
fn what_is_left_in_the_log_is_said() {
    let fake = logs(&[("/redfish/v1/Systems/1/LogServices/SEL", Some("SEL"), &[entry(1)])]);
    let fake = fake.with_rule(Rule::ForgetWrites);
    assert_eq!(client(&fake).clear_events().unwrap().left, Some(1));
}

#[test]
fn a_log_that_cannot_be_cleared_is_said_so() {
    let sel = "/redfish/v1/Systems/1/LogServices/SEL";
    let fake = logs(&[(sel, Some("SEL"), &[])]);
    let mut service = fake.resource(sel).unwrap();
    service["Actions"] = json!({});
    fake.set(sel, service);
    let error = client(&fake).clear_events().unwrap_err();
    insta::assert_snapshot!(error, @"exe0001.mgmt.example.org: the BMC shows no way to clear the system event log");
}

/// The log of a recording, and what clearing it posts.
fn recorded(name: &str) -> Option<String> {
    let fake = FakeBmc::of_resources(&recording(name)?);
    let system = (name == "cray-ex425").then(|| "Node0".to_owned());
    let bmc = client(&fake).with_profile(Profile { system, ..Profile::default() });
    // Some recordings are cut above the entries.
    let log = match bmc.events(1000) {
        Ok(log) => format!("{} entries", log.events.len()),
        Err(error) => match error.kind() {
            ErrorKind::NotFound { path } => format!("entries at {path}"),
            kind => return Some(format!("{name}: {kind}")),
        },
    };
    let requests = fake.requests().len();
    let path = match bmc.clear_events() {
        Ok(cleared) => cleared.log.to_string(),
        // The fake cannot clear what it has no entries of.
        Err(_) => posts(&fake).join(""),
    };
    Some(format!("{name}: {log}, {requests} requests; {}", path.replace("/redfish/v1/", "")))
}

#[test]
fn every_recorded_machine_shows_its_system_event_log() {
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
        let Some(line) = recorded(name) else { return };
        shown.push(line);
    }
    insta::assert_snapshot!(shown.join("\n"), @r#"
    ami-dgx-h100: entries at /redfish/v1/Managers/BMC/LogServices/SEL/Entries, 7 requests; POST Managers/BMC/LogServices/SEL/Actions/LogService.ClearLog {}
    cray-ex425: entries at /redfish/v1/Managers/BMC/LogServices/SEL/Entries, 8 requests; POST Managers/BMC/LogServices/SEL/Actions/LogService.ClearLog {"ClearType":"ClearAll"}
    dell-idrac9-6.00: entries at /redfish/v1/Managers/iDRAC.Embedded.1/LogServices/Sel/Entries, 5 requests; POST Managers/iDRAC.Embedded.1/LogServices/Sel/Actions/LogService.ClearLog {}
    hpe-ilo5: 5 entries, 4 requests; Systems/1/LogServices/IML
    hpe-ilo6-dl380a: entries at /redfish/v1/Systems/1/LogServices/IML/Entries, 4 requests; POST Systems/1/LogServices/IML/Actions/LogService.ClearLog {}
    lenovo-xcc: 5 entries, 5 requests; Systems/1/LogServices/PlatformLog
    nvidia-gb200: 10 entries, 5 requests; Systems/System_0/LogServices/SEL
    openbmc-stock: 0 entries, 4 requests; Systems/system/LogServices/EventLog
    supermicro-x13: 82 entries, 5 requests; Systems/1/LogServices/Log1
    "#);
}
