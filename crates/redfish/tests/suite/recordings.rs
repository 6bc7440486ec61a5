//! Every recorded BMC: what is chosen, what is sent, and in how many requests.

use redfish::fake::{FakeBmc, Rule};
use redfish::{
    BootRequest, BootSource, ErrorKind, PowerAction, PowerState, Profile, ReadBack, ResetType,
};

use crate::site::{client, recording};

/// A one-time network boot and a reset of an unknown BMC, request by request.
fn reinstall(name: &str, rules: &[Rule], profile: Profile) -> Option<Vec<String>> {
    let mut fake = FakeBmc::of_resources(&recording(name)?);
    for rule in rules {
        fake = fake.with_rule(rule.clone());
    }
    let bmc = client(&fake).with_profile(profile);
    let written = bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap();
    assert!(matches!(written.read_back, ReadBack::Set(_)), "{written:?}");
    let _sent = bmc.power(PowerAction::Reset).unwrap();
    let line = |asked: &redfish::fake::Asked| {
        let tag = asked.headers.get("if-match").map(|tag| format!(" [{}]", tag.to_str().unwrap()));
        let line =
            asked.line().replace("/redfish/v1/Systems", "~").replace("BootSourceOverride", "");
        format!("{line}{}", tag.unwrap_or_default())
    };
    Some(fake.requests().iter().map(line).collect())
}

fn reinstalls_with(name: &str, rules: &[Rule], requests: &[&str]) {
    if let Some(sent) = reinstall(name, rules, Profile::default()) {
        assert_eq!(sent, requests);
    }
}

#[test]
fn idrac_9_takes_target_and_lifetime_without_the_mode() {
    reinstalls_with(
        "dell-idrac9-6.00",
        &[],
        &[
            "GET ~?only",
            r#"PATCH ~/System.Embedded.1 {"Boot":{"Target":"Pxe","Enabled":"Once"}}"#,
            "GET ~/System.Embedded.1",
            r#"POST ~/System.Embedded.1/Actions/ComputerSystem.Reset {"ResetType":"ForceRestart"}"#,
        ],
    );
}

