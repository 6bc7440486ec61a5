//! Selecting, listing and describing nodes, and groups that commands know.

use std::time::{Duration, Instant};

use crate::config::edit;
use crate::harness::{lab_or_skip, run};

/// Where more group sources go in the example's Cluster document.
const SOURCES: &str = "    sources:\n";

#[test]
fn nodes_are_selected_listed_and_described() {
    let Some(lab) = lab_or_skip(10) else { return };
    let stdout = |arguments: &[&str]| run(&lab, arguments).ended_with(0).stdout;
    assert_eq!(
        stdout(&["node", "select", "exe[0003,0001-0002],@rack:R03"]),
        "exe[0001-0003,0009-0010]\n"
    );
    assert_eq!(stdout(&["node", "select", "-e", "@exe&exe[0001-0002]"]), "exe0001\nexe0002\n");
    assert_eq!(stdout(&["node", "select", "-c", "@slurm:main"]), "10\n");
    assert_eq!(stdout(&["node", "select", "@exe", "-x", "exe[0002-0010]"]), "exe0001\n");
    assert_eq!(stdout(&["node", "fqdn", "exe[0001-0002]"]), "exe[0001-0002].hpc.example.org\n");
    assert_eq!(stdout(&["node", "fqdn", "-b", "wlm01"]), "wlm01.mgmt.hpc.example.org\n");
    let list = run(&lab, &["node", "list"]).ended_with(0);
    assert_eq!(list.row("exe0009")[1..], ["exe", "generic", "R03"], "{list:#?}");
    assert!(list.stdout.contains("11 nodes"), "{list:#?}");
    let described = run(&lab, &["node", "describe", "exe0001"]).ended_with(0);
    for (field, value) in [
        ("bmc", "exe0001.mgmt.hpc.example.org"),
        ("groups.slurm", "main"),
        ("groups.static", "first"),
        ("attribute.os", "el9"),
    ] {
        assert_eq!(described.row(field).last().unwrap(), value, "{described:#?}");
    }
    for wrong in ["nosuch01", "@nosuch", "@rack:R99", "exe[0001-"] {
        let said = run(&lab, &["node", "list", wrong]).ended_with(2);
        assert!(!said.stderr.is_empty());
    }
}

#[test]
fn gr05_a_source_whose_host_is_away_is_named_and_the_others_are_shown() {
    let Some(lab) = lab_or_skip(2) else { return };
    lab.service("login", "sshd", false).unwrap();
    for arguments in [&["node", "describe", "exe0001"][..], &["node", "groups", "exe0001"]] {
        let said = run(&lab, arguments).ended_with(3);
        assert!(said.stdout.contains("first"), "{said:#?}");
        assert!(said.stderr.contains("slurm"), "{said:#?}");
    }
    // What needs no such source is not kept from it.
    run(&lab, &["node", "select", "@static:first"]).ended_with(0);
}

#[test]
fn gr04_a_source_that_fails_ends_the_search() {
    let Some(lab) = lab_or_skip(4) else { return };
    let sources = "    sources:
      aa-hollow:
        exec: {role: login, list: [echo, first], map: [\"true\"]}
      ab-broken:
        exec: {role: login, map: [\"false\"]}
";
    edit(&lab, "cluster.yaml", SOURCES, sources);
    // `static` knows it, but comes after a source that lists it and has no nodes.
    let hollow = run(&lab, &["node", "select", "@first"]).ended_with(1);
    assert!(hollow.stdout.is_empty() && hollow.stderr.contains("aa-hollow"), "{hollow:#?}");
    let broken = run(&lab, &["node", "select", "@services"]).ended_with(1);
    assert!(broken.stdout.is_empty() && broken.stderr.contains("ab-broken"), "{broken:#?}");
    assert_eq!(
        run(&lab, &["node", "select", "@static:first"]).ended_with(0).stdout,
        "exe[0001-0004]\n"
    );
}

#[test]
fn gr07_a_group_command_that_hangs_ends_with_its_time() {
    let Some(lab) = lab_or_skip(1) else { return };
    let sources = "    sources:\n      slow:\n        exec: {role: login, map: [sleep, \"600\"]}\n";
    edit(&lab, "cluster.yaml", SOURCES, sources);
    for more in [&[][..], &["--dry-run"]] {
        let begun = Instant::now();
        let words = ["--set", "fanout.commandTimeout=1s", "-y", "boot", "set", "-n", "@slow:any"];
        let said = run(&lab, &[&words[..], more].concat()).ended_with(3);
        assert!(said.stdout.is_empty() && said.stderr.contains("slow"), "{said:#?}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}

#[test]
fn gr01_a_group_of_one_cluster_is_never_anothers() {
    let Some(lab) = lab_or_skip(3) else { return };

    let path = lab.directories().config().join("config.yaml");
    let text = std::fs::read_to_string(&path).unwrap();
    let more = "  - name: other\n    cluster: other\n    user: root\n";
    let text = format!("{}\n{more}", text.trim_end());
    std::fs::write(path, text).unwrap();
    let cluster = "apiVersion: clusterctl/v1alpha1
kind: Cluster
metadata:
  name: other
spec:
  site: example
  inventories: [cluster1]
  groups:
    sources:
      slurm:
        cacheTtl: 60s
        exec: {role: install, map: [echo, exe0003]}
";
    std::fs::write(lab.directories().config().join("other.yaml"), cluster).unwrap();
    let select = |context: &str| {
        let said = run(&lab, &["--context", context, "node", "select", "@slurm:main"]);
        said.ended_with(0).stdout
    };
    for _ in 0..2 {
        assert_eq!(select("cluster1"), "exe[0001-0003]\n");
        assert_eq!(select("other"), "exe0003\n");
    }
}

#[test]
fn in06_a_first_contact_is_said_before_its_certificate_is_recorded() {
    let Some(lab) = lab_or_skip(1) else { return };
    let pins = lab.directories().home().join("pins");
    let setting = format!("bmc.redfish.pinStore={}", pins.display());
    let status = ["--set", &setting, "bmc", "status", "-n", "exe0001"];
    let host = "exe0001.mgmt.hpc.example.org";
    // The store cannot be written: the note is there all the same, and nothing was sent.
    std::fs::create_dir(pins.with_extension("lock")).unwrap();
    let said = run(&lab, &status);
    assert_ne!(said.code, 0, "{said:#?}");
    assert!(said.stderr.contains("first contact") && said.stderr.contains(host), "{said:#?}");
    assert!(lab.bmc("exe0001").requests().unwrap().is_empty(), "no password was sent");
    std::fs::remove_dir(pins.with_extension("lock")).unwrap();
    let said = run(&lab, &status).ended_with(0);
    assert!(
        said.stderr.starts_with("note: first contact") && said.stderr.contains(host),
        "{said:#?}"
    );
    assert!(std::fs::read_to_string(&pins).unwrap().contains(host));
    assert_eq!(run(&lab, &status).ended_with(0).stderr, "", "it is known now");
}
