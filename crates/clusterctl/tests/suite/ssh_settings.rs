//! What may be written into a configuration of ssh, and what is written.

use std::os::unix::fs::PermissionsExt as _;

use crate::workplace::{SITE, Workplace};

fn with_ssh(ssh: &str) -> Workplace {
    let place = Workplace::new();
    place.site(&SITE.replace("ssh: {knownHostsFile: known_hosts}", &format!("ssh: {ssh}")));
    place
}

fn with_roles(hosts: &str) -> Workplace {
    let place = Workplace::new();
    place.site(&SITE.replace("login: {host: login.hpc.example.org, user: root}", hosts));
    place
}

#[test]
fn without_a_host_key_file_nothing_connects() {
    for transport in ["libssh2", "openssh"] {
        let place = with_ssh("{}");
        let (program, mark) = place.trap();
        let (binary, transport) =
            (format!("ssh.binary={}", program.display()), format!("ssh.transport={transport}"));
        let words = ["--set", &binary, "--set", &transport, "exec", "exe1", "--", "true"];
        let ran = place.run(&words);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.stderr.contains("ssh.knownHostsFile") && !mark.exists(), "{ran:?}");
    }
}

#[test]
fn a_control_character_reaches_no_configuration_of_ssh() {
    for ssh in [
        r#"{knownHostsFile: "known\nhosts"}"#,
        r#"{knownHostsFile: known_hosts, controlPath: "a\nProxyCommand x"}"#,
        r#"{knownHostsFile: known_hosts, include: ["a\nb"]}"#,
        r#"{knownHostsFile: known_hosts, sendEnv: ["LANG\nHost *"]}"#,
        r#"{knownHostsFile: known_hosts, options: {Compression: "yes\nProxyCommand x"}}"#,
        r#"{knownHostsFile: known_hosts, options: {"A\nB": x}}"#,
        r#"{knownHostsFile: "known\"hosts"}"#,
    ] {
        let place = with_ssh(ssh);
        assert!(place.refuses(&["config", "validate"]).contains("site.yaml:"), "{ssh}");
        place.refuses(&["node", "list"]);
    }
    for role in [
        r#"login: {host: "a\nb"}"#,
        r#"login: {host: a, user: "root\nProxyCommand x"}"#,
        r#"login: {host: a, options: {Compression: "yes\nx"}}"#,
        r"login: {host: -oProxyCommand=x}",
        r"login: {host: a, user: -l}",
    ] {
        let place = with_roles(role);
        assert!(place.refuses(&["config", "validate"]).contains("site.yaml:"), "{role}");
    }
    with_roles("login: {host: a, description: \"one\\nProxyCommand x\"}")
        .prints(&["config", "validate"]);
}

#[test]
fn a_block_or_a_decision_about_trust_is_no_option() {
    for keyword in [
        "Host",
        "match",
        "INCLUDE",
        "StrictHostKeyChecking",
        "UserKnownHostsFile",
        "GlobalKnownHostsFile",
        "KnownHostsCommand",
        "VerifyHostKeyDNS",
        "NoHostAuthenticationForLocalhost",
        "UpdateHostKeys",
        "RevokedHostKeys",
        "Two Words",
        "",
    ] {
        let option = format!("{{'{keyword}': 'no'}}");
        let place = with_ssh(&format!("{{knownHostsFile: known_hosts, options: {option}}}"));
        assert!(place.refuses(&["config", "validate"]).contains("site.yaml:"), "{keyword}");
        let place = with_roles(&format!("login: {{host: a, options: {option}}}"));
        assert!(place.refuses(&["node", "list"]).contains("site.yaml:"), "{keyword}");
    }
}

#[test]
fn w46_a_host_has_one_way_to_it_and_a_shared_connection_one_place() {
    let place = with_roles(
        "gateway: {host: g}\n  inner: {host: i, proxyJump: gateway, options: {proxycommand: nc}}",
    );
    let message = place.refuses(&["config", "validate"]);
    assert!(message.contains("hosts.inner.options.proxycommand: proxyJump says"), "{message}");
    with_roles("inner: {host: i, options: {ProxyCommand: nc}}").prints(&["config", "validate"]);
    for (path, valid) in [
        ("sockets/%C", false),
        ("~bob/%C", false),
        ("~/.ssh/%C", true),
        ("/run/%C", true),
        ("none", true),
    ] {
        let place = with_ssh(&format!("{{knownHostsFile: known_hosts, controlPath: '{path}'}}"));
        if valid {
            place.prints(&["config", "validate"]);
        } else {
            assert!(place.refuses(&["config", "validate"]).contains("ssh.controlPath"), "{path}");
        }
    }
}

