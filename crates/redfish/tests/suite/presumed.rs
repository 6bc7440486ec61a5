//! Boot overrides on firmware that is known to take them in its Settings object: what is presumed
//! saves a read, and never the proof.

use http::Method;
use redfish::fake::{FakeBmc, Fault, Rule};
use redfish::{BootMode, BootRequest, BootSource, Delivery, ErrorKind, ModeOption, ReadBack};
use serde_json::{Value, json};

use crate::site::client;

const SYSTEM: &str = "/redfish/v1/Systems/1";
const SETTINGS: &str = "/redfish/v1/Systems/1/Settings";

/// A machine of NVIDIA with a Settings object of this `Boot`.
fn nvidia(settings: &Value) -> FakeBmc {
    let fake = FakeBmc::new();
    let mut system = fake.resource(SYSTEM).unwrap();
    system["Oem"] = json!({"Nvidia": {}});
    system["@Redfish.Settings"] = json!({"SettingsObject": {"@odata.id": SETTINGS}});
    fake.set(SYSTEM, system);
    fake.set(SETTINGS, json!({"@odata.id": SETTINGS, "Boot": settings}));
    fake
}

fn takes_it() -> Value {
    json!({"BootSourceOverrideTarget": "None", "BootSourceOverrideEnabled": "Disabled"})
}

fn pxe_once() -> BootRequest {
    BootRequest::once(BootSource::PXE)
}

fn lines(fake: &FakeBmc) -> Vec<String> {
    let lines = fake.lines().into_iter();
    lines.map(|line| line.split(" {").next().unwrap().replace(SYSTEM, "~")).collect()
}

#[test]
fn the_settings_object_is_written_before_it_was_read_and_read_back() {
    let fake = nvidia(&takes_it());
    let written = client(&fake).set_boot_override(&pxe_once()).unwrap();
    assert!(matches!(written.read_back, ReadBack::Set(_)), "{written:?}");
    assert_eq!(
        lines(&fake),
        ["GET /redfish/v1/Systems?only", "PATCH ~/Settings", "GET ~/Settings"]
    );
}

#[test]
fn what_was_read_back_is_what_is_known_then() {
    let mut settings = takes_it();
    settings["BootSourceOverrideTarget@Redfish.AllowableValues"] = json!(["None", "Pxe"]);
    let fake = nvidia(&settings);
    let bmc = client(&fake);
    let _written = bmc.set_boot_override(&pxe_once()).unwrap();
    assert_eq!(bmc.known().boot_resource().unwrap().as_str(), SETTINGS);
    let error = bmc.set_boot_override(&BootRequest::once(BootSource::HDD)).unwrap_err();
    assert!(error.to_string().ends_with("there is None, Pxe"), "{error}");
}

#[test]
fn firmware_that_does_not_take_it_there_after_all_is_written_as_its_resources_say() {
    // A Settings object that ignores the write, one that refuses it, and one that is not there.
    for (settings, rule) in [
        (json!({"BootOrder": []}), Rule::ForgetBoot(SETTINGS.to_owned())),
        (json!({"BootOrder": []}), Rule::ReadOnlyBoot(SETTINGS.to_owned())),
        (Value::Null, Rule::ReadOnlyBoot(SETTINGS.to_owned())),
    ] {
        let fake = nvidia(&settings).with_rule(rule);
        let written = client(&fake).set_boot_override(&pxe_once()).unwrap();
        assert!(written.read_back.is_set(), "{written:?}");
        assert_eq!(written.resource.as_str(), SYSTEM);
    }
}

#[test]
fn a_tag_that_is_demanded_is_read_and_sent() {
    let fake = nvidia(&takes_it()).with_rule(Rule::RequireIfMatch);
    assert!(client(&fake).set_boot_override(&pxe_once()).unwrap().read_back.is_set());
}

#[test]
fn a_source_that_is_not_listed_and_a_mode_that_is_asked_for_are_not_presumed() {
    let fake = nvidia(&takes_it());
    let unlisted = BootRequest::once(BootSource::UEFI_HTTP);
    let error = client(&fake).set_boot_override(&unlisted).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::BootSourceNotOffered { .. }), "{error:?}");
    assert!(fake.requests().iter().all(|asked| asked.method == Method::GET));

    fake.forget_requests();
    let legacy = pxe_once().with_mode(ModeOption::Set(BootMode::Legacy));
    let _written = client(&fake).set_boot_override(&legacy).unwrap();
    assert_eq!(lines(&fake)[..2], ["GET /redfish/v1/Systems?only", "GET ~/Settings"]);
}

#[test]
fn a_lost_reply_is_settled_by_the_read_back_and_nothing_is_written_again() {
    let fake = nvidia(&takes_it());
    fake.fail_next(Method::PATCH, Fault::LoseReply);
    assert!(client(&fake).set_boot_override(&pxe_once()).unwrap().read_back.is_set());

    let fake = nvidia(&takes_it());
    fake.fail_next(Method::PATCH, Fault::Silent);
    let error = client(&fake).set_boot_override(&pxe_once()).unwrap_err();
    assert_eq!(error.delivery(), Delivery::PerhapsCarriedOut);
    let writes = fake.requests().iter().filter(|asked| asked.method == Method::PATCH).count();
    assert_eq!(writes, 1);

    let fake = nvidia(&takes_it());
    fake.fail_next(Method::PATCH, Fault::Unreachable);
    let error = client(&fake).set_boot_override(&pxe_once()).unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Unreachable, Delivery::NotSent));
}

#[test]
fn a_refused_password_is_not_tried_again() {
    let fake = nvidia(&takes_it());
    fake.fail_next(Method::PATCH, Fault::Answer(401, String::new()));
    let error = client(&fake).set_boot_override(&pxe_once()).unwrap_err();
    assert!(error.is_unauthorized());
    assert_eq!(fake.requests().len(), 2);
}

#[test]
fn a_read_back_that_fails_leaves_the_write_unverified() {
    let fake = nvidia(&takes_it());
    let bmc = client(&fake);
    bmc.power_state().unwrap();
    // The system, then the read-back.
    let system = fake.resource(SYSTEM).unwrap().to_string();
    fake.fail_next(Method::GET, Fault::Answer(200, system));
    fake.fail_next(Method::GET, Fault::Silent);
    let written = bmc.set_boot_override(&pxe_once()).unwrap();
    let ReadBack::Unverified(error) = &written.read_back else { panic!("{written:?}") };
    assert_eq!(error.delivery(), Delivery::Answered);
}
