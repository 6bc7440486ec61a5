//! What a failed reinstall leaves, step by fault: the table says it, and it is true.

use std::process::Stdio;
use std::time::{Duration, Instant};

use bmc_sim::{BootOverride, Effect, Fault, OverrideEnabled};
use lab::Lab;

use crate::harness::{Said, command, interrupt, lab_or_skip, run};

const NODES: &str = "exe[0001-0003]";
const EACH: [&str; 3] = ["exe0001", "exe0002", "exe0003"];
const RESET: &str = "*ComputerSystem.Reset*";

/// Three machines, of which the second has the trouble.
fn reinstall(lab: &Lab, more: &[&str]) -> Said {
    let settings = ["--set", "bmc.redfish.timeout=2s", "--set", "safety.powerOnStagger=0s"];
    let mut arguments = vec!["-y"];
    arguments.extend(settings);
    arguments.extend(["provision", "reinstall", "-n", NODES]);
    arguments.extend(more);
    run(lab, &arguments)
}

/// The cells BOOT LINK, BOOT ONCE, RESET, STATE of a machine.
fn cells(said: &Said, node: &str) -> String {
    said.row(node)[1..].join(" | ")
}

fn sends_to_the_network(shown: &BootOverride) -> bool {
    shown.target == "Pxe" && shown.enabled != OverrideEnabled::Disabled
}

/// What the table and the sentence claim of each machine is what the lab finds on it.
fn is_true(lab: &Lab, said: &Said) {
    let links = lab.links().unwrap();
    for (number, node) in EACH.iter().enumerate() {
        let address = format!("10.0.2.{}", number + 1);
        let link = links.keys().any(|path| path.ends_with(&address));
        let shown = lab.bmc(node).boot_override().unwrap();
        let armed = shown.is_some_and(|shown| sends_to_the_network(&shown));
        match said.row(node).last().map(String::as_str) {
            Some("disarmed" | "not armed") => {
                assert!(!link && !armed, "{node}: link {link}, override {armed}: {said:#?}");
            }
            Some("armed") => {
                assert!(said.stderr.contains("left armed"), "{said:#?}");
                if armed {
                    assert!(said.stderr.contains("clusterctl bmc boot unset -n"), "{said:#?}");
                }
                if link {
                    assert!(said.stderr.contains("clusterctl boot unset -n"), "{said:#?}");
                }
            }
            Some("unknown") => assert!(said.stderr.contains("provision status"), "{said:#?}"),
            _ => {}
        }
    }
}

/// One case: a fault on the second BMC, what its row reads, what the others' rows read, the code.
fn bmc_case(lab: &Lab, fault: Fault, second: &str, others: &str, code: i32) -> Said {
    lab.bmc("exe0002").add_fault(fault).unwrap();
    let said = reinstall(lab, &[]).ended_with(code);
    assert_eq!(cells(&said, "exe0002"), second, "{said:#?}");
    for node in ["exe0001", "exe0003"] {
        assert_eq!(cells(&said, node), others, "{said:#?}");
    }
    lab.bmc("exe0002").heal().unwrap();
    is_true(lab, &said);
    said
}

const UNDONE: &str = "removed | cleared | - | disarmed";

#[test]
fn a_bmc_that_refuses_the_override_disarms_all_and_exits_1() {
    let Some(lab) = lab_or_skip(3) else { return };
    let refuse = Effect::refuse(400, "Base.1.18.PropertyNotWritable", "Boot cannot be written");
    let fault = Fault::new(refuse).on("PATCH", "*");
    let said = bmc_case(&lab, fault, "removed | refused | - | disarmed", UNDONE, 1);
    assert!(said.stderr.contains("Boot cannot be written"), "the BMC's words: {said:#?}");
}

#[test]
fn a_bmc_that_says_401_disarms_all_and_exits_3() {
    let Some(lab) = lab_or_skip(3) else { return };
    let fault = Fault::new(Effect::status(401)).on_path("*");
    bmc_case(&lab, fault, "removed | unauthorized | - | disarmed", UNDONE, 3);
}

#[test]
fn a_bmc_that_refuses_connections_disarms_all_and_exits_3() {
    let Some(lab) = lab_or_skip(3) else { return };
    lab.bmc("exe0002").listening(false).unwrap();
    let said = reinstall(&lab, &[]).ended_with(3);
    assert_eq!(cells(&said, "exe0002"), "removed | unreachable | - | disarmed");
    assert_eq!(cells(&said, "exe0001"), UNDONE);
    assert!(
        said.stderr.contains(
            "clusterctl: setting the machines to boot from the network once failed: exe0002: \
             exe0002.mgmt.hpc.example.org"
        ),
        "{said:#?}"
    );
    assert!(
        said.stderr
            .contains("the boot links and boot overrides of exe[0001-0003] were removed again"),
        "{said:#?}"
    );
    is_true(&lab, &said);
}

