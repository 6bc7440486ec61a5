//! The boot override: written, read back, consumed.

use std::sync::Arc;

use bmc_sim::{
    Action, Bmc, BootMode, BootOverride, BootSource, BootWrites, Disabling, MemoryMachine,
    OverrideEnabled, ReadBack, Reply, Rules, Tree,
};
use serde_json::{Value, json};

use crate::client::{Bench, SYSTEM};

const SETTINGS: &str = "/redfish/v1/Systems/1/Settings";

fn once(target: &str) -> Value {
    json!({"Boot": {"BootSourceOverrideTarget": target, "BootSourceOverrideEnabled": "Once"}})
}

fn with_mode(target: &str, mode: &str) -> Value {
    let mut body = once(target);
    body["Boot"]["BootSourceOverrideMode"] = json!(mode);
    body
}

/// Enabled and target, as a GET shows them.
fn shown(bench: &Bench, path: &str) -> (String, String) {
    let boot = bench.client().get(path).json()["Boot"].take();
    let word = |name: &str| boot[name].as_str().unwrap_or_default().to_owned();
    (word("BootSourceOverrideEnabled"), word("BootSourceOverrideTarget"))
}

fn words(enabled: &str, target: &str) -> (String, String) {
    (enabled.to_owned(), target.to_owned())
}

fn with_rules(change: impl FnOnce(&mut Rules)) -> Bench {
    let bench = Bench::new();
    bench.bmc.change_rules(change);
    bench
}

#[test]
fn a_once_override_is_read_back_tells_the_machine_and_is_gone() {
    let machine = Arc::new(MemoryMachine::default());
    let bench = Bench::of(Bmc::builder().machine(Arc::clone(&machine) as _));
    let reply = bench.client().patch(SYSTEM, &once("Pxe"));
    assert_eq!(reply.json()["Boot"]["BootSourceOverrideTarget"], "Pxe");
    assert_eq!(shown(&bench, SYSTEM), words("Once", "Pxe"));
    let held = bench.bmc.boot_override().unwrap();
    assert_eq!((held.enabled, held.target.as_str()), (OverrideEnabled::Once, "Pxe"));

    bench.client().reset("ForceRestart");
    bench.client().reset("ForceRestart");
    let boots: Vec<bool> =
        machine.actions().iter().filter_map(Action::boot).map(BootSource::is_pxe).collect();
    assert_eq!(boots, [true, false]);
    assert_eq!(shown(&bench, SYSTEM), words("Disabled", "None"));
}

#[test]
fn a_shutdown_leaves_the_override_for_the_next_boot() {
    let machine = Arc::new(MemoryMachine::default());
    let bench = Bench::of(Bmc::builder().machine(Arc::clone(&machine) as _));
    bench.client().patch(SYSTEM, &once("Pxe"));
    bench.client().reset("ForceOff");
    assert_eq!(shown(&bench, SYSTEM), words("Once", "Pxe"));
    bench.client().reset("On");
    assert!(machine.actions()[1].boot().unwrap().is_pxe());
}

#[test]
fn a_continuous_override_stays_until_it_is_disabled() {
    let bench = Bench::new();
    let body = json!({"Boot": {"BootSourceOverrideTarget": "Hdd", "BootSourceOverrideEnabled": "Continuous"}});
    bench.client().patch(SYSTEM, &body);
    let targets: Vec<_> = (0..2).map(|_| bench.bmc.boot().target).collect();
    assert_eq!(targets, [Some("Hdd".to_owned()), Some("Hdd".to_owned())]);
    let off = json!({"Boot": {"BootSourceOverrideEnabled": "Disabled"}});
    assert_eq!(bench.client().patch(SYSTEM, &off).status, 200);
    assert_eq!(shown(&bench, SYSTEM), words("Disabled", "Hdd"));
    assert_eq!(bench.bmc.boot().target, None);
}

