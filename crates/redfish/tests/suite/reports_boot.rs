//! Public reports about boot overrides and virtual media, each by what went wrong.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use redfish::fake::{Asked, FakeBmc, FakeClock, Fault, Rule};
use redfish::quirk::Quirk;
use redfish::{BootClear, BootRequest, BootSource, Lifetime, MediaRequest, ReadBack, ResourcePath};
use serde_json::{Value, json};

use crate::site::{client, client_by, recording};

const SYSTEM: &str = "/redfish/v1/Systems/1";
const SETTINGS: &str = "/redfish/v1/Systems/1/Settings";

/// Sets one boot from the network, which has to be in place then; the resource that was written.
fn pxe_once(fake: &FakeBmc) -> ResourcePath {
    let written = client(fake).set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap();
    assert!(written.read_back.is_set(), "{written:?}");
    written.resource
}

fn patches(fake: &FakeBmc) -> Vec<Asked> {
    fake.requests().into_iter().filter(|asked| asked.method == Method::PATCH).collect()
}

/// The properties of `Boot` in the only PATCH.
fn only_patch(fake: &FakeBmc) -> Vec<String> {
    let patches = patches(fake);
    let [patch] = patches.as_slice() else { panic!("{:#?}", fake.lines()) };
    patch.body["Boot"].as_object().unwrap().keys().cloned().collect()
}

/// A machine of this maker whose `Boot` is changed.
fn machine(maker: &str, change: impl FnOnce(&mut Value)) -> FakeBmc {
    let fake = FakeBmc::new();
    let mut system = fake.resource(SYSTEM).unwrap();
    system["Manufacturer"] = json!(maker);
    change(&mut system["Boot"]);
    fake.set(SYSTEM, system);
    fake
}

/// The same with a Settings object of this `Boot`.
fn with_settings(fake: FakeBmc, boot: &Value) -> FakeBmc {
    let mut system = fake.resource(SYSTEM).unwrap();
    system["@Redfish.Settings"] = json!({"SettingsObject": {"@odata.id": SETTINGS}});
    fake.set(SYSTEM, system);
    fake.set(SETTINGS, json!({"@odata.id": SETTINGS, "@odata.etag": "\"s\"", "Boot": boot}));
    fake
}

/// ansible issue 56050, Redfish-Tacklebox issue 22.
#[test]
fn lenovo_answered_428_for_no_tag_was_sent() {
    let Some(resources) = recording("lenovo-xcc") else { return };
    let fake = FakeBmc::of_resources(&resources).with_rule(Rule::RequireIfMatch);
    let tag = fake.resource(SYSTEM).unwrap()["@odata.etag"].clone();
    pxe_once(&fake);
    let patches = patches(&fake);
    assert_eq!(patches.len(), 1);
    assert_eq!(json!(patches[0].headers["if-match"].to_str().unwrap()), tag);
}

/// The tag has to be that of the resource that is patched, not of the one it was found by.
#[test]
fn a_settings_object_was_refused_with_the_tag_of_its_system() {
    let carries =
        json!({"BootSourceOverrideTarget": "None", "BootSourceOverrideEnabled": "Disabled"});
    let fake = with_settings(FakeBmc::new(), &carries).with_rule(Rule::RequireIfMatch);
    pxe_once(&fake);
    assert_eq!(patches(&fake)[0].headers["if-match"], "\"s\"");
}

/// community.general issues 3509 and 3690.
#[test]
fn ilo_5_answered_400_for_the_mode_it_has_was_sent_along() {
    for name in ["hpe-ilo5", "hpe-ilo6-dl380a"] {
        let Some(resources) = recording(name) else { return };
        let fake = FakeBmc::of_resources(&resources)
            .with_rule(Rule::ReadOnlyProperty("BootSourceOverrideMode"));
        pxe_once(&fake);
        assert_eq!(only_patch(&fake), ["BootSourceOverrideTarget", "BootSourceOverrideEnabled"]);
    }
}

