//! Boot links on the PXE host, and what happens when that host goes away.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use bmc_sim::{Effect, Fault};
use lab::{Lab, Layout, Options};

use crate::config::edit;
use crate::harness::{Said, command, lab_or_skip, lab_with, run, undeclare};

const TARGET: &str = "/srv/pxesrv/boot/cluster/1.0/exe/ipxe.net2";
const OTHER: &str = "/srv/pxesrv/boot/local.ipxe";

/// A link that somebody else made.
fn link(lab: &Lab, name: &str, target: &str) {
    let path = lab.path_on("installer", &format!("/srv/pxesrv/{name}")).unwrap();
    std::os::unix::fs::symlink(target, path).unwrap();
}

#[test]
fn px01_px02_both_links_of_a_node_are_shown_and_removed() {
    let Some(lab) = lab_or_skip(3) else { return };
    let before = lab.links().unwrap();
    link(&lab, "10.0.2.1", TARGET);
    link(&lab, "10.0.2.1.static", OTHER);
    link(&lab, "10.0.2.2.static", OTHER);
    let status = run(&lab, &["boot", "status", "-n", "exe[0001-0003]"]).ended_with(0);
    assert_eq!(status.row("exe0001")[1..], ["10.0.2.1", TARGET, OTHER]);
    assert_eq!(status.row("exe0002")[1..], ["10.0.2.2", "none", OTHER]);
    assert_eq!(status.row("exe0003")[1..], ["10.0.2.3", "none", "none"]);
    let status = run(&lab, &["provision", "status", "-n", "exe0002"]).ended_with(0);
    assert_eq!(status.row("exe0002")[1], OTHER, "it boots from that: {status:#?}");
    // A link for one request under one that stays would not outlive it.
    let refused = run(&lab, &["-y", "boot", "set", "-n", "exe[0002-0003]"]).ended_with(2);
    assert!(refused.stdout.is_empty() && refused.stderr.contains("exe0002"), "{refused:#?}");
    assert_eq!(lab.links().unwrap().len(), before.len() + 3);

    let unset = run(&lab, &["-y", "boot", "unset", "-n", "exe[0001-0003]"]).ended_with(0);
    let results: Vec<_> = unset.stdout.lines().skip(1).map(str::split_whitespace).collect();
    let results: Vec<Vec<_>> = results.into_iter().map(|words| words.skip(2).collect()).collect();
    assert_eq!(
        results,
        [
            ["once", "removed"],
            ["persistent", "removed"],
            ["once", "none"],
            ["persistent", "removed"],
            ["once", "none"],
            ["persistent", "none"],
        ],
        "{unset:#?}"
    );
    assert_eq!(lab.links().unwrap(), before);
}

#[test]
fn px05_a_link_that_cannot_be_removed_is_named_and_the_others_go() {
    let Some(lab) = lab_or_skip(3) else { return };
    link(&lab, "10.0.2.1", TARGET);
    link(&lab, "10.0.2.3", TARGET);
    let directory = lab.path_on("installer", "/srv/pxesrv/10.0.2.2").unwrap();
    fs::create_dir(&directory).unwrap();
    let arguments = ["-y", "-o", "json", "boot", "unset", "-n", "exe[0001-0003]"];
    let said = run(&lab, &arguments).ended_with(1);
    let sentence = said.stderr.lines().last().unwrap();
    assert!(sentence.contains("the boot links of exe0002 may still be there"), "{said:#?}");
    let rows: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    for row in rows.as_array().unwrap() {
        let failed = row["node"] == "exe0002" && row["mode"] == "once";
        assert_eq!(row.get("error").is_some(), failed, "{row}");
    }
    assert!(directory.is_dir());
    assert!(!lab.links().unwrap().keys().any(|path| path.contains("10.0.2.")), "the others went");
}

