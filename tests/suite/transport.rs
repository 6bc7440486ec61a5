//! Reaching hosts, in process and by the system's ssh.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lab::Lab;

use crate::config::{edit, key_of, known_hosts, put_into_ssh_config, restart_sshd};
use crate::harness::{Said, command, interrupt, lab_or_skip, run, soon};
use crate::processes::left_on_the_workstation;

const TRANSPORTS: [&str; 2] = ["ssh.transport=libssh2", "ssh.transport=openssh"];
const TOUCH: [&str; 5] = ["exec", "exe0001", "--", "touch", "/tmp/touched"];

/// What the administrator sees over each transport, with these settings.
fn over_each(lab: &Lab, settings: &[&str], arguments: &[&str]) -> [Said; 2] {
    TRANSPORTS.map(|transport| {
        let settings = settings.iter().flat_map(|setting| ["--set", *setting]);
        let all: Vec<&str> = ["--set", transport]
            .into_iter()
            .chain(settings)
            .chain(arguments.iter().copied())
            .collect();
        run(lab, &all)
    })
}

/// Neither transport connects with these settings: exit 3, and nothing ran.
#[track_caller]
fn is_not_trusted(lab: &Lab, settings: &[&str], why: &str) {
    for said in over_each(lab, settings, &TOUCH) {
        let said = said.ended_with(3);
        assert!(said.stdout.is_empty() && said.stderr.contains("not trusted"), "{why}: {said:#?}");
    }
    assert!(!lab.path_on("exe0001", "/tmp/touched").unwrap().exists(), "{why}: it ran");
}

/// Both transports connect with these settings.
#[track_caller]
fn is_trusted(lab: &Lab, settings: &[&str], why: &str) {
    for said in over_each(lab, settings, &["exec", "exe0001", "--", "hostname"]) {
        assert_eq!(said.code, 0, "{why}: {said:#?}");
        assert_eq!(said.stdout, "exe0001: exe0001\n", "{why}");
    }
}

#[test]
fn both_transports_say_the_same() {
    let Some(lab) = lab_or_skip(3) else { return };
    lab.service("exe0003", "sshd", false).unwrap();
    let script = "hostname; printf 'no end'; echo why >&2; test $(hostname) != exe0002";
    for arguments in [
        &["exec", "exe[0001-0002]", "--script", script][..],
        &["exec", "exe[0001-0002]", "-o", "json", "--script", script],
        &["dhcp", "hosts", "-n", "exe[0001-0003]"],
        &["boot", "list"],
        &["slurm", "node", "list"],
        &["provision", "reinstall", "--dry-run", "-n", "exe[0001-0002]"],
    ] {
        let [one, other] = over_each(&lab, &[], arguments);
        assert_eq!(one.stdout, other.stdout, "{arguments:?}");
        assert_eq!((one.stderr, one.code), (other.stderr, other.code), "{arguments:?}");
    }
    for said in over_each(&lab, &[], &["exec", "exe0003", "--", "true"]) {
        let said = said.ended_with(3);
        assert!(said.stderr.starts_with("exe0003: unreachable: "), "{said:#?}");
    }
    for said in over_each(&lab, &[], &["exec", "nosuch01", "--force", "--", "true"]) {
        said.ended_with(3);
    }
}

#[test]
fn a_host_behind_the_gateway_is_reached_through_it_and_both_keys_are_checked() {
    let Some(lab) = lab_or_skip(1) else { return };
    // Only `fabric` has this file's text, and only the gateway knows where it is.
    let role = "services.pxesrv.role=fabric";
    let log = "services.pxesrv.logPath=/etc/hosts";
    for said in over_each(&lab, &[role, log], &["boot", "log"]) {
        assert!(said.ended_with(0).stdout.contains("fabric.hpc.example.org fabric"));
    }
    let good = fs::read_to_string(lab.known_hosts()).unwrap();
    for host in ["gateway", "fabric"] {
        let wrong = good.replace(&key_of(&lab, host), &key_of(&lab, "exe0001"));
        let (_, file) = known_hosts(&lab, "wrong", &wrong);
        for said in over_each(&lab, &[role, log, &file], &["boot", "log"]) {
            let said = said.ended_with(3);
            assert!(said.stdout.is_empty(), "the key of {host} is another: {said:#?}");
        }
    }
    // A node is reached the same way where the person's ssh_config says so (HK-02 for the scan).
    put_into_ssh_config(&lab, "Host fabric.hpc.example.org\n  ProxyJump gateway.hpc.example.org");
    for said in over_each(&lab, &[], &["--force", "exec", "fabric", "--", "hostname"]) {
        assert_eq!(said.ended_with(0).stdout, "fabric: fabric\n");
    }
    let scan = run(&lab, &["hostkey", "scan", "-n", "fabric"]).ended_with(0);
    assert_eq!(scan.row("fabric")[1], "ssh-ed25519", "{scan:#?}");
    let wrong = good.replace(&key_of(&lab, "gateway"), &key_of(&lab, "exe0001"));
    let (_, file) = known_hosts(&lab, "wrong", &wrong);
    let scan = run(&lab, &["--set", &file, "hostkey", "scan", "-n", "fabric"]).ended_with(3);
    assert_eq!(scan.row("fabric")[1], "unreachable", "{scan:#?}");
}

