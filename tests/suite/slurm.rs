//! Nodes in Slurm.

use std::fs;

use lab::Lab;

use crate::harness::{bounded, lab_or_skip, run, said, soon};

/// What every node is in Slurm.
fn states(lab: &Lab, nodes: u8) -> Vec<String> {
    (1..=nodes).map(|number| lab.slurm().state(&format!("exe000{number}")).unwrap()).collect()
}

#[test]
fn drain_and_resume_change_exactly_the_nodes() {
    let Some(lab) = lab_or_skip(3) else { return };
    let dry = ["slurm", "node", "drain", "bad dimm", "-n", "exe0002", "--dry-run"];
    let dry = run(&lab, &dry).ended_with(0);
    assert!(dry.stdout.contains("the reason: bad dimm"), "{dry:#?}");
    assert_eq!(states(&lab, 3), ["idle", "idle", "idle"]);
    let done = run(&lab, &["-y", "slurm", "node", "drain", "bad dimm", "-n", "exe0002"]);
    assert_eq!(done.ended_with(0).stdout, "drained exe0002\n");
    assert_eq!(states(&lab, 3), ["idle", "drained", "idle"]);
    let list = run(&lab, &["slurm", "node", "list"]).ended_with(0);
    assert_eq!(list.row("exe0002")[1..], ["drained", "main", "4", "bad dimm [root]"], "{list:#?}");
    let list = run(&lab, &["slurm", "node", "list", "--state", "drain"]).ended_with(0);
    assert!(list.stdout.contains("exe0002") && !list.stdout.contains("exe0001"), "{list:#?}");
    let done = run(&lab, &["-y", "slurm", "node", "resume", "-n", "exe0002"]).ended_with(0);
    assert_eq!(done.stdout, "resumed exe0002\n");
    assert!(soon(|| states(&lab, 3) == ["idle", "idle", "idle"]));
}

#[test]
fn ex05_ex07_slurms_own_words_and_what_changed_are_told() {
    let Some(lab) = lab_or_skip(2) else { return };
    let refused = run(&lab, &["-y", "slurm", "node", "resume", "-n", "exe0001"]).ended_with(1);
    assert!(refused.stderr.contains("Invalid node state specified"), "{refused:#?}");
    lab.slurm().drain("exe0002", "by hand").unwrap();
    // One of the two is not drained: Slurm says one word for both, and changes one.
    let partly =
        run(&lab, &["-y", "slurm", "node", "resume", "-n", "exe[0001-0002]"]).ended_with(1);
    assert!(partly.stderr.contains("resumed: exe"), "{partly:#?}");
    assert!(soon(|| states(&lab, 2) == ["idle", "idle"]));
    lab.service("login", "sshd", false).unwrap();
    run(&lab, &["slurm", "node", "list"]).ended_with(3);
    run(&lab, &["-y", "slurm", "node", "drain", "why", "-n", "exe0001"]).ended_with(3);
    assert_eq!(states(&lab, 2), ["idle", "idle"]);
}

#[test]
fn what_slurm_would_take_for_more_than_was_named_is_refused() {
    let Some(lab) = lab_or_skip(3) else { return };
    let path = lab.path_on("login", "/etc/slurm/slurm.conf").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let text =
        text.replace("PartitionName=main Nodes=ALL", "PartitionName=main Nodes=exe[0001-0002]");
    let more = "NodeSet=gpus Nodes=exe[0001-0002]\nPartitionName=hidden Nodes=exe0003 Hidden=YES\n";
    fs::write(&path, text + more).unwrap();
    lab.service("login", "slurmctld", false).unwrap();
    lab.service("login", "slurmctld", true).unwrap();
    assert!(soon(|| states(&lab, 2) == ["idle", "idle"]));

    // W-26
    let list = run(&lab, &["slurm", "node", "list", "-n", "exe[0001-0003]"]).ended_with(0);
    assert_eq!(list.row("exe0003")[2], "hidden");
    let long = "x".repeat(201);
    let refused: [&[&str]; 13] = [
        // SC-06 and SC-07, known to nobody or let through by force.
        &["drain", "why", "-n", "ALL"],
        &["drain", "why", "-n", "all", "--force"],
        &["resume", "-n", "All", "--force"],
        &["drain", "why", "-n", "gpus"],
        &["drain", "why", "-n", "gpus", "--force"],
        &["drain", "why", "-n", "gpus,exe0003", "--force", "--dry-run"],
        &["resume", "-n", "gpus", "--force"],
        // SG-27: the reason is forgotten, or not quoted.
        &["drain", "exe0001"],
        &["drain", "@rack:R02"],
        &["drain", "bad", "dimm", "-n", "exe0001"],
        // OE-04
        &["drain", "bad\ndimm", "-n", "exe0001"],
        &["drain", "a|b", "-n", "exe0001"],
        &["drain", &long, "-n", "exe0001"],
    ];
    for arguments in refused {
        let said = run(&lab, &[&["-y", "slurm", "node"][..], arguments].concat()).ended_with(2);
        assert!(said.stdout.is_empty() && !said.stderr.is_empty(), "{arguments:?}: {said:#?}");
    }
    // A forgotten reason does not take the nodes of the variable instead.
    for word in ["exe0002", "@rack:R02", "exe[0001-0003]"] {
        let mut forgotten = bounded(&lab, &["-y", "slurm", "node", "drain", word]);
        forgotten.env("CLUSTERCTL_NODES", "exe0001");
        let said = said(&mut forgotten).ended_with(2);
        assert!(said.stderr.contains("reason"), "{said:#?}");
    }
    assert_eq!(states(&lab, 2), ["idle", "idle"]);
}
