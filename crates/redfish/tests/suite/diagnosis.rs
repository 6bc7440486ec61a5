//! What a BMC can do and what would be sent, found out by reading alone.

use http::Method;
use redfish::fake::{FakeBmc, Fault, Rule};
use redfish::{
    BootRequest, BootSource, ErrorKind, MachineDiagnosis, Planned, PowerAction, Profile, ResetType,
};
use serde_json::json;

use crate::site::{client, recording};

fn line(planned: &Planned) -> String {
    let tag = planned.if_match.as_ref().map(|tag| format!(" [{tag}]")).unwrap_or_default();
    format!("{} {} {}{tag}", planned.method, planned.path, planned.body)
        .replace("/redfish/v1/Systems", "~")
        .replace("BootSourceOverride", "")
        .replace("/Actions/ComputerSystem.Reset", "")
}

fn shown(machine: &MachineDiagnosis) -> String {
    let mut lines = Vec::new();
    match &machine.boot {
        Some(boot) => {
            let tags: Vec<_> =
                boot.if_match.iter().map(|tag| tag.as_deref().unwrap_or("none")).collect();
            lines.push(format!("shown: {}; If-Match: {}", boot.shown, tags.join(", ")));
            lines.push(match &boot.pxe_once {
                Ok(planned) => line(planned),
                Err(kind) => kind.to_string(),
            });
        }
        None => lines.push("no boot override".to_owned()),
    }
    for (action, planned) in &machine.power {
        let planned = match planned {
            Ok(planned) if planned.is_empty() => "nothing".to_owned(),
            Ok(planned) => planned.iter().map(line).collect::<Vec<_>>().join(", then "),
            Err(kind) => kind.to_string(),
        };
        lines.push(format!("{action}: {planned}"));
    }
    lines.extend(machine.quirks.iter().map(|row| format!("{:?}", row.quirk)));
    lines.join("\n")
}

/// The diagnosis of a recording, which is never changed by it.
fn diagnosed(name: &str) -> Option<String> {
    let fake = FakeBmc::of_resources(&recording(name)?);
    let system = (name == "cray-ex425").then(|| "Node0".to_owned());
    let bmc = client(&fake).with_profile(Profile { system, ..Profile::default() });
    let diagnosis = bmc.diagnose().unwrap();
    assert!(fake.requests().iter().all(|asked| asked.method == Method::GET), "{name}");
    Some(shown(&diagnosis.machine.unwrap()))
}

