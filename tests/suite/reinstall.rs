//! The main job on machines that really go down and come up anew.

use std::process::Stdio;
use std::time::{Duration, Instant};

use bmc_sim::{Effect, Fault};

use crate::config::edit;
use crate::harness::{Said, command, interrupt, lab_or_skip, run, soon};

/// Columns one blank apart, as the manual prints them.
fn squeezed(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn the_manuals_transcripts_hold_to_the_letter() {
    let Some(lab) = lab_or_skip(8) else { return };
    let hosts = run(&lab, &["dhcp", "hosts", "-n", "exe0007"]).ended_with(0);
    assert_eq!(
        squeezed(&hosts.stdout),
        "NODE DECLARATION MATCH ADDRESS MAC BOOT FILE\n\
         exe0007 exe0007 name 10.0.2.7 aa:bb:cc:11:22:33 /srv/pxesrv/boot/exe/ipxe.net2\n\
         exe0007 exe0007-ib interface 10.1.2.7 aa:bb:cc:11:22:44 /srv/pxesrv/boot/exe/ipxe.ib0\n"
    );
    let status = run(&lab, &["boot", "status", "-n", "exe0007"]).ended_with(0);
    assert_eq!(
        squeezed(&status.stdout),
        "NODE ADDRESS BOOT PATH PERSISTENT\nexe0007 10.0.2.7 none none\n"
    );
    let preview = "1 host: exe0007\n\
        everything on these machines is lost\n\
        /srv/pxesrv/boot/cluster/1.0/exe/ipxe.net2, for the next request: exe0007 (10.0.2.7)\n\
        then each machine is set to boot from the network once and reset through Redfish\n";
    let before = lab.snapshot().unwrap();
    let dry = run(&lab, &["provision", "reinstall", "-n", "exe0007", "--dry-run"]).ended_with(0);
    assert_eq!(dry.stdout, format!("Would reinstall {preview}"));
    assert_eq!(lab.snapshot().unwrap(), before, "a dry run changes nothing");

    let node = lab.node("exe0007").unwrap();
    let done = run(&lab, &["-y", "provision", "reinstall", "-n", "exe0007"]).ended_with(0);
    assert!(done.stderr.contains(&format!("About to reinstall {preview}")), "{done:?}");
    assert_eq!(
        squeezed(&done.stdout),
        "NODE BOOT LINK BOOT ONCE RESET STATE\nexe0007 set set sent reinstalling\n"
    );
    assert!(
        done.stderr.ends_with(
            "exe0007 is reinstalling; follow it with \"clusterctl provision status\" and \
             \"clusterctl boot log\"\n"
        ),
        "{done:?}"
    );
    let after = lab.wait_until_up("exe0007", node.boots.len() + 1).unwrap();
    assert_eq!(after.generation, node.generation + 1, "it has been installed anew");
    assert_ne!(after.host.host_key, node.host.host_key, "its host key is new");
    let status = run(&lab, &["provision", "status", "-n", "exe0007"]);
    assert!(
        squeezed(&status.stdout)
            .starts_with("NODE BOOT PATH POWER SSH UPTIME ERROR\nexe0007 none On no\n"),
        "{status:?}"
    );
    let log = run(&lab, &["boot", "log"]).ended_with(0);
    assert!(log.stdout.contains("10.0.2.7 - - ["), "{log:?}");
    let log = run(&lab, &["dhcp", "log"]).ended_with(0);
    assert!(log.stdout.contains("DHCPACK on 10.0.2.7 to aa:bb:cc:11:22:33"), "{log:?}");
}

#[test]
fn no_machine_outside_the_selection_changes() {
    let Some(lab) = lab_or_skip(4) else { return };
    let before = lab.snapshot().unwrap();
    run(&lab, &["-y", "provision", "reinstall", "-n", "exe[0002-0003]"]).ended_with(0);
    for node in ["exe0002", "exe0003"] {
        lab.wait_until_up(node, 1).unwrap();
    }
    let after = lab.snapshot().unwrap();
    for node in ["exe0001", "exe0004", "wlm01"] {
        assert_eq!(after.machines[node], before.machines[node], "{node}");
        let line = |snapshot: &lab::Snapshot| {
            let named = snapshot.known_hosts.iter().filter(|line| line.contains(node));
            named.cloned().collect::<Vec<_>>()
        };
        assert_eq!(line(&after), line(&before), "{node}");
    }
    assert!(after.links.is_empty(), "every link was consumed: {:?}", after.links);
}

#[test]
fn by_hand_each_step_is_a_command_and_can_be_taken_back() {
    let Some(lab) = lab_or_skip(2) else { return };
    let before = lab.snapshot().unwrap();
    let set = run(&lab, &["-y", "boot", "set", "-n", "exe0001"]).ended_with(0);
    assert_eq!(
        set.row("exe0001")[..],
        ["exe0001", "10.0.2.1", "/srv/pxesrv/boot/cluster/1.0/exe/ipxe.net2", "once", "set"]
    );
    run(&lab, &["-y", "bmc", "boot", "set", "Pxe", "-n", "exe0001"]).ended_with(0);
    let shown = run(&lab, &["bmc", "boot", "show", "-n", "exe0001"]).ended_with(0);
    assert_eq!(shown.row("exe0001")[..], ["exe0001", "Pxe", "once"]);
    let status = run(&lab, &["provision", "status", "-n", "exe0001", "-o", "wide"]).ended_with(0);
    assert!(status.stderr.contains("clusterctl bmc boot unset -n 'exe0001'"), "{status:?}");
    run(&lab, &["-y", "bmc", "boot", "unset", "-n", "exe0001"]).ended_with(0);
    run(&lab, &["-y", "boot", "unset", "-n", "exe0001"]).ended_with(0);
    let after = lab.snapshot().unwrap();
    assert_eq!(after.links, before.links);
    let shown = run(&lab, &["bmc", "boot", "show", "-n", "exe0001"]).ended_with(0);
    assert_eq!(shown.row("exe0001")[..], ["exe0001", "none"]);
}

#[test]
fn what_a_rule_of_safety_refuses_changes_nothing() {
    let Some(lab) = lab_or_skip(3) else { return };
    let job = lab.slurm().run_job("exe0002").unwrap();
    let before = lab.snapshot().unwrap();
    let refused: [&[&str]; 12] = [
        &["-y", "provision", "reinstall", "-n", "wlm01"],
        &["-y", "provision", "reinstall", "-n", "WLM01.hpc.example.org."],
        &["-y", "bmc", "power", "reset", "-n", "wlm01.mgmt.hpc.example.org"],
        &["-y", "provision", "reinstall", "-n", "nosuch01"],
        &["-y", "provision", "reinstall", "-n", "exe[0001-0002]"],
        &["-y", "bmc", "power", "off", "-n", "exe0002"],
        &["-y", "provision", "reinstall", "-n", "exe0001", "--boot-path", "/srv/pxesrv/nosuch"],
        &["-y", "provision", "reinstall", "-n", ""],
        &["-y", "provision", "reinstall", "-n", "exe[0001-"],
        &["provision", "reinstall", "-n", "exe0001"],
        &["-y", "provision", "reinstal", "-n", "exe0001"],
        &["-y", "--set", "safety.confrimAbove=1", "provision", "reinstall", "-n", "exe0001"],
    ];
    for arguments in refused {
        let said = run(&lab, arguments).ended_with(2);
        assert!(said.stdout.is_empty(), "{arguments:?}: {said:?}");
        assert!(!said.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(lab.snapshot().unwrap(), before);
    lab.slurm().cancel(job, "exe0002").unwrap();
}

#[test]
fn ri02_a_node_whose_order_does_not_begin_with_redfish_refuses_the_whole_set() {
    let Some(lab) = lab_or_skip(2) else { return };
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
        "    order: [redfish]\n",
        "    order: [redfish]\n    vendors:\n      acme:\n        order: [ipmi, redfish]\n",
    );
    let before = lab.snapshot().unwrap();
    for answer in ["-y", "--dry-run"] {
        for more in [&[][..], &["--force"], &["--no-reset"]] {
            let reinstall = ["provision", "reinstall", "-n", "exe[0001-0002]"];
            let said = run(&lab, &[&[answer][..], &reinstall, more].concat()).ended_with(2);
            assert!(said.stdout.is_empty(), "{said:#?}");
            let why = "exe0002: its bmc.order does not begin with redfish";
            assert!(said.stderr.contains(why), "{said:#?}");
        }
    }
    assert_eq!(lab.snapshot().unwrap(), before);
    // The other node alone is not kept from it.
    run(&lab, &["--dry-run", "provision", "reinstall", "-n", "exe0001"]).ended_with(0);
}

#[test]
fn w23_ctrl_c_ends_provision_status_with_130() {
    let Some(lab) = lab_or_skip(2) else { return };
    lab.bmc("exe0001").add_fault(Fault::new(Effect::BlackHole)).unwrap();
    let mut running = command(&lab, &["provision", "status", "-n", "exe[0001-0002]"]);
    let child = running.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(soon(|| !lab.bmc("exe0001").requests().unwrap().is_empty()));
    let begun = Instant::now();
    interrupt(&child);
    let said = Said::of(&child.wait_with_output().unwrap()).ended_with(130);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(said.stdout.contains("exe0001") && said.stdout.contains("exe0002"), "{said:#?}");
}

#[test]
fn without_a_reset_the_machines_are_said_to_be_armed() {
    let Some(lab) = lab_or_skip(2) else { return };
    let said =
        run(&lab, &["-y", "provision", "reinstall", "-n", "exe0001", "--no-reset"]).ended_with(0);
    assert_eq!(said.row("exe0001")[1..], ["set", "set", "-", "armed"]);
    assert!(
        said.stderr.contains("exe0001 is armed and reinstalls at its next network boot"),
        "{said:?}"
    );
    assert!(said.stderr.contains("clusterctl bmc boot unset -n exe0001"), "{said:?}");
    assert!(said.stderr.contains("clusterctl boot unset -n exe0001"), "{said:?}");
}