#[test]
fn a_bmc_without_a_route_disarms_all_and_exits_3() {
    let Some(lab) = lab_or_skip(3) else { return };
    lab.bmc("exe0002").reachable(false).unwrap();
    let said = reinstall(&lab, &[]).ended_with(3);
    assert_eq!(cells(&said, "exe0002"), "removed | unreachable | - | disarmed");
    assert_eq!(cells(&said, "exe0003"), UNDONE);
    lab.bmc("exe0002").reachable(true).unwrap();
    is_true(&lab, &said);
}

#[test]
fn a_bmc_that_falls_silent_while_it_is_written_is_left_armed_and_named() {
    let Some(lab) = lab_or_skip(3) else { return };
    // It has acted and answers nothing from then on, the way back included.
    let bmc = lab.bmc("exe0002");
    bmc.add_fault(Fault::new(Effect::LoseReply).on("PATCH", "*").times(1)).unwrap();
    bmc.add_fault(Fault::new(Effect::BlackHole).on("GET", "*").after(1)).unwrap();
    bmc.add_fault(Fault::new(Effect::BlackHole).on("PATCH", "*").after(1)).unwrap();
    let said = reinstall(&lab, &[]).ended_with(3);
    assert_eq!(cells(&said, "exe0002"), "removed | unknown | - | armed", "{said:#?}");
    assert_eq!(cells(&said, "exe0001"), UNDONE);
    assert!(
        said.stderr.contains("disarm it with \"clusterctl bmc boot unset -n exe0002\""),
        "{said:#?}"
    );
    is_true(&lab, &said);
}

#[test]
fn an_override_whose_reply_is_lost_is_settled_by_the_read_back() {
    let Some(lab) = lab_or_skip(3) else { return };
    let fault = Fault::new(Effect::LoseReply).on("PATCH", "*").times(1);
    let sent = "set | set | sent | reinstalling";
    bmc_case(&lab, fault, sent, sent, 0);
}

#[test]
fn an_override_that_was_lost_before_it_acted_is_disarmed() {
    let Some(lab) = lab_or_skip(3) else { return };
    let fault = Fault::new(Effect::LoseRequest).on("PATCH", "*").times(1);
    bmc_case(&lab, fault, UNDONE, UNDONE, 3);
}

#[test]
fn a_refused_reset_disarms_that_machine_and_the_others_reinstall() {
    let Some(lab) = lab_or_skip(3) else { return };
    let refuse = Effect::refuse(409, "Base.1.18.ResourceInUse", "not now");
    let fault = Fault::new(refuse).on("POST", RESET);
    let sent = "set | set | sent | reinstalling";
    let said = bmc_case(&lab, fault, "removed | cleared | refused | disarmed", sent, 1);
    assert!(said.stderr.contains("exe[0001,0003] are reinstalling"), "{said:#?}");
    let key = lab.node("exe0002").unwrap().host.host_key.unwrap();
    let known = std::fs::read_to_string(lab.known_hosts()).unwrap();
    assert!(known.contains(key.split(' ').nth(1).unwrap()), "its host key is back");
}

#[test]
fn a_reset_whose_reply_is_lost_is_sent_once_and_never_undone_blindly() {
    let Some(lab) = lab_or_skip(3) else { return };
    lab.bmc("exe0002").add_fault(Fault::new(Effect::LoseReply).on("POST", RESET)).unwrap();
    let said = reinstall(&lab, &[]).ended_with(3);
    let row = said.row("exe0002");
    assert_eq!(row[2..4], ["set", "unknown"], "{said:#?}");
    // Whether it has fetched its link by then is a race; both are told as they are.
    match row[1].as_str() {
        "none" => assert_eq!(row[4], "reinstalling", "{said:#?}"),
        _ => {
            assert_eq!(row[4], "unknown", "{said:#?}");
            assert!(said.stderr.contains("clusterctl bmc boot unset -n exe0002"), "{said:#?}");
        }
    }
    let requests = lab.bmc("exe0002").requests().unwrap();
    let resets =
        requests.iter().filter(|r| r.method == "POST" && r.target.contains("Reset")).count();
    assert_eq!(resets, 1, "{requests:#?}");
}

#[test]
fn a_reset_that_was_lost_before_it_acted_is_unknown_with_both_commands() {
    let Some(lab) = lab_or_skip(3) else { return };
    lab.bmc("exe0002").add_fault(Fault::new(Effect::LoseRequest).on("POST", RESET)).unwrap();
    let said = reinstall(&lab, &[]).ended_with(3);
    assert_eq!(cells(&said, "exe0002"), "set | set | unknown | unknown", "{said:#?}");
    assert!(said.stderr.contains("clusterctl bmc boot unset -n exe0002"), "{said:#?}");
    assert!(said.stderr.contains("clusterctl boot unset -n exe0002"), "{said:#?}");
    is_true(&lab, &said);
}

#[test]
fn a_full_disk_on_the_pxe_host_leaves_nothing_armed_and_exits_1() {
    let Some(lab) = lab_or_skip(3) else { return };
    lab.disk_full(true).unwrap();
    let said = reinstall(&lab, &[]).ended_with(1);
    lab.disk_full(false).unwrap();
    for node in EACH {
        assert_eq!(said.row(node).last().unwrap(), "not armed", "{said:#?}");
    }
    is_true(&lab, &said);
}

