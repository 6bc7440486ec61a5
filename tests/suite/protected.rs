//! Protected hosts that only a command knows.

use lab::Lab;

use crate::config::edit;
use crate::harness::{Said, lab_or_skip, run};

/// Protects whoever a command on the login host names.
fn protect_a_group(lab: &Lab) {
    let sources = "    sources:\n      kept:\n        exec: {role: login, map: [cat, /etc/kept]}\n";
    edit(lab, "cluster.yaml", "    sources:\n", sources);
    edit(lab, "site.yaml", "protectedHosts: [wlm01]", "protectedHosts: [wlm01, '@kept:all']");
    let kept = lab.path_on("login", "/etc/kept").unwrap();
    std::fs::write(kept, "exe0002.hpc.example.org\n").unwrap();
}

#[test]
fn sg30_a_protected_group_is_asked_for_when_something_would_change() {
    let Some(lab) = lab_or_skip(3) else { return };
    protect_a_group(&lab);
    let before = lab.snapshot().unwrap();
    let set = |nodes: &str| run(&lab, &["-y", "boot", "set", "-n", nodes]);
    for nodes in ["exe0002", "exe[0001-0003]", "EXE0002.hpc.example.org."] {
        let said = set(nodes).ended_with(2);
        assert!(said.stdout.is_empty(), "{said:#?}");
        assert!(said.stderr.contains("exe0002 is protected"), "{nodes}: {said:#?}");
    }
    assert_eq!(lab.snapshot().unwrap(), before);
    set("exe0001").ended_with(0);
    run(&lab, &["-y", "boot", "unset", "-n", "exe0001"]).ended_with(0);
    run(&lab, &["config", "validate"]).ended_with(0);

    // Its host is away: what only reads goes on, and nothing is changed without a word.
    lab.service("login", "sshd", false).unwrap();
    for read in [
        &["node", "list"][..],
        &["boot", "status", "-n", "exe0002"],
        &["bmc", "status", "-n", "exe0002"],
    ] {
        run(&lab, read).ended_with(0);
    }
    let without_job_check = "--set=safety.slurmAware=false";
    let changes: [&[&str]; 6] = [
        &["boot", "set", "-n", "exe0001"],
        &["boot", "unset", "-n", "exe0001"],
        &[without_job_check, "bmc", "power", "off", "-n", "exe0001"],
        &["bmc", "boot", "set", "Pxe", "-n", "exe0001"],
        &[without_job_check, "provision", "reinstall", "-n", "exe0001"],
        &["hostkey", "remove", "-n", "exe0001"],
    ];
    let refused = |said: Said| {
        let said = said.ended_with(2);
        assert!(said.stdout.is_empty(), "{said:#?}");
        assert!(said.stderr.contains("protected hosts cannot be resolved"), "{said:#?}");
    };
    for change in changes {
        for answer in ["-y", "--dry-run"] {
            refused(run(&lab, &[&[answer][..], change].concat()));
        }
    }
    refused(run(&lab, &["exec", "exe0001", "--", "touch", "/tmp/sg30"]));
    assert_eq!(lab.snapshot().unwrap(), before);
    let validate = run(&lab, &["config", "validate"]);
    assert!(matches!(validate.code, 2 | 3) && validate.stderr.contains("kept"), "{validate:#?}");

    let forced = run(&lab, &["-y", "--force", "boot", "set", "-n", "exe0001"]).ended_with(0);
    assert!(forced.stderr.contains("--force goes ahead"), "{forced:#?}");
}
