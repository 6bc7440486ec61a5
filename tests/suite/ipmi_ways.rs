//! Which way is taken: Redfish, IPMI, and what forbids the second.

use std::fs;

use bmc_sim::{Answer, Effect, Fault};
use lab::{ChassisFault, Lab, Options};

use crate::harness::{Said, lab_with, run};
use crate::ipmi::{ipmi_lab, with};

const RESET: &str = "*ComputerSystem.Reset*";

pub(crate) fn edit(lab: &Lab, file: &str, from: &str, to: &str) {
    let path = lab.directories().config().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(&path, text.replace(from, to)).unwrap();
}

fn requests(lab: &Lab, node: &str) -> usize {
    lab.bmc(node).requests().unwrap().len()
}

fn reset(lab: &Lab, settings: &[&str], nodes: &str) -> Said {
    with(lab, settings, &["-y", "bmc", "power", "reset", nodes])
}

#[test]
fn a_machine_that_redfish_does_not_reach_is_switched_over_ipmi() {
    let Some(lab) = ipmi_lab(2) else { return };
    lab.bmc("exe0001").listening(false).unwrap();
    let status = with(&lab, &[], &["bmc", "status", "exe[0001-0002]"]).ended_with(0);
    assert_eq!(status.row("exe0001")[1..], ["On", "ipmi"], "{status:#?}");
    assert_eq!(status.row("exe0002")[1..], ["On", "redfish"], "{status:#?}");
    let boots = lab.node("exe0001").unwrap().boots.len();
    let said = reset(&lab, &[], "exe[0001-0002]").ended_with(0);
    assert_eq!(said.row("exe0001")[1..], ["sent", "ipmi"], "{said:#?}");
    assert_eq!(said.row("exe0002")[1..], ["sent", "redfish"], "{said:#?}");
    assert_eq!(lab.node("exe0001").unwrap().boots.len(), boots + 1);
    assert!(lab.ipmi("exe0002").calls().unwrap().is_empty());
    // For programs, in every row.
    let json = with(&lab, &[], &["-o", "jq=.[].via", "bmc", "status", "exe[0001-0002]"]);
    assert_eq!(json.ended_with(0).stdout, "ipmi\nredfish\n");
    // Nothing is there but Redfish: the table does not speak of ways.
    let settings = ["bmc.order=[redfish]"];
    let plain = with(&lab, &settings, &["bmc", "status", "exe0002"]).ended_with(0);
    assert_eq!(plain.stdout, "NODE     STATE  ERROR\nexe0002  On\n");
    // No program speaks it: the machine is as unreachable as it was.
    let settings = ["bmc.ipmi.ipmipowerPath=/nowhere"];
    let said = with(&lab, &settings, &["bmc", "status", "exe0001"]).ended_with(3);
    assert_eq!(said.row("exe0001")[1..3], ["not supported", "ipmi"], "{said:#?}");
    // Neither way.
    lab.ipmi("exe0001").listening(false).unwrap();
    let said = with(&lab, &["bmc.ipmi.timeout=3s"], &["bmc", "status", "exe0001"]).ended_with(3);
    assert_eq!(said.row("exe0001")[1..3], ["unreachable", "ipmi"], "{said:#?}");
    assert!(said.stderr.contains("redfish: ") && said.stderr.contains("; ipmi: "), "{said:#?}");
}

#[test]
fn a_service_processor_without_redfish_is_asked_over_ipmi() {
    let Some(lab) = ipmi_lab(1) else { return };
    let nothing = Effect::Answer(Answer {
        status: 404,
        headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
        body: "<html>not found</html>".to_owned(),
    });
    lab.bmc("exe0001").add_fault(Fault::new(nothing)).unwrap();
    let said = reset(&lab, &[], "exe0001").ended_with(0);
    assert_eq!(said.row("exe0001")[1..], ["sent", "ipmi"], "{said:#?}");
    assert_eq!(lab.ipmi("exe0001").changes().unwrap(), ["set reset 1"]);
}

