//! Where a relative path begins.

use serde_json::Value;

use crate::workplace::{SITE, Workplace};

fn setting(place: &Workplace, variables: &[(&str, &str)], words: &[&str], path: &str) -> String {
    let mut all = vec!["-o", "json"];
    all.extend(words);
    all.extend(["config", "view"]);
    let view: Value = serde_json::from_str(&place.prints_with(variables, &all)).unwrap();
    let value = path.split('.').fold(&view, |value, key| match key.parse::<usize>() {
        Ok(index) => &value[index],
        Err(_) => &value[key],
    });
    place.masked(value.as_str().unwrap_or_else(|| panic!("{path} in {view}")))
}

#[test]
fn a_path_in_a_document_begins_at_the_site_and_a_typed_one_where_one_stands() {
    let place = Workplace::new();
    let credentials = "\ncredentials:\n  a: {username: a, password: {file: secrets/a}}\n  b: {username: b, password: {ageFile: ~/b.age}}\n  c: {username: c, password: {command: [bin/c, x/y]}}\n  d: {username: d, password: {command: [pass, d]}}";
    place.site(&format!("{SITE}{credentials}"));
    let shown = |words: &[&str], path| setting(&place, &[], words, path);
    assert_eq!(shown(&[], "ssh.knownHostsFile"), "known_hosts");
    assert_eq!(shown(&[], "credentials.a.password.file"), "secrets/a");
    assert_eq!(shown(&[], "credentials.b.password.ageFile"), "ROOT/home/b.age");
    assert_eq!(shown(&[], "credentials.c.password.command.0"), "bin/c");
    assert_eq!(shown(&[], "credentials.c.password.command.1"), "x/y");
    assert_eq!(shown(&[], "credentials.d.password.command.0"), "pass");

    let typed = ["--set", "ssh.knownHostsFile=keys"];
    assert_eq!(shown(&typed, "ssh.knownHostsFile"), "ROOT/desk/keys");
    let typed = ["--set", "credentials.a.password.file=sub/a"];
    assert_eq!(shown(&typed, "credentials.a.password.file"), "ROOT/desk/sub/a");
    let typed = ["--set", "ssh.binary=./ssh"];
    assert_eq!(shown(&typed, "ssh.binary"), "ROOT/desk/./ssh");
    assert_eq!(shown(&["--set", "ssh.binary=ssh"], "ssh.binary"), "ssh");

    let of_variable = |name, value, path| setting(&place, &[(name, value)], &[], path);
    assert_eq!(
        of_variable("CLUSTERCTL_KNOWN_HOSTS", "keys", "ssh.knownHostsFile"),
        "ROOT/desk/keys"
    );
    assert_eq!(of_variable("CLUSTERCTL_SSH_BINARY", "bin/ssh", "ssh.binary"), "ROOT/desk/bin/ssh");
}

#[test]
fn includes_of_ssh_begin_at_the_site_and_keep_their_patterns() {
    let place = Workplace::new();
    place.site(&SITE.replace(
        "ssh: {knownHostsFile: known_hosts}",
        "ssh: {knownHostsFile: known_hosts, include: [ssh/config, 'conf.d/*.conf']}",
    ));
    assert_eq!(setting(&place, &[], &[], "ssh.include.0"), "ssh/config");
    assert_eq!(setting(&place, &[], &[], "ssh.include.1"), "conf.d/*.conf");
}

#[test]
fn the_home_of_somebody_else_is_not_guessed() {
    let place = Workplace::new();
    place.refuses(&["--set", "ssh.knownHostsFile=~root/keys", "config", "validate"]);
    place.refuses(&["--set", "ssh.knownHostsFile=~root", "node", "list"]);
    place.write(
        "desk.yaml",
        &crate::workplace::document("Workstation", &host_name(), "identities: [~root/id]"),
    );
    assert!(place.refuses(&["node", "list"]).contains("desk.yaml:"));
}

/// This machine's short name, after which its Workstation document is named.
fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    name.trim().split('.').next().unwrap_or_default().to_owned()
}