#[test]
fn px07_px11_a_rule_may_say_that_links_stay_and_rows_come_in_the_sets_order() {
    let Some(lab) = lab_or_skip(3) else { return };
    let rule = format!("      path: {TARGET}\n");
    edit(&lab, "cluster.yaml", &rule, &format!("{rule}      static: true\n"));
    let before = lab.snapshot().unwrap();
    let rehearse =
        |set: &str| run(&lab, &["boot", "set", "--dry-run", "-n", set]).ended_with(0).stdout;
    let dry = rehearse("exe[0001-0003]");
    assert!(dry.contains("for every request: exe0001 (10.0.2.1), exe0002 (10.0.2.2)"), "{dry}");
    assert_eq!(rehearse("exe0003,exe0001,exe0002"), dry, "the same set is the same script");
    assert_eq!(lab.snapshot().unwrap(), before);
    let set = run(&lab, &["-y", "boot", "set", "-n", "exe0002"]).ended_with(0);
    assert_eq!(set.row("exe0002")[1..], ["10.0.2.2", TARGET, "persistent", "set"]);
    assert_eq!(lab.links().unwrap()["10.0.2.2.static"], TARGET);
    // The rule's link is the reinstall's: it stays over the installation.
    run(&lab, &["-y", "provision", "reinstall", "-n", "exe0001"]).ended_with(0);
    lab.wait_until_up("exe0001", 1).unwrap();
    assert_eq!(lab.links().unwrap()["10.0.2.1.static"], TARGET);
}

#[test]
fn a_reinstall_works_with_links_in_directories_too() {
    let options = Options { nodes: 2, layout: Layout::Directories, ..Options::default() };
    let Some(lab) = lab_with(&options) else { return };
    let node = lab.node("exe0001").unwrap();
    let none = lab.links().unwrap();
    let set = run(&lab, &["-y", "boot", "set", "--persistent", "-n", "exe0002"]).ended_with(0);
    assert_eq!(set.row("exe0002")[3..], ["persistent", "set"]);
    assert_eq!(lab.links().unwrap()["static/10.0.2.2"], TARGET);
    run(&lab, &["-y", "boot", "unset", "-n", "exe0002"]).ended_with(0);
    assert_eq!(lab.links().unwrap(), none);
    let done = run(&lab, &["-y", "provision", "reinstall", "-n", "exe0001"]).ended_with(0);
    assert_eq!(done.row("exe0001")[1..], ["set", "set", "sent", "reinstalling"]);
    let after = lab.wait_until_up("exe0001", node.boots.len() + 1).unwrap();
    assert_eq!(after.generation, node.generation + 1, "it has been installed anew");
    assert_eq!(lab.links().unwrap(), none, "its link was consumed");
}

#[test]
fn a_pxe_host_that_dies_half_way_leaves_machines_armed_and_says_so() {
    let Some(lab) = lab_or_skip(2) else { return };
    let none = lab.links().unwrap().len();
    let slow = Effect::DelayReply(Duration::from_secs(2));
    lab.bmc("exe0001").add_fault(Fault::new(slow).on("PATCH", "*").times(1)).unwrap();
    let refuse = Effect::refuse(400, "Base.1.18.PropertyNotWritable", "Boot cannot be written");
    lab.bmc("exe0002").add_fault(Fault::new(refuse).on("PATCH", "*")).unwrap();
    let quick = ["--set", "ssh.connectTimeout=1s", "--set", "ssh.connectionAttempts=1"];
    let arguments = ["-y", "provision", "reinstall", "-n", "exe[0001-0002]"];
    let mut running = command(&lab, &[&quick[..], &arguments].concat());
    let child = running.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while lab.links().unwrap().len() < none + 2 {
        assert!(begun.elapsed() < Duration::from_secs(20), "the links were not written");
        std::thread::sleep(Duration::from_millis(10));
    }
    lab.running("installer", false).unwrap();
    let said = Said::of(&child.wait_with_output().unwrap()).ended_with(3);
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    for node in ["exe0001", "exe0002"] {
        let row = said.row(node);
        assert_eq!(row.last().unwrap(), "armed", "{said:#?}");
        assert_ne!(row[3], "sent", "{said:#?}");
    }
    assert!(said.stderr.contains("clusterctl boot unset -n"), "{said:#?}");
    assert!(!lab.node("exe0001").unwrap().boots.iter().any(|boot| boot.network), "not reset");
}