#[test]
fn dgx_h100_shows_its_future_state_and_that_it_can_neither_cycle_nor_interrupt() {
    let Some(shown) = diagnosed("ami-dgx-h100") else { return };
    insta::assert_snapshot!(shown, @r#"
    shown: none; If-Match: "1720574208", *, none
    PATCH ~/DGX/SD {"Boot":{"Target":"Pxe","Enabled":"Once","Mode":"UEFI"}} ["1720574208"]
    on: nothing
    off: POST ~/DGX {"ResetType":"ForceOff"}
    soft: POST ~/DGX {"ResetType":"GracefulShutdown"}
    cycle: POST ~/DGX {"ResetType":"ForceOff"}, then POST ~/DGX {"ResetType":"On"}
    reset: POST ~/DGX {"ResetType":"ForceRestart"}
    reset-or-on: POST ~/DGX {"ResetType":"ForceRestart"}
    nmi: reset type Nmi is not offered; there is ForceOff, ForceRestart, GracefulShutdown, On
    WholeBootObject
    SettingsTakeOverride
    OnlyUefi
    WantsAnyTag
    "#);
}

#[test]
fn cray_is_shut_down_by_off_and_has_no_boot_override() {
    let Some(shown) = diagnosed("cray-ex425") else { return };
    insta::assert_snapshot!(shown, @r#"
    no boot override
    on: nothing
    off: POST ~/Node0 {"ResetType":"ForceOff"}
    soft: POST ~/Node0 {"ResetType":"Off"}
    cycle: POST ~/Node0 {"ResetType":"ForceOff"}, then POST ~/Node0 {"ResetType":"On"}
    reset: POST ~/Node0 {"ResetType":"ForceOff"}, then POST ~/Node0 {"ResetType":"On"}
    reset-or-on: POST ~/Node0 {"ResetType":"ForceOff"}, then POST ~/Node0 {"ResetType":"On"}
    nmi: reset type Nmi is not offered; there is ForceOff, On, Off
    "#);
}

#[test]
fn supermicro_is_sent_all_three_properties() {
    let Some(shown) = diagnosed("supermicro-x13") else { return };
    insta::assert_snapshot!(shown, @r#"
    shown: none; If-Match: "a0a7128477b3552049bdbf0d3286de78", *, none
    PATCH ~/1 {"Boot":{"Target":"Pxe","Enabled":"Once","Mode":"UEFI"}} ["a0a7128477b3552049bdbf0d3286de78"]
    on: nothing
    off: POST ~/1 {"ResetType":"ForceOff"}
    soft: POST ~/1 {"ResetType":"GracefulShutdown"}
    cycle: POST ~/1 {"ResetType":"ForceOff"}, then POST ~/1 {"ResetType":"On"}
    reset: POST ~/1 {"ResetType":"ForceRestart"}
    reset-or-on: POST ~/1 {"ResetType":"ForceRestart"}
    nmi: POST ~/1 {"ResetType":"Nmi"}
    WholeBootObject
    PxeReadsAsUefiBootNext
    "#);
}

#[test]
fn lenovo_is_sent_its_tag() {
    let Some(shown) = diagnosed("lenovo-xcc") else { return };
    insta::assert_snapshot!(shown, @r#"
    shown: none; If-Match: "387fcecc167782f0b7edb1", *, none
    PATCH ~/1 {"Boot":{"Target":"Pxe","Enabled":"Once"}} ["387fcecc167782f0b7edb1"]
    on: nothing
    off: POST ~/1 {"ResetType":"ForceOff"}
    soft: POST ~/1 {"ResetType":"GracefulShutdown"}
    cycle: POST ~/1 {"ResetType":"ForceOff"}, then POST ~/1 {"ResetType":"On"}
    reset: POST ~/1 {"ResetType":"ForceRestart"}
    reset-or-on: POST ~/1 {"ResetType":"ForceRestart"}
    nmi: POST ~/1 {"ResetType":"Nmi"}
    "#);
}

#[test]
fn what_is_planned_is_what_is_sent_on_every_recording() {
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
        let system = (name == "cray-ex425").then(|| "Node0".to_owned());
        let profile = Profile { system, ..Profile::default() };
        for action in PowerAction::ALL {
            let fake = FakeBmc::of_resources(&resources);
            let bmc = client(&fake).with_profile(profile.clone());
            let planned = bmc.plan_power(action);
            assert!(fake.requests().iter().all(|asked| asked.method == Method::GET));
            let fake = FakeBmc::of_resources(&resources);
            let done = client(&fake).with_profile(profile.clone()).power(action);
            let sent: Vec<_> = fake
                .requests()
                .into_iter()
                .filter(|asked| asked.method == Method::POST)
                .map(|asked| asked.line())
                .collect();
            match planned {
                Ok(planned) => {
                    let planned: Vec<_> = planned
                        .iter()
                        .map(|it| format!("{} {} {}", it.method, it.path, it.body))
                        .collect();
                    let _done = done.unwrap();
                    // Without an inline list a type that is not offered may have been sent first.
                    let is_planned = sent.ends_with(&planned) && sent.len() <= planned.len() + 1;
                    assert!(is_planned, "{name} {action}: {sent:?}, planned {planned:?}");
                }
                Err(error) => assert_eq!(error.kind(), done.unwrap_err().kind(), "{name} {action}"),
            }
        }
        let request = BootRequest::once(BootSource::PXE);
        let fake = FakeBmc::of_resources(&resources);
        let planned = client(&fake).with_profile(profile.clone()).plan_boot_override(&request);
        let written = client(&fake).with_profile(profile.clone()).set_boot_override(&request);
        match planned {
            Ok(planned) => {
                let _written = written.unwrap();
                let write =
                    fake.requests().into_iter().find(|it| it.method == Method::PATCH).unwrap();
                let sent = (write.target, write.body);
                assert_eq!(sent, (planned.path.to_string(), planned.body), "{name}");
                let tag = write.headers.get("if-match").map(|tag| tag.to_str().unwrap());
                assert_eq!(tag, planned.if_match.as_deref(), "{name}");
            }
            Err(error) => assert_eq!(error.kind(), written.unwrap_err().kind()),
        }
    }
}

#[test]
fn a_machine_that_cannot_be_told_is_part_of_the_diagnosis() {
    let Some(resources) = recording("cray-ex425") else { return };
    let fake = FakeBmc::of_resources(&resources);
    let diagnosis = client(&fake).diagnose().unwrap();
    let error = diagnosis.machine.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SeveralSystems { .. }), "{error:?}");

    let fake = FakeBmc::new().with_account("admin", "another");
    let diagnosis = client(&fake).diagnose().unwrap();
    assert!(diagnosis.machine.unwrap_err().is_unauthorized());
    assert!(diagnosis.service.knows_only());
    assert_eq!(fake.requests().len(), 2, "a wrong password is tried once");
}

#[test]
fn a_bmc_that_cannot_be_reached_has_no_diagnosis() {
    let fake = FakeBmc::new();
    fake.fail_next(Method::GET, Fault::Unreachable);
    assert!(client(&fake).diagnose().unwrap_err().is_unreachable());
}

#[test]
fn a_profile_shows_in_what_would_be_sent() {
    let fake = FakeBmc::new().with_rule(Rule::RequireIfMatch);
    let reset_types = Some(vec![ResetType::On, ResetType::ForceOff]);
    let profile = Profile {
        name: "old".to_owned(),
        reset_types,
        close_connections: true,
        ..Profile::default()
    };
    let machine = client(&fake).with_profile(profile).diagnose().unwrap().machine.unwrap();
    assert!(machine.closes_connections);
    let planned = |action| {
        let (_, planned) = machine.power.iter().find(|(known, _)| *known == action).unwrap();
        planned.as_ref().map(|planned| planned.iter().map(line).collect::<Vec<_>>().join(", "))
    };
    assert_eq!(
        planned(PowerAction::Reset),
        Ok(r#"POST ~/1 {"ResetType":"ForceOff"}, POST ~/1 {"ResetType":"On"}"#.to_owned())
    );
    let refused = planned(PowerAction::Soft).unwrap_err();
    assert!(refused.to_string().contains("by profile old"), "{refused}");
}

#[test]
fn a_machine_that_is_off_is_switched_on_by_a_cycle_and_needs_no_off() {
    let fake = FakeBmc::new();
    let mut system = fake.resource("/redfish/v1/Systems/1").unwrap();
    system["PowerState"] = json!("Off");
    fake.set("/redfish/v1/Systems/1", system);
    let bmc = client(&fake);
    assert_eq!(bmc.plan_power(PowerAction::Off).unwrap(), []);
    let planned = bmc.plan_power(PowerAction::Cycle).unwrap();
    assert_eq!(line(&planned[0]), r#"POST ~/1 {"ResetType":"On"}"#);
}