#[test]
fn no_failure_that_leaves_something_open_and_no_refusal_leads_to_ipmi() {
    let Some(lab) = ipmi_lab(1) else { return };
    let bmc = lab.bmc("exe0001");
    let faults = [
        (Fault::new(Effect::status(401)), 3, "unauthorized"),
        (Fault::new(Effect::status(403)), 1, "refused"),
        (Fault::new(Effect::status(500)), 1, "refused"),
        (Fault::new(Effect::BlackHole), 3, "unreachable"),
        (Fault::new(Effect::LoseReply).on("POST", RESET), 3, "outcome unknown"),
        (Fault::new(Effect::LoseRequest).on("POST", RESET), 3, "outcome unknown"),
        (Fault::new(Effect::BlackHole).on("POST", RESET), 3, "outcome unknown"),
        (Fault::new(Effect::status(503)).on("POST", RESET), 1, "refused"),
    ];
    for (fault, code, state) in faults {
        bmc.add_fault(fault.clone()).unwrap();
        let said = reset(&lab, &["bmc.redfish.timeout=2s"], "exe0001").ended_with(code);
        assert_eq!(said.row("exe0001")[1], state, "{fault:?}: {said:#?}");
        assert!(!said.stdout.contains("ipmi"), "{fault:?}: {said:#?}");
        bmc.heal().unwrap();
    }
    // Another certificate than the one on record: somebody else may answer there.
    let pins = lab.directories().home().join(".local/state/clusterctl/bmc-pins");
    let text = fs::read_to_string(&pins).unwrap();
    let (place, fingerprint) = text.trim_end().rsplit_once(' ').unwrap();
    let other = fingerprint.chars().rev().collect::<String>();
    fs::write(&pins, format!("{place} {other}\n")).unwrap();
    let said = reset(&lab, &[], "exe0001").ended_with(3);
    assert_eq!(said.row("exe0001")[1], "not trusted", "{said:#?}");
    assert!(lab.ipmi("exe0001").calls().unwrap().is_empty(), "nobody asked it anything");
}

#[test]
fn a_password_that_ipmi_refuses_is_not_tried_over_redfish_and_the_other_way_round() {
    let Some(lab) = ipmi_lab(1) else { return };
    let file = lab.directories().config().join("secrets/bmc-password");
    fs::write(file, "wrong\n").unwrap();
    for backend in ["bmc.ipmi.backend=ipmipower", "bmc.ipmi.backend=ipmitool"] {
        let settings = [backend, "bmc.order=[ipmi, redfish]"];
        let said = reset(&lab, &settings, "exe0001").ended_with(3);
        assert_eq!(said.row("exe0001")[1..3], ["unauthorized", "ipmi"], "{said:#?}");
        assert_eq!(requests(&lab, "exe0001"), 0);
    }
    let said = reset(&lab, &[], "exe0001").ended_with(3);
    assert_eq!(said.row("exe0001")[1], "unauthorized", "{said:#?}");
    assert!(lab.ipmi("exe0001").calls().unwrap().is_empty());
    // One request told it; no more were made of the same password.
    assert_eq!(requests(&lab, "exe0001"), 1);
}

#[test]
fn ipmi_first_goes_on_to_redfish_only_while_nothing_was_sent() {
    let Some(lab) = ipmi_lab(2) else { return };
    let settings = ["bmc.order=[ipmi, redfish]", "bmc.ipmi.timeout=6s"];
    lab.ipmi("exe0001").listening(false).unwrap();
    lab.ipmi("exe0002").fail(Some(ChassisFault::Hang)).unwrap();
    let said = reset(&lab, &settings, "exe[0001-0002]").ended_with(3);
    assert_eq!(said.row("exe0001")[1..], ["sent", "redfish"], "{said:#?}");
    assert_eq!(said.row("exe0002")[1..3], ["outcome unknown", "ipmi"], "{said:#?}");
    assert_eq!(requests(&lab, "exe0002"), 0);
    // The host that speaks IPMI lets nobody in: nothing was sent, so Redfish may.
    lab.service("login", "sshd", false).unwrap();
    let said = reset(&lab, &settings[..1], "exe0001").ended_with(0);
    assert_eq!(said.row("exe0001")[1..], ["sent", "redfish"], "{said:#?}");
    let said = with(&lab, &[], &["bmc", "status", "--ipmi", "exe0001"]).ended_with(3);
    assert!(said.stderr.contains("through login: "), "{said:#?}");
}