#[test]
fn ilo_refuses_the_mode_and_is_not_sent_it() {
    for name in ["hpe-ilo5", "hpe-ilo6-dl380a"] {
        let rules = [Rule::ReadOnlyProperty("BootSourceOverrideMode")];
        let Some(sent) = reinstall(name, &rules, Profile::default()) else { return };
        assert_eq!(sent.len(), 4);
        assert!(sent[1].starts_with(r#"PATCH ~/1 {"Boot":{"Target":"Pxe","Enabled":"Once"}} [W/"#));
    }
}

#[test]
fn xcc_demands_the_tag_and_its_pending_object_takes_no_override() {
    reinstalls_with(
        "lenovo-xcc",
        &[Rule::RequireIfMatch],
        &[
            "GET ~?only",
            "GET ~/1/Pending",
            r#"PATCH ~/1 {"Boot":{"Target":"Pxe","Enabled":"Once"}} ["387fcecc167782f0b7edb1"]"#,
            "GET ~/1",
            r#"POST ~/1/Actions/ComputerSystem.Reset {"ResetType":"ForceRestart"}"#,
        ],
    );
}

#[test]
fn supermicro_that_reports_the_mode_is_sent_all_three_properties() {
    reinstalls_with(
        "supermicro-x13",
        &[Rule::RequireProperty("BootSourceOverrideMode")],
        &[
            "GET ~?only",
            "GET ~/1",
            r#"PATCH ~/1 {"Boot":{"Target":"Pxe","Enabled":"Once","Mode":"UEFI"}} ["a0a7128477b3552049bdbf0d3286de78"]"#,
            "GET ~/1",
            r#"POST ~/1/Actions/ComputerSystem.Reset {"ResetType":"ForceRestart"}"#,
        ],
    );
}

#[test]
fn dgx_h100_is_written_in_its_future_state_and_its_baseboard_is_left_alone() {
    reinstalls_with(
        "ami-dgx-h100",
        &[
            Rule::RequireIfMatch,
            Rule::RequireProperty("BootSourceOverrideMode"),
            Rule::FutureState(
                "/redfish/v1/Systems/DGX".into(),
                "/redfish/v1/Systems/DGX/SD".into(),
            ),
        ],
        &[
            "GET ~?only",
            "GET ~/DGX",
            r#"PATCH ~/DGX/SD {"Boot":{"Target":"Pxe","Enabled":"Once","Mode":"UEFI"}} [*]"#,
            "GET ~/DGX/SD",
            r#"POST ~/DGX/Actions/ComputerSystem.Reset {"ResetType":"ForceRestart"}"#,
        ],
    );
}

#[test]
fn gb200_is_written_in_its_settings_object() {
    reinstalls_with(
        "nvidia-gb200",
        &[],
        &[
            "GET ~?only",
            "GET ~/System_0",
            r#"PATCH ~/System_0/Settings {"Boot":{"Target":"Pxe","Enabled":"Once"}}"#,
            "GET ~/System_0/Settings",
            r#"POST ~/System_0/Actions/ComputerSystem.Reset {"ResetType":"ForceRestart"}"#,
        ],
    );
}

#[test]
fn openbmc_takes_the_plain_request() {
    reinstalls_with(
        "openbmc-stock",
        &[],
        &[
            "GET ~?only",
            r#"PATCH ~/system {"Boot":{"Target":"Pxe","Enabled":"Once"}}"#,
            "GET ~/system",
            r#"POST ~/system/Actions/ComputerSystem.Reset {"ResetType":"ForceRestart"}"#,
        ],
    );
}

#[test]
fn a_configured_path_saves_the_search_on_every_bmc() {
    for (name, system, requests) in [
        ("ami-dgx-h100", "DGX", 4),
        ("nvidia-gb200", "System_0", 4),
        ("supermicro-x13", "1", 4),
        ("lenovo-xcc", "1", 5),
        ("hpe-ilo5", "1", 4),
        ("dell-idrac9-6.00", "System.Embedded.1", 4),
        ("openbmc-stock", "system", 4),
    ] {
        let system = Some(format!("/redfish/v1/Systems/{system}"));
        let profile = Profile { system, ..Profile::default() };
        let Some(sent) = reinstall(name, &[], profile) else { return };
        assert_eq!(sent.len(), requests, "{name}: {sent:#?}");
    }
}

#[test]
fn every_recorded_machine_says_its_power_state() {
    for name in [
        "ami-dgx-h100",
        "nvidia-gb200",
        "supermicro-x13",
        "lenovo-xcc",
        "hpe-ilo5",
        "hpe-ilo6-dl380a",
        "dell-idrac9-6.00",
        "openbmc-stock",
    ] {
        let Some(resources) = recording(name) else { return };
        let expected = if name == "openbmc-stock" { PowerState::Off } else { PowerState::On };
        let fake = FakeBmc::of_resources(&resources);
        assert_eq!(client(&fake).power_state().unwrap(), expected, "{name}");
    }
}

#[test]
fn a_cray_blade_has_two_nodes_and_neither_is_guessed() {
    let Some(resources) = recording("cray-ex425") else { return };
    let fake = FakeBmc::of_resources(&resources);
    let error = client(&fake).power_state().unwrap_err();
    let offered = vec!["Node0".to_owned(), "Node1".to_owned()];
    assert_eq!(*error.kind(), ErrorKind::SeveralSystems { offered });
}

#[test]
fn a_cray_node_that_is_named_is_switched_but_has_no_boot_override() {
    let Some(resources) = recording("cray-ex425") else { return };
    let fake = FakeBmc::of_resources(&resources);
    let profile = Profile { system: Some("Node1".to_owned()), ..Profile::default() };
    let bmc = client(&fake).with_profile(profile);
    let error = bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NoBootOverride);
    assert!(fake.requests().iter().all(|asked| asked.method == http::Method::GET));

    let outcome = bmc.power(PowerAction::Soft).unwrap();
    assert!(format!("{outcome:?}").contains("Off"), "{outcome:?}");
    assert_eq!(fake.resource("/redfish/v1/Systems/Node1").unwrap()["PowerState"], "Off");
    assert_eq!(fake.resource("/redfish/v1/Systems/Node0").unwrap()["PowerState"], "On");
}

#[test]
fn a_bmc_that_forbids_everything_has_refused() {
    let Some(resources) = recording("forbidden-403") else { return };
    let fake = FakeBmc::of_resources(&resources);
    let error = client(&fake).power_state().unwrap_err();
    assert_eq!((error.kind(), error.status()), (&ErrorKind::Refused, Some(403)));
    assert!(!error.is_unauthorized());
    assert_eq!(fake.requests().len(), 1);
}

#[test]
fn reset_types_are_those_the_bmc_lists_inline() {
    let types = |name: &str| -> Option<Vec<String>> {
        let fake = FakeBmc::of_resources(&recording(name)?);
        let system = client(&fake).system().unwrap();
        Some(system.reset_types().unwrap_or_default().iter().map(ToString::to_string).collect())
    };
    let Some(dell) = types("dell-idrac9-6.00") else { return };
    assert_eq!(
        dell,
        [
            "On",
            "ForceOff",
            "ForceRestart",
            "GracefulRestart",
            "GracefulShutdown",
            "PushPowerButton",
            "Nmi",
            "PowerCycle",
        ]
    );
    assert!(!types("hpe-ilo5").unwrap().contains(&"PowerCycle".to_owned()));
    assert_eq!(types("lenovo-xcc").unwrap().len(), 7);
    assert_eq!(types("supermicro-x13").unwrap(), Vec::<String>::new());
}

#[test]
fn the_list_of_reset_types_elsewhere_is_read_after_a_refusal_only() {
    let Some(resources) = recording("ami-dgx-h100") else { return };
    let fake = FakeBmc::of_resources(&resources);
    let bmc = client(&fake);
    let error = bmc.reset(&ResetType::PowerCycle).unwrap_err();
    let ErrorKind::ResetTypeNotOffered { offered, .. } = error.kind() else { panic!("{error:?}") };
    assert_eq!(offered.len(), 4);
    assert!(fake.lines().last().unwrap().ends_with("ResetActionInfo"));
    fake.forget_requests();

    // Known by now: refused before anything is sent.
    bmc.reset(&ResetType::PowerCycle).unwrap_err();
    assert_eq!(fake.lines(), Vec::<String>::new());
}

#[test]
fn hpe_is_given_a_connection_for_each_request() {
    let Some(resources) = recording("hpe-ilo5") else { return };
    let fake = FakeBmc::of_resources(&resources);
    let bmc = client(&fake);
    bmc.power_state().unwrap();
    let _accepted = bmc.reset(&ResetType::ForceRestart).unwrap();
    let fresh: Vec<_> = fake.requests().iter().map(|asked| asked.fresh_connection).collect();
    assert_eq!(fresh, [false, true]);
}