#[test]
fn a_pxe_host_that_cannot_be_reached_changes_nothing_and_exits_3() {
    let Some(lab) = lab_or_skip(3) else { return };
    let before = lab.snapshot().unwrap();
    lab.service("installer", "sshd", false).unwrap();
    let said = reinstall(&lab, &[]).ended_with(3);
    assert!(said.stdout.is_empty(), "{said:#?}");
    assert_eq!(lab.snapshot().unwrap().machines, before.machines);
}

#[test]
fn a_locked_host_key_file_undoes_both_steps_on_every_machine() {
    let Some(lab) = lab_or_skip(3) else { return };
    let folder = lab.known_hosts().canonicalize().unwrap();
    let folder = std::fs::File::open(folder.parent().unwrap()).unwrap();
    rustix::fs::flock(&folder, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let before = std::fs::read(lab.known_hosts()).unwrap();
    let said = reinstall(&lab, &[]).ended_with(1);
    for node in EACH {
        assert_eq!(cells(&said, node), UNDONE, "{said:#?}");
    }
    assert!(said.stderr.contains("forgetting the host keys failed"), "{said:#?}");
    assert!(said.stderr.contains("is locked by somebody else"), "{said:#?}");
    assert_eq!(std::fs::read(lab.known_hosts()).unwrap(), before);
    is_true(&lab, &said);
}

#[test]
fn a_host_key_file_on_a_read_only_mount_undoes_both_steps() {
    let Some(lab) = lab_or_skip(3) else { return };
    // Where the workstation has it.
    let folder = std::path::Path::new("/etc/clusterctl");
    lab.read_only("workstation", folder, true).unwrap();
    let said = reinstall(&lab, &[]).ended_with(1);
    lab.read_only("workstation", folder, false).unwrap();
    assert_eq!(cells(&said, "exe0001"), UNDONE, "{said:#?}");
    is_true(&lab, &said);
}

#[test]
fn slurm_that_cannot_be_asked_refuses_unless_the_loss_is_accepted() {
    let Some(lab) = lab_or_skip(3) else { return };
    let before = lab.snapshot().unwrap();
    lab.service("login", "sshd", false).unwrap();
    let said = reinstall(&lab, &[]).ended_with(3);
    assert!(said.stderr.contains("--lose-jobs"), "{said:#?}");
    assert_eq!(lab.snapshot().unwrap(), before);
    reinstall(&lab, &["--lose-jobs"]).ended_with(0);
}

/// Starts a reinstall whose second machine takes its time, and waits until its links are written.
fn half_way(lab: &Lab) -> std::process::Child {
    for node in EACH {
        let slow = Effect::DelayReply(Duration::from_millis(2500));
        lab.bmc(node).add_fault(Fault::new(slow).on("PATCH", "*").times(1)).unwrap();
    }
    let child = command(lab, &["-y", "provision", "reinstall", "-n", NODES])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let is_armed = |node: &&str| {
        lab.bmc(node).boot_override().unwrap().is_some_and(|shown| sends_to_the_network(&shown))
    };
    while lab.links().unwrap().len() < 3 || !EACH.iter().all(is_armed) {
        assert!(begun.elapsed() < Duration::from_secs(20), "the links were not written");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

#[test]
fn ctrl_c_before_the_resets_disarms_and_exits_130() {
    let Some(lab) = lab_or_skip(3) else { return };
    let child = half_way(&lab);
    interrupt(&child);
    let said = Said::of(&child.wait_with_output().unwrap()).ended_with(130);
    for node in EACH {
        assert_eq!(said.row(node).last().unwrap(), "disarmed", "{said:#?}");
    }
    is_true(&lab, &said);
    let state = lab.snapshot().unwrap();
    assert!(state.links.is_empty(), "{:?}", state.links);
}

#[test]
fn after_kill_9_provision_status_names_armed_nodes_and_the_way_out() {
    let Some(lab) = lab_or_skip(3) else { return };
    let mut child = half_way(&lab);
    child.kill().unwrap();
    child.wait().unwrap();
    let said = run(&lab, &["provision", "status", "-n", NODES, "-o", "wide"]).ended_with(0);
    assert!(said.stdout.contains("BOOT ONCE") && said.stdout.contains("Pxe (once)"), "{said:#?}");
    assert!(said.stderr.contains("armed"), "{said:#?}");
    assert!(said.stderr.contains("clusterctl bmc boot unset -n 'exe[0001-0003]'"), "{said:#?}");
    assert!(said.stderr.contains("clusterctl boot unset -n 'exe[0001-0003]'"), "{said:#?}");
    let last = run(&lab, &["-y", "boot", "unset", "-n", "@last:not-tried"]).ended_with(0);
    run(&lab, &["-y", "bmc", "boot", "unset", "-n", NODES]).ended_with(0);
    assert!(last.stdout.contains("removed"), "{last:#?}");
    assert!(lab.links().unwrap().is_empty());
}