#[test]
fn rf17_each_machine_goes_its_own_way_and_a_dry_run_says_which() {
    let Some(lab) = ipmi_lab(2) else { return };
    edit(
        &lab,
        "inventory.yaml",
        "    - nodes: exe[0001",
        "    - nodes: exe0002\n      attributes: {vendor: acme}\n    - nodes: exe[0001",
    );
    edit(
        &lab,
        "inventory.yaml",
        "attributes: {class: exe, vendor: generic}",
        "attributes: {class: exe}",
    );
    edit(
        &lab,
        "site.yaml",
        "    order: [redfish, ipmi]\n",
        "    order: [redfish]\n    vendors:\n      acme:\n        order: [ipmi]\n",
    );
    let dry = with(&lab, &[], &["--dry-run", "bmc", "power", "reset", "exe[0001-0002]"]);
    let dry = dry.ended_with(0);
    assert!(
        dry.stdout.contains("\nexe0001: through Redfish, with the credential bmc\n")
            && dry.stdout.contains("\nexe0002: through IPMI from the host of the role login, "),
        "{dry:#?}"
    );
    let asked = || (requests(&lab, "exe0001"), lab.ipmi("exe0002").calls().unwrap().len());
    assert_eq!(asked(), (0, 0));
    let said = reset(&lab, &[], "exe[0001-0002]").ended_with(0);
    assert_eq!(said.row("exe0001")[1..], ["sent", "redfish"], "{said:#?}");
    assert_eq!(said.row("exe0002")[1..], ["sent", "ipmi"], "{said:#?}");
    assert_eq!(lab.ipmi("exe0002").changes().unwrap(), ["set reset 1"]);
    assert!(lab.ipmi("exe0001").calls().unwrap().is_empty());
    assert_eq!(requests(&lab, "exe0002"), 0);
}

#[test]
fn rf14_a_name_without_an_address_is_3_and_spoils_nothing_for_the_others() {
    let Some(lab) = ipmi_lab(3) else { return };
    edit(
        &lab,
        "inventory.yaml",
        "    - nodes: exe[0001",
        "    - nodes: exe0002\n      bmcAddress: nosuch.mgmt.hpc.example.org\n    - nodes: exe[0001",
    );
    for backend in ["bmc.ipmi.backend=ipmipower", "bmc.ipmi.backend=ipmitool"] {
        let said = with(&lab, &[backend], &["bmc", "status", "--ipmi", "exe[0001-0003]"]);
        let said = said.ended_with(3);
        assert_eq!(said.row("exe0001")[1..], ["On", "ipmi"], "{said:#?}");
        assert_eq!(said.row("exe0002")[1..3], ["unresolved", "ipmi"], "{said:#?}");
        assert_eq!(said.row("exe0003")[1..], ["On", "ipmi"], "{said:#?}");
    }
    // Over Redfish alone the whole set is refused before anything is sent.
    let said = reset(&lab, &["bmc.order=[redfish]"], "exe[0001-0003]").ended_with(3);
    assert!(said.stdout.is_empty() && said.stderr.contains("nosuch"), "{said:#?}");
    assert_eq!(requests(&lab, "exe0001"), 0);
}

#[test]
fn a_busy_or_protected_machine_is_refused_over_ipmi_too() {
    let Some(lab) = lab_with(&Options { nodes: 1, ipmi: true, ..Options::default() }) else {
        return;
    };
    let off = |node| run(&lab, &["-y", "bmc", "power", "off", "--ipmi", node]).ended_with(2);
    assert!(off("wlm01").stderr.contains("wlm01 is protected"));
    let job = lab.slurm().run_job("exe0001").unwrap();
    assert!(off("exe0001").stderr.contains("exe0001"));
    assert!(lab.ipmi("exe0001").calls().unwrap().is_empty());
    lab.slurm().cancel(job, "exe0001").ok();
}