#[test]
fn only_a_key_of_the_file_lets_a_host_in() {
    let Some(lab) = lab_or_skip(2) else { return };
    let good = fs::read_to_string(lab.known_hosts()).unwrap();
    let (own, other) = (key_of(&lab, "exe0001"), key_of(&lab, "exe0002"));
    let file = |name: &str, text: &str| known_hosts(&lab, name, text).1;

    let changed = file("changed", &good.replace(&own, &other));
    is_not_trusted(&lab, &[&changed], "another key");
    is_not_trusted(&lab, &[&file("empty", "# nobody\n")], "no key");
    let revoked = format!("{good}@revoked * {own}\n");
    is_not_trusted(&lab, &[&file("revoked", &revoked)], "a revoked key");

    let (hashed, setting) = known_hosts(&lab, "hashed", &good);
    let mut keygen = Command::new("ssh-keygen");
    assert!(keygen.args(["-q", "-H", "-f"]).arg(&hashed).output().unwrap().status.success());
    assert!(fs::read_to_string(&hashed).unwrap().contains("|1|"));
    is_trusted(&lab, &[&setting], "a hashed file");
    is_trusted(&lab, &[&file("wildcard", &format!("exe*.hpc.example.org {own}\n"))], "a wildcard");

    // HK-06: what is relaxed for bring-up lets new hosts in, never changed ones, and writes nothing.
    let relaxed = "ssh.strictHostKeyChecking=false";
    is_not_trusted(&lab, &[&changed, relaxed], "another key, relaxed");
    let (path, new) = known_hosts(&lab, "new", "# nobody\n");
    is_trusted(&lab, &[&new, relaxed], "no key, relaxed");
    assert_eq!(fs::read_to_string(path).unwrap(), "# nobody\n");
    is_not_trusted(&lab, &[&file("revoked", &revoked), relaxed], "a revoked key, relaxed");

    // TR-02: the person's own settings cannot widen the trust.
    let (path, _) = known_hosts(&lab, "mine", &good);
    put_into_ssh_config(
        &lab,
        &format!(
            "Host *\n  GlobalKnownHostsFile {0}\n  UserKnownHostsFile {0}\n  StrictHostKeyChecking no",
            path.display()
        ),
    );
    is_not_trusted(&lab, &[&changed], "another key, with the real one in the person's file");
}

#[test]
fn tr03_without_a_host_key_file_nothing_connects() {
    let Some(lab) = lab_or_skip(1) else { return };
    edit(&lab, "site.yaml", "    knownHostsFile: ssh_known_hosts\n", "");
    for said in over_each(&lab, &[], &TOUCH) {
        let said = said.ended_with(2);
        assert!(said.stderr.contains("ssh.knownHostsFile"), "{said:#?}");
    }
    assert!(!lab.path_on("exe0001", "/tmp/touched").unwrap().exists());
}

#[test]
fn tr06_a_persons_control_master_is_not_used() {
    let Some(lab) = lab_or_skip(1) else { return };
    let socket = lab.directories().home().join("master");
    let master = format!(
        "Host *\n  ControlMaster auto\n  ControlPath {}\n  ControlPersist 60",
        socket.display()
    );
    put_into_ssh_config(&lab, &master);
    is_trusted(&lab, &[], "with a control master in the person's file");
    assert!(!socket.exists());
    assert_eq!(left_on_the_workstation(&lab), Vec::<String>::new());
}

