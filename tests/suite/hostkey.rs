//! The site's host key file and the keys that hosts show.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::config::{change_key, key_of, known_hosts, put_into_ssh_config};
use crate::harness::{Said, command, lab_or_skip, program, run, said};

/// The line that each node has in a file, by its fully qualified name.
fn line(node: &str, key: &str) -> String {
    format!("{node}.hpc.example.org {key}\n")
}

/// The fingerprint of a key, as ssh-keygen says it.
fn fingerprint(key: &str) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, key.as_bytes()).unwrap();
    let said = Command::new("ssh-keygen").arg("-lf").arg(file.path()).output().unwrap();
    String::from_utf8(said.stdout).unwrap().split(' ').nth(1).unwrap().to_owned()
}

#[test]
fn list_scan_and_verify_say_what_the_file_holds_and_what_hosts_show() {
    let Some(lab) = lab_or_skip(7) else { return };
    let good = fs::read(lab.known_hosts()).unwrap();
    let own = |number: u8| key_of(&lab, &format!("exe000{number}"));

    let scan = run(&lab, &["hostkey", "scan", "-n", "exe[0001-0002]"]).ended_with(0);
    assert_eq!(
        scan.row("exe0002")[..],
        ["exe0002.hpc.example.org", "ssh-ed25519", &fingerprint(&own(2))]
    );
    let list = run(&lab, &["hostkey", "list"]).ended_with(0);
    assert_eq!(list.row("exe0001").last().unwrap(), &fingerprint(&own(1)), "{list:#?}");
    let verify = run(&lab, &["hostkey", "verify", "-n", "exe[0001-0007]"]).ended_with(0);
    assert_eq!(verify.row("exe0007")[1], "matches");

    // HK-05 and every other state, in one file.
    let (hashed, _) = known_hosts(&lab, "hashed", &line("exe0001", &own(1)));
    let keygen = Command::new("ssh-keygen").args(["-q", "-H", "-f"]).arg(&hashed).output().unwrap();
    assert!(keygen.status.success());
    let text = [
        fs::read_to_string(&hashed).unwrap(),
        line("exe0002", &own(1)),
        format!("{}@revoked * {}\n", line("exe0003", &own(3)), own(3)),
        line("exe0005", &own(5)),
        format!("exe0006*,!nobody {}\n", own(6)),
        format!("*.hpc.example.org,!exe*.hpc.example.org {}\n", own(7)),
    ];
    let (_, setting) = known_hosts(&lab, "states", &text.concat());
    lab.service("exe0005", "sshd", false).unwrap();
    let states = |said: &Said| -> Vec<String> {
        (1..=7).map(|number| said.row(&format!("exe000{number}"))[1].clone()).collect()
    };
    let verify = run(&lab, &["--set", &setting, "hostkey", "verify", "-n", "exe[0001-0007]"]);
    assert_eq!(
        states(&verify),
        ["matches", "CHANGED", "REVOKED", "missing", "unreachable", "matches", "missing"],
        "{verify:#?}"
    );
    // A changed or revoked key counts before a host that does not answer.
    verify.ended_with(1);
    let verify = ["--set", &setting, "hostkey", "verify", "-n", "exe[0004-0005]"];
    run(&lab, &verify).ended_with(3);
    assert_eq!(fs::read(lab.known_hosts()).unwrap(), good, "nothing of this writes the file");
}