#[test]
fn sg22_a_node_without_an_address_is_refused_before_the_question() {
    let Some(lab) = lab_or_skip(2) else { return };
    undeclare(&lab, "exe0002");
    let before = lab.snapshot().unwrap();
    for command in [&["boot", "unset"][..], &["boot", "set"], &["provision", "reinstall"]] {
        // Without an answer, with one, and rehearsed: the same words and the same exit code.
        for answer in [&[][..], &["-y"], &["--dry-run"]] {
            let said = run(&lab, &[answer, command, &["-n", "exe[0001-0002]"]].concat());
            let said = said.ended_with(2);
            assert!(said.stdout.is_empty(), "{command:?} {answer:?}: {said:#?}");
            assert!(said.stderr.contains("exe0002 has no address"), "{answer:?}: {said:#?}");
            assert!(!said.stderr.contains("About to"), "{command:?} {answer:?}: {said:#?}");
        }
    }
    assert_eq!(lab.snapshot().unwrap(), before);
}

#[test]
fn w08_without_a_set_links_are_sorted_and_named_after_their_nodes() {
    let Some(lab) = lab_or_skip(12) else { return };
    for address in ["10.0.2.11", "10.0.2.9", "10.0.2.2", "10.0.77.7"] {
        link(&lab, address, TARGET);
    }
    let status = run(&lab, &["boot", "status"]).ended_with(0);
    let rows = status.stdout.lines().skip(1).map(|line| {
        let words: Vec<_> = line.split_whitespace().take(2).collect();
        words.join(" ")
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "exe0002 10.0.2.2",
            "exe0009 10.0.2.9",
            "exe0011 10.0.2.11",
            &format!("10.0.77.7 {TARGET}")
        ],
        "{status:#?}"
    );
}

#[test]
fn ex10_every_node_is_listed_with_what_is_wrong_with_it() {
    let Some(lab) = lab_or_skip(3) else { return };
    undeclare(&lab, "exe0002");
    lab.bmc("exe0003").listening(false).unwrap();
    let set = "exe[0001-0003],nosuch01";
    let rows = |said: &Said| -> Vec<(String, bool)> {
        let rows: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        let row = |row: &serde_json::Value| {
            (row["node"].as_str().unwrap().to_owned(), row["error"].is_string())
        };
        rows.as_array().unwrap().iter().map(row).collect()
    };
    let expect = |wrong: &[&str]| {
        let nodes = ["exe0001", "exe0002", "exe0003", "nosuch01"];
        nodes.map(|node| (node.to_owned(), wrong.contains(&node))).to_vec()
    };
    let status = run(&lab, &["-o", "json", "boot", "status", "-n", set]).ended_with(2);
    assert_eq!(rows(&status), expect(&["exe0002", "nosuch01"]), "{status:#?}");
    assert!(status.stderr.contains("exe0002 has no address"), "{status:#?}");
    let status = run(&lab, &["-o", "json", "provision", "status", "-n", set]).ended_with(3);
    assert_eq!(rows(&status), expect(&["exe0002", "exe0003", "nosuch01"]), "{status:#?}");
    // Where what they share cannot be asked, all of them.
    lab.service("installer", "sshd", false).unwrap();
    for noun in ["boot", "provision"] {
        let status = run(&lab, &["-o", "json", noun, "status", "-n", set]).ended_with(3);
        let all = expect(&["exe0001", "exe0002", "exe0003", "nosuch01"]);
        assert_eq!(rows(&status), all, "{noun}: {status:#?}");
        assert!(status.stderr.lines().count() < 4, "one cause is told once: {status:#?}");
    }
}