#[test]
fn tr08_a_blank_in_a_path_is_part_of_it() {
    let Some(lab) = lab_or_skip(2) else { return };
    let (home, config) = (lab.directories().home(), lab.directories().config());
    let mine = home.join("my config");
    let copied = Command::new("cp").arg("-a").arg(&config).arg(&mine).status().unwrap();
    assert!(copied.success());
    let run_there = |arguments: &[&str]| {
        TRANSPORTS.map(|transport| {
            run(&lab, &[&["--config", "my config", "--set", transport][..], arguments].concat())
        })
    };
    for said in run_there(&["exec", "exe0001", "--", "hostname"]) {
        assert_eq!(said.ended_with(0).stdout, "exe0001: exe0001\n");
    }
    // The real file holds another key; the pieces of its name, relative to here, hold the right one.
    let good = fs::read_to_string(mine.join("ssh_known_hosts")).unwrap();
    let wrong = good.replace(&key_of(&lab, "exe0001"), &key_of(&lab, "exe0002"));
    fs::write(mine.join("ssh_known_hosts"), wrong).unwrap();
    fs::write(home.join("my"), &good).unwrap();
    fs::create_dir(home.join("config")).unwrap();
    fs::write(home.join("config/ssh_known_hosts"), &good).unwrap();
    for said in run_there(&TOUCH) {
        said.ended_with(3);
    }
    assert!(!lab.path_on("exe0001", "/tmp/touched").unwrap().exists());
}

#[test]
fn tr09_a_node_that_is_a_roles_host_too_is_reached_as_a_node() {
    let Some(lab) = lab_or_skip(1) else { return };
    let role = "  hosts:\n    shadow:\n      host: exe0001.hpc.example.org\n      user: nobody\n";
    edit(&lab, "site.yaml", "  hosts:\n", role);
    for said in over_each(&lab, &[], &["exec", "exe0001", "--", "id", "-un"]) {
        assert_eq!(said.ended_with(0).stdout, "exe0001: root\n");
    }
}

#[test]
fn tr15_old_key_types_are_accepted_of_nodes_too_where_the_site_says_so() {
    let Some(lab) = lab_or_skip(1) else { return };
    let mut keygen = lab.command_on("exe0001", "ssh-keygen").unwrap();
    keygen.args(["-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", "/etc/ssh/old"]);
    assert!(keygen.status().unwrap().success());
    let sshd = lab.path_on("exe0001", "/etc/ssh/sshd_config").unwrap();
    let text = fs::read_to_string(&sshd).unwrap();
    let others = |line: &&str| !line.starts_with("HostKey ");
    let text: Vec<_> = text.lines().filter(others).collect();
    let old = "HostKey /etc/ssh/old\nHostKeyAlgorithms ssh-rsa\n";
    fs::write(&sshd, format!("{old}{}\n", text.join("\n"))).unwrap();
    restart_sshd(&lab, "exe0001");
    let key = fs::read_to_string(lab.path_on("exe0001", "/etc/ssh/old.pub").unwrap()).unwrap();
    let (_, file) = known_hosts(&lab, "old", &format!("exe0001.hpc.example.org {key}"));
    for said in over_each(&lab, &[&file], &TOUCH) {
        let said = said.ended_with(3);
        assert!(said.stdout.is_empty(), "{said:#?}");
    }
    assert!(!lab.path_on("exe0001", "/tmp/touched").unwrap().exists());
    is_trusted(&lab, &[&file, "ssh.legacyKeyTypes=true"], "an old key type, accepted");
}