#[test]
fn two_roles_on_one_host_agree() {
    for (one, other) in [
        ("user: root", "user: admin"),
        ("port: 22", "port: 2222"),
        ("options: {Compression: 'yes'}", "options: {Compression: 'no'}"),
        ("proxyJump: c", "user: x"),
        ("legacyAlgorithms: true", "legacyAlgorithms: false"),
    ] {
        let place = with_roles(
            &format!("a: {{host: x, {one}}}, \n  b: {{host: X, {other}}}\n  c: {{host: y}}")
                .replace(", \n", "\n"),
        );
        let message = place.refuses(&["config", "validate"]);
        assert!(
            message.contains("hosts.b") && message.contains("\"a\""),
            "{one} {other}: {message}"
        );
    }
    with_roles("a: {host: x, user: r}\n  b: {host: x, user: r}").prints(&["config", "validate"]);
    with_roles("a: {host: x, proxyJump: b}\n  b: {host: y, proxyJump: a}")
        .refuses(&["node", "list"]);
}

/// The configuration that the program would hand to ssh.
fn written(place: &Workplace) -> String {
    let (program, copy) = (place.root().join("keep"), place.root().join("kept"));
    let script = format!(
        "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -F ] && cat \"$2\" >{}; shift; done\nexit 255\n",
        copy.display()
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
    place.write(
        "known_hosts",
        "* ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3pUGo2bD2nHHqKFrx0dBXDnqzDKRqvKvXhGJbVz9nB\n",
    );
    let binary = format!("ssh.binary={}", program.display());
    let ran = place.run(&[
        "--set",
        &binary,
        "--set",
        "ssh.transport=openssh",
        "exec",
        "exe1",
        "--",
        "true",
    ]);
    std::fs::read_to_string(&copy).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn a_part_of_a_second_is_written_as_a_whole_one() {
    let text = written(&with_ssh(
        "{knownHostsFile: known_hosts, connectTimeout: 200ms, serverAliveInterval: 1500ms}",
    ));
    assert!(
        text.contains("ConnectTimeout 1\n") && text.contains("ServerAliveInterval 2\n"),
        "{text}"
    );
    let text = written(&with_ssh("{knownHostsFile: known_hosts, serverAliveInterval: 1ms}"));
    assert!(text.contains("ServerAliveInterval 1\n"), "{text}");
}

#[test]
fn ssh_understands_what_is_written_and_trusts_one_file_whatever_is_included() {
    let place = with_ssh("{knownHostsFile: 'known hosts', include: [mine]}");
    place.write("mine", "Host *\n  UserKnownHostsFile /planted\n  GlobalKnownHostsFile /planted\n  StrictHostKeyChecking no\n  ControlMaster yes\n  ControlPath /planted\n  Port 2200\n");
    place.write("known hosts", "");
    let text = written(&place);
    let file = place.root().join("for-ssh");
    std::fs::write(&file, text).unwrap();
    let asked = std::process::Command::new("ssh")
        .arg("-G")
        .arg("-F")
        .arg(&file)
        .arg("exe0001.hpc.example.org")
        .output();
    let Ok(answer) = asked else {
        assert!(std::env::var_os("CI").is_none(), "ssh is missing");
        return eprintln!("skipped: there is no ssh");
    };
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    let settings = place.masked(&String::from_utf8_lossy(&answer.stdout));
    let value = |key: &str| settings.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    assert!(value("userknownhostsfile ").unwrap().contains("known hosts"), "{settings}");
    assert!(!settings.contains("/planted"), "{settings}");
    assert!(matches!(value("stricthostkeychecking "), Some("yes" | "true")), "{settings}");
    assert!(matches!(value("controlmaster "), Some("false" | "no")), "{settings}");
}