#[test]
fn hk03_a_refresh_replaces_the_nodes_lines_and_leaves_all_others() {
    let Some(lab) = lab_or_skip(3) else { return };
    let (one, two) = (key_of(&lab, "exe0001"), key_of(&lab, "exe0002"));
    let text = format!(
        "# head of the file\n\n# first\n{}# second\n{}# authorities\n@cert-authority *.example.com {one}\n",
        line("exe0001", &one),
        line("exe0002", &two)
    );
    let (path, setting) = known_hosts(&lab, "commented", &text);
    let hostkey = |arguments: &[&str]| run(&lab, &[&["--set", &setting][..], arguments].concat());

    let refused = hostkey(&["hostkey", "refresh", "-n", "exe0001"]).ended_with(2);
    assert!(refused.stdout.is_empty(), "no terminal: {refused:#?}");
    hostkey(&["-y", "hostkey", "refresh", "-n", "wlm01"]).ended_with(2);
    hostkey(&["-y", "hostkey", "remove", "-n", "WLM01.hpc.example.org."]).ended_with(2);
    change_key(&lab, "exe0001");
    let dry = hostkey(&["hostkey", "refresh", "-n", "exe0001", "--dry-run"]).ended_with(0);
    let new = key_of(&lab, "exe0001");
    assert!(dry.stdout.contains(&format!("{} (changed)", fingerprint(&new))), "{dry:#?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);

    lab.service("exe0003", "sshd", false).unwrap();
    let done = hostkey(&["-y", "hostkey", "refresh", "-n", "exe[0001,0003]"]).ended_with(3);
    assert_eq!(done.row("exe0001")[1..], ["replaced", "ssh-ed25519"], "{done:#?}");
    assert_eq!(done.row("exe0003")[1], "unreachable");
    let after = fs::read_to_string(&path).unwrap();
    let names = |line: &str| line.split(' ').next().unwrap().to_owned();
    let kept = text.replace(&line("exe0001", &one), "");
    let (head, last) = after.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(format!("{head}\n"), kept, "all other lines are as they were");
    assert!(last.ends_with(&new) && names(last).contains("exe0001.hpc.example.org"), "{last}");

    hostkey(&["-y", "hostkey", "remove", "-n", "exe[0001-0002]"]).ended_with(0);
    assert_eq!(fs::read_to_string(&path).unwrap(), kept.replace(&line("exe0002", &two), ""));
}

#[test]
fn hk08_a_file_of_a_group_stays_the_groups() {
    const GROUP: u32 = 4242;
    let Some(lab) = lab_or_skip(2) else { return };
    let shared = tempfile::tempdir_in("/var/tmp").unwrap();
    let folder = shared.path().join("shared");
    fs::create_dir(&folder).unwrap();
    let file = folder.join("known_hosts");
    fs::copy(lab.known_hosts(), &file).unwrap();
    for path in [shared.path(), &folder, &file] {
        chown(path, None, Some(GROUP)).unwrap();
    }
    let mode = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(shared.path(), 0o755);
    mode(&folder, 0o2775);
    mode(&file, 0o664);
    let link = lab.directories().home().join("link");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let setting = format!("ssh.knownHostsFile={}", link.display());
    let is_the_groups = |after: &str| {
        let meta = fs::metadata(&file).unwrap();
        assert_eq!((meta.mode() & 0o7777, meta.gid()), (0o664, GROUP), "{after}");
        assert_eq!(fs::read_link(&link).unwrap(), file, "{after}");
    };

    change_key(&lab, "exe0001");
    let refresh = ["-y", "--set", &setting, "hostkey", "refresh", "-n", "exe0001"];
    run(&lab, &refresh).ended_with(0);
    assert!(fs::read_to_string(&file).unwrap().contains(&key_of(&lab, "exe0001")));
    is_the_groups("the first administrator");

    // Another administrator of the group, who owns nothing of it.
    let state = shared.path().join("state");
    fs::create_dir(&state).unwrap();
    chown(&state, Some(4243), Some(GROUP)).unwrap();
    let mut other = lab.workstation().command("setpriv");
    other.args(["--reuid=4243", "--regid=4242", "--clear-groups"]).arg(program());
    other.args(["-y", "--set", &setting, "hostkey", "remove", "-n", "exe0002"]);
    other.env("XDG_STATE_HOME", &state).env("HOME", &state).stdin(Stdio::null());
    said(&mut other).ended_with(0);
    assert!(!fs::read_to_string(&file).unwrap().contains("exe0002"));
    is_the_groups("the second administrator");
    let names: Vec<_> = fs::read_dir(&folder).unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(names, ["known_hosts"], "nothing is left beside it");
}

#[test]
fn w17_a_scan_behind_a_jump_says_why_it_failed_and_ends_in_time() {
    let Some(lab) = lab_or_skip(1) else { return };
    let jump = "Host fabric.hpc.example.org\n  ProxyJump gateway.hpc.example.org";
    put_into_ssh_config(&lab, jump);
    let scan = ["--set", "ssh.connectTimeout=2s", "hostkey", "scan", "-n", "fabric"];
    run(&lab, &scan).ended_with(0);
    lab.service("fabric", "sshd", false).unwrap();
    let refused = run(&lab, &scan).ended_with(3);
    assert_eq!(refused.row("fabric")[1], "unreachable", "{refused:#?}");
    assert!(refused.stderr.contains("fabric.hpc.example.org port 22"), "{refused:#?}");
    // Nothing answers any more, also not that it does not.
    lab.link("fabric", false).unwrap();
    let begun = Instant::now();
    let silent = run(&lab, &scan).ended_with(3);
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    assert!(silent.stderr.contains("fabric.hpc.example.org port 22"), "{silent:#?}");
}

#[test]
fn two_refreshes_at_once_lose_no_entry() {
    let Some(lab) = lab_or_skip(8) else { return };
    let (path, setting) = known_hosts(&lab, "both", "# both\n");
    let refresh = |nodes: &str| {
        let words = ["-y", "--set", &setting, "hostkey", "refresh", "-n", nodes];
        let mut refresh = command(&lab, &words);
        refresh.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let both: Vec<_> = ["exe[0001-0004]", "exe[0005-0008]"].map(refresh).into();
    for child in both {
        Said::of(&child.wait_with_output().unwrap()).ended_with(0);
    }
    let text = fs::read_to_string(path).unwrap();
    assert!(text.starts_with("# both\n"), "{text}");
    for number in 1..=8 {
        assert!(text.contains(&key_of(&lab, &format!("exe000{number}"))), "exe000{number}: {text}");
    }
}