#[test]
fn tr23_an_ssh_that_does_not_end_is_ended_and_its_helper_is_not_waited_for() {
    let Some(lab) = lab_or_skip(1) else { return };
    let ssh = lab.directories().home().join("ssh");
    // It takes no notice of SIGTERM; its helper has left its group and holds its streams.
    let script = "#!/bin/sh\ntrap '' TERM\nsetsid sleep 30 &\necho >\"$HOME/began\"\n\
                  while :; do sleep 1; done\n";
    fs::write(&ssh, script).unwrap();
    fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).unwrap();
    let setting = format!("ssh.binary={}", ssh.display());
    let arguments = ["--set", TRANSPORTS[1], "--set", &setting];
    let mut running = command(&lab, &[&arguments[..], &TOUCH].concat());
    let child = running.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(soon(|| lab.directories().home().join("began").exists()));
    let begun = Instant::now();
    interrupt(&child);
    Said::of(&child.wait_with_output().unwrap()).ended_with(130);
    let took = begun.elapsed();
    assert!(Duration::from_secs(4) < took && took < Duration::from_secs(15), "{took:?}");
    let left = left_on_the_workstation(&lab);
    assert!(!left.iter().any(|line| line.contains("/ssh ")), "ssh was killed: {left:?}");
}

#[test]
fn tr20_a_host_that_wants_a_password_fails_in_time() {
    let Some(lab) = lab_or_skip(1) else { return };
    let sshd = lab.path_on("exe0001", "/etc/ssh/sshd_config").unwrap();
    let text = fs::read_to_string(&sshd).unwrap();
    let text = text
        .replace("PasswordAuthentication no", "PasswordAuthentication yes")
        .replace("KbdInteractiveAuthentication no", "KbdInteractiveAuthentication yes");
    fs::write(&sshd, format!("PubkeyAuthentication no\n{text}")).unwrap();
    restart_sshd(&lab, "exe0001");
    for said in over_each(&lab, &[], &TOUCH) {
        let said = said.ended_with(3);
        assert!(said.stderr.contains("exe0001: not let in: "), "{said:#?}");
    }
}

#[test]
fn a_host_that_takes_connections_and_says_nothing_costs_the_connect_timeout() {
    let Some(lab) = lab_or_skip(1) else { return };
    lab.service("exe0001", "sshd", false).unwrap();
    let mut silent = lab.command_on("exe0001", "python3").unwrap();
    let listen = "import socket,time\ns=socket.create_server(('0.0.0.0',22))\nprint('up',flush=True)\ntime.sleep(60)";
    let mut silent = silent.args(["-c", listen]).stdout(Stdio::piped()).spawn().unwrap();
    let mut ready = [0; 2];
    std::io::Read::read_exact(silent.stdout.as_mut().unwrap(), &mut ready).unwrap();
    let begun = Instant::now();
    let settings = ["ssh.connectTimeout=1s", "ssh.connectionAttempts=1"];
    for said in over_each(&lab, &settings, &TOUCH) {
        said.ended_with(3);
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    silent.kill().unwrap();
    silent.wait().unwrap();
}

#[test]
fn a_host_with_a_certificate_is_reached_by_openssh() {
    let Some(lab) = lab_or_skip(2) else { return };
    let authority = lab.directories().home().join("authority");
    let keygen = |arguments: &[&str]| {
        let done = Command::new("ssh-keygen").args(arguments).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    let ca = authority.display().to_string();
    keygen(&["-q", "-t", "ed25519", "-N", "", "-f", &ca]);
    let key = lab.path_on("exe0001", "/etc/ssh/ssh_host_ed25519_key.pub").unwrap();
    let name = "exe0001.hpc.example.org";
    keygen(&["-q", "-s", &ca, "-h", "-I", "exe0001", "-n", name, &key.display().to_string()]);
    let sshd = lab.path_on("exe0001", "/etc/ssh/sshd_config").unwrap();
    let text = fs::read_to_string(&sshd).unwrap();
    let certificate = "HostCertificate /etc/ssh/ssh_host_ed25519_key-cert.pub\n";
    fs::write(&sshd, format!("{text}{certificate}")).unwrap();
    restart_sshd(&lab, "exe0001");
    let public = fs::read_to_string(authority.with_extension("pub")).unwrap();
    let line = format!("@cert-authority *.hpc.example.org {public}");
    let (_, setting) = known_hosts(&lab, "authorities", &line);
    is_trusted(&lab, &[&setting], "vouched for by an authority");
    // The other node has no certificate.
    for said in over_each(&lab, &[&setting], &["exec", "exe0002", "--", "true"]) {
        said.ended_with(3);
    }
    let revoked = line.replacen("@cert-authority", "@revoked", 1);
    let (_, setting) = known_hosts(&lab, "revoked", &format!("{line}{revoked}"));
    is_not_trusted(&lab, &[&setting], "a revoked authority");
}