/// Redfish-Tacklebox issues 111 and 144, metal-operator issue 188.
#[test]
fn megarac_answered_400_for_the_active_resource_was_written() {
    // With the annotation the future state is written at once.
    let Some(resources) = recording("ami-dgx-h100") else { return };
    let future = "/redfish/v1/Systems/DGX/SD";
    let rule = Rule::FutureState("/redfish/v1/Systems/DGX".into(), future.into());
    let fake = FakeBmc::of_resources(&resources).with_rule(rule);
    assert_eq!(pxe_once(&fake).as_str(), future);
    assert_eq!(patches(&fake).len(), 1);

    // Without, the message names it.
    let fake = FakeBmc::new();
    let future = format!("{SYSTEM}/SD");
    fake.set(&future, json!({"@odata.id": future, "Boot": {}}));
    let fake = fake.with_rule(Rule::FutureState(SYSTEM.to_owned(), future.clone()));
    assert_eq!(pxe_once(&fake).as_str(), future);
    assert_eq!(patches(&fake).len(), 2);
}

/// community.general issue 11297, gofish pull request 511, iDRAC-Redfish-Scripting issue 324.
#[test]
fn idrac_10_said_that_boot_is_read_only() {
    // The sources are listed in the Settings object alone.
    let fake = machine("Dell Inc.", |boot| {
        boot.as_object_mut().unwrap().remove("BootSourceOverrideTarget@Redfish.AllowableValues");
    });
    let settings = json!({
        "BootSourceOverrideTarget": "None",
        "BootSourceOverrideEnabled": "Disabled",
        "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe"],
    });
    let fake = with_settings(fake, &settings).with_rule(Rule::ReadOnlyBoot(SYSTEM.to_owned()));
    assert_eq!(pxe_once(&fake).as_str(), SETTINGS);
    assert_eq!(patches(&fake).len(), 1);
    let error = client(&fake).set_boot_override(&BootRequest::once(BootSource::CD)).unwrap_err();
    assert!(error.to_string().contains("there is None, Pxe"), "{error}");
}

/// gofish pull request 519.
#[test]
fn idrac_9_ignored_a_settings_object_that_was_followed_blindly() {
    let settings = json!({"BootOrder": [], "BootSourceOverrideMode": "UEFI", "UefiTargetBootSourceOverride": null});
    let fake = with_settings(machine("Dell Inc.", |_| {}), &settings);
    assert_eq!(pxe_once(&fake).as_str(), SYSTEM);
    assert_eq!(patches(&fake).len(), 1);
}

/// metal-operator issues 80 and 81.
#[test]
fn idrac_9_booted_twice_for_a_mode_that_did_not_change() {
    let fake = machine("Dell Inc.", |_| {});
    pxe_once(&fake);
    assert_eq!(only_patch(&fake), ["BootSourceOverrideTarget", "BootSourceOverrideEnabled"]);

    // A job that the BMC makes of the write is said.
    let fake = machine("Dell Inc.", |_| {});
    let job = "/redfish/v1/TaskService/Tasks/JID_1".to_owned();
    fake.fail_next(Method::PATCH, Fault::AnswerWith(200, vec![("Location", job)], String::new()));
    let request = BootRequest::once(BootSource::PXE);
    let written = client(&fake).set_boot_override(&request).unwrap();
    assert_eq!(written.job.unwrap().id(), "JID_1");
}

/// Redfishtool pull request 106, OpenStack story 2008547, metal-operator pull request 607.
#[test]
fn supermicro_fell_back_to_legacy_for_the_mode_was_left_out() {
    let Some(resources) = recording("supermicro-x13") else { return };
    let fake = FakeBmc::of_resources(&resources).with_rule(Rule::ResetOmitted);
    pxe_once(&fake);
    assert_eq!(fake.resource(SYSTEM).unwrap()["Boot"]["BootSourceOverrideMode"], "UEFI");
    let BootClear::Cleared = client(&fake).clear_boot_override().unwrap() else { panic!() };
    assert_eq!(fake.resource(SYSTEM).unwrap()["Boot"]["BootSourceOverrideMode"], "UEFI");
}

/// metal-operator issue 982.
#[test]
fn another_supermicro_answered_400_for_a_mode_it_does_not_report() {
    let fake = machine("Supermicro", |boot| {
        boot.as_object_mut().unwrap().remove("BootSourceOverrideMode");
    });
    let fake = fake.with_rule(Rule::ReadOnlyProperty("BootSourceOverrideMode"));
    pxe_once(&fake);
    assert_eq!(only_patch(&fake), ["BootSourceOverrideTarget", "BootSourceOverrideEnabled"]);
}