#[test]
fn an_override_that_is_not_acceptable_is_refused_whole() {
    let bench = Bench::new();
    let mut client = bench.client();
    for (boot, message) in [
        (json!({"BootSourceOverrideTarget": "Tape"}), "PropertyValueNotInList"),
        (json!({"BootSourceOverrideTarget": null}), "PropertyValueNotInList"),
        (
            json!({"BootSourceOverrideTarget": "Pxe", "BootSourceOverrideEnabled": "Twice"}),
            "PropertyValueNotInList",
        ),
        (
            json!({"BootSourceOverrideTarget": "Pxe", "BootSourceOverrideMode": "BIOS"}),
            "PropertyValueNotInList",
        ),
        (json!({"BootSourceOverrideTarget": "Pxe", "Nonsense": 1}), "PropertyUnknown"),
        (json!({"BootOrder": "Boot0000"}), "PropertyNotWritable"),
    ] {
        let refused = client.patch(SYSTEM, &json!({ "Boot": boot }));
        assert_eq!((refused.status, refused.message_id().as_str()), (400, message), "{boot}");
    }
    assert_eq!(shown(&bench, SYSTEM), words("Disabled", "None"));
}

#[test]
fn an_http_boot_brings_its_uri_to_the_machine() {
    let bench = Bench::new();
    let mut body = once("UefiHttp");
    body["Boot"]["HttpBootUri"] = json!("http://boot/ipxe.efi");
    assert_eq!(bench.client().patch(SYSTEM, &body).status, 200);
    let source = bench.bmc.boot();
    assert_eq!(source.http_boot_uri.as_deref(), Some("http://boot/ipxe.efi"));
    assert_eq!(bench.bmc.boot().http_boot_uri, None);
}

#[test]
fn the_boot_order_can_be_written_beside_the_override() {
    let bench = Bench::new();
    let mut body = once("Pxe");
    body["Boot"]["BootOrder"] = json!(["Boot0000", "Boot0001"]);
    let boot = bench.client().patch(SYSTEM, &body).json()["Boot"].take();
    assert_eq!(boot["BootOrder"], json!(["Boot0000", "Boot0001"]));
    assert_eq!(boot["BootSourceOverrideTarget"], "Pxe");
}

#[test]
fn the_mode_may_be_required_refused_or_fall_to_legacy() {
    let bench = with_rules(|rules| rules.boot_mode = BootMode::Required);
    let refused = bench.client().patch(SYSTEM, &once("Pxe"));
    assert_eq!((refused.status, refused.message_id().as_str()), (400, "PropertyMissing"));
    assert_eq!(bench.client().patch(SYSTEM, &with_mode("Pxe", "UEFI")).status, 200);

    let bench = with_rules(|rules| rules.boot_mode = BootMode::Refused);
    let refused = bench.client().patch(SYSTEM, &with_mode("Pxe", "UEFI"));
    assert_eq!((refused.status, refused.message_id().as_str()), (400, "PropertyNotWritable"));
    assert_eq!(bench.client().patch(SYSTEM, &once("Pxe")).status, 200);

    let bench = with_rules(|rules| rules.boot_mode = BootMode::FallsToLegacy);
    let fallen = bench.client().patch(SYSTEM, &once("Pxe")).json();
    assert_eq!(fallen["Boot"]["BootSourceOverrideMode"], "Legacy");
    let kept = bench.client().patch(SYSTEM, &with_mode("Pxe", "UEFI")).json();
    assert_eq!(kept["Boot"]["BootSourceOverrideMode"], "UEFI");
}

#[test]
fn a_read_back_may_lie_while_the_next_boot_does_not() {
    for (rule, read, boots) in [
        (ReadBack::AsWritten, words("Once", "Pxe"), true),
        (ReadBack::Continuous, words("Continuous", "Pxe"), true),
        (ReadBack::UefiBootNext, words("Once", "UefiBootNext"), true),
        (ReadBack::NotStored, words("Disabled", "None"), false),
    ] {
        let bench = with_rules(|rules| rules.read_back = rule);
        assert_eq!(bench.client().patch(SYSTEM, &once("Pxe")).status, 200);
        assert_eq!(shown(&bench, SYSTEM), read, "{rule:?}");
        assert_eq!(bench.bmc.boot().is_pxe(), boots, "{rule:?}");
        assert!(!bench.bmc.boot().is_pxe(), "{rule:?}");
    }
}

#[test]
fn a_read_only_override_cannot_be_written() {
    let bench = with_rules(|rules| rules.boot_writes = BootWrites::None);
    let refused = bench.client().patch(SYSTEM, &once("Pxe"));
    assert_eq!((refused.status, refused.message_id().as_str()), (400, "PropertyNotWritable"));
}

#[test]
fn disabling_may_need_a_target() {
    let bench = with_rules(|rules| rules.disabling = Disabling::WithTarget);
    let off = json!({"Boot": {"BootSourceOverrideEnabled": "Disabled"}});
    assert_eq!(bench.client().patch(SYSTEM, &off).status, 400);
    bench.client().patch(SYSTEM, &once("Pxe"));
    let both = json!({"Boot": {"BootSourceOverrideEnabled": "Disabled", "BootSourceOverrideTarget": "None"}});
    assert_eq!(bench.client().patch(SYSTEM, &both).status, 400);
    assert_eq!(bench.client().patch(SYSTEM, &off).status, 200);
}

#[test]
fn with_a_settings_object_the_system_keeps_showing_what_was_until_the_boot() {
    let bench = Bench::of(Bmc::builder().tree(Tree::built_in().with_settings_object()));
    let refused = bench.client().patch(SYSTEM, &once("Pxe"));
    assert_eq!((refused.status, refused.message_id().as_str()), (400, "PropertyNotWritable"));
    assert_eq!(bench.client().patch(SETTINGS, &once("Pxe")).status, 200);
    assert_eq!(shown(&bench, SETTINGS), words("Once", "Pxe"));
    assert_eq!(shown(&bench, SYSTEM), words("Disabled", "None"));
    assert!(bench.bmc.boot().is_pxe());
    assert_eq!(shown(&bench, SETTINGS), words("Disabled", "None"));

    let keep = json!({"Boot": {"BootSourceOverrideTarget": "Hdd", "BootSourceOverrideEnabled": "Continuous"}});
    bench.client().patch(SETTINGS, &keep);
    assert_eq!(shown(&bench, SYSTEM), words("Disabled", "None"));
    bench.bmc.boot();
    assert_eq!(shown(&bench, SYSTEM), words("Continuous", "Hdd"));
}

#[test]
fn the_refusal_may_name_the_settings_object_and_either_may_be_writable() {
    let bench = Bench::of(Bmc::builder().tree(Tree::built_in().with_settings_object()));
    bench.bmc.change_rules(|rules| rules.boot_writes = BootWrites::SettingsNamed);
    let refused = bench.client().patch(SYSTEM, &once("Pxe"));
    assert_eq!(refused.message_id(), "OperationSupportedInFutureStateURI");
    let named = "/error/@Message.ExtendedInfo/0/MessageArgs/1";
    assert_eq!(refused.json().pointer(named), Some(&json!(SETTINGS)));

    bench.bmc.change_rules(|rules| rules.boot_writes = BootWrites::Both);
    assert_eq!(bench.client().patch(SYSTEM, &once("Pxe")).status, 200);
    assert_eq!(bench.client().patch(SETTINGS, &once("Hdd")).status, 200);
    assert_eq!(shown(&bench, SYSTEM), words("Once", "Hdd"));

    bench.bmc.change_rules(|rules| rules.boot_writes = BootWrites::System);
    assert_eq!(bench.client().patch(SETTINGS, &once("Pxe")).status, 400);
}

#[test]
fn a_patch_is_answered_in_every_known_shape() {
    for (reply, status, empty) in [
        (Reply::Resource, 200, false),
        (Reply::NoContent, 204, true),
        (Reply::Empty, 200, true),
        (Reply::Message, 200, false),
        (Reply::Task, 202, false),
    ] {
        let bench = with_rules(|rules| rules.patch_reply = reply);
        let answer = bench.client().patch(SYSTEM, &once("Pxe"));
        assert_eq!((answer.status, answer.body.is_empty()), (status, empty), "{reply:?}");
        assert_eq!(shown(&bench, SYSTEM), words("Once", "Pxe"), "{reply:?}");
    }
}

#[test]
fn an_override_set_past_the_rules_is_shown() {
    let bench = with_rules(|rules| rules.boot_writes = BootWrites::None);
    bench.bmc.set_boot_override(BootOverride::continuous("Pxe"));
    assert_eq!(shown(&bench, SYSTEM), words("Continuous", "Pxe"));
    assert_eq!(bench.bmc.boot_system("1").unwrap().target.as_deref(), Some("Pxe"));
    assert!(bench.bmc.boot_system("2").is_err());
}