/// ironic bug 2136275, metal-operator issue 997.
#[test]
fn ilo_answered_400_during_the_self_test_and_the_boot_was_given_up() {
    let post = r#"{"error": {"@Message.ExtendedInfo": [{"MessageId": "iLO.2.33.UnableToModifyDuringSystemPOST"}]}}"#;
    let fake = machine("HPE", |_| {});
    for _ in 0..6 {
        fake.fail_next(Method::PATCH, Fault::Answer(400, post.to_owned()));
    }
    let clock = Arc::new(FakeClock::default());
    let request = BootRequest::once(BootSource::PXE);
    let written = client_by(&fake, clock.clone()).set_boot_override(&request).unwrap();
    assert!(written.read_back.is_set());
    assert_eq!(clock.waited(), Duration::from_mins(1));
}

/// ironic bug 2162995, bmclib issue 459, community.general issue 5091.
#[test]
fn dell_kept_its_boot_device_and_success_was_reported() {
    let fake = machine("Dell Inc.", |_| {}).with_rule(Rule::ForgetWrites);
    let request = BootRequest::once(BootSource::PXE);
    let written = client(&fake).set_boot_override(&request).unwrap();
    assert!(matches!(written.read_back, ReadBack::NotTaken(_)), "{written:?}");

    // A target that is said differently in UEFI mode is the same.
    let fake = machine("Dell Inc.", |_| {}).with_rule(Rule::ReadPxeAs("UefiTarget"));
    pxe_once(&fake);
}

/// community.general issue 824.
#[test]
fn an_override_could_only_be_set_for_once() {
    let fake = FakeBmc::new();
    let bmc = client(&fake);
    for (request, lifetime) in [
        (BootRequest::continuous(BootSource::HDD), Lifetime::Continuous),
        (BootRequest::once(BootSource::HDD), Lifetime::Once),
    ] {
        assert!(bmc.set_boot_override(&request).unwrap().read_back.is_set());
        let shown = bmc.boot_override().unwrap();
        assert_eq!(shown.enabled().unwrap().as_str(), lifetime.as_str());
    }
    assert!(matches!(bmc.clear_boot_override().unwrap(), BootClear::Cleared));
    assert_eq!(bmc.boot_override().unwrap().enabled().unwrap().as_str(), "Disabled");
}

/// iDRAC-Redfish-Scripting issue 90, community.general issue 3423.
#[test]
fn dell_booted_its_own_drive_in_place_of_the_virtual_one_and_nobody_said_so() {
    let written = |maker: &str, source: BootSource| {
        let fake = machine(maker, |boot| {
            boot["BootSourceOverrideTarget@Redfish.AllowableValues"] = json!(["Cd", "Pxe"]);
        });
        client(&fake).set_boot_override(&BootRequest::once(source)).unwrap()
    };
    let cautions = written("Dell Inc.", BootSource::CD).cautions;
    assert_eq!(cautions[0].quirk, Quirk::CdIsThePhysicalDrive);
    assert!(cautions[0].observed.contains("ServerBoot.1.FirstBootDevice"));
    assert!(written("Dell Inc.", BootSource::PXE).cautions.is_empty());
    assert!(written("Supermicro", BootSource::CD).cautions.is_empty());
}

/// community.general issue 6969.
#[test]
fn supermicro_had_no_free_slot_for_the_name_of_the_last_image_stayed() {
    let Some(resources) = recording("supermicro-x13") else { return };
    let fake = FakeBmc::of_resources(&resources);
    let slot = "/redfish/v1/Managers/1/VirtualMedia/VirtualMedia1";
    let mut media = fake.resource(slot).unwrap();
    media["ImageName"] = json!("old.iso");
    media["Image"] = json!("http://a/old.iso");
    fake.set(slot, media);
    let change = client(&fake).insert_media(&MediaRequest::new("http://a/new.iso")).unwrap();
    assert!(change.is_done(), "{change:?}");
    assert_eq!(change.shown().unwrap().resource().as_str(), slot);
}
