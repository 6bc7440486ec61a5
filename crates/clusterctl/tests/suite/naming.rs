//! Host names and service processors' names from node names.

use std::io::ErrorKind;
use std::net::TcpListener;

use crate::workplace::{SITE, Workplace};

fn with_rules(rules: &str) -> Workplace {
    let place = Workplace::new();
    place.site(&format!(
        "domains: {{hpc: hpc.example.org, mgmt: mgmt.hpc.example.org}}\nssh: {{knownHostsFile: known_hosts}}\nhosts: {{login: {{host: login.hpc.example.org}}}}\nnaming:\n  rules:\n{rules}"
    ));
    place
}

const TWO_RULES: &str = "    - {match: {pattern: 'gpu[0-9]+'}, fqdn: '{name}.gpu', bmc: '{name}.bmc'}\n    - {fqdn: '{name}.{domains.hpc}'}";

#[test]
fn a_pattern_claims_the_whole_short_name_only() {
    let place = with_rules(TWO_RULES);
    let host = |name: &str| place.prints(&["node", "fqdn", name]);
    assert_eq!(host("gpu01"), "gpu01.gpu\n");
    assert_eq!(host("login-gpu01"), "login-gpu01.hpc.example.org\n");
    assert_eq!(host("gpu01a"), "gpu01a.hpc.example.org\n");
    assert_eq!(place.prints(&["node", "fqdn", "-b", "gpu01"]), "gpu01.bmc\n");
    place.refuses(&["node", "fqdn", "-b", "login-gpu01"]);
}

#[test]
fn capitals_and_a_final_dot_are_no_other_node() {
    let place = Workplace::new();
    for name in ["wlm01", "WLM01", "Wlm01.", "wlm01.hpc.example.org", "WLM01.HPC.EXAMPLE.ORG."] {
        assert_eq!(place.prints(&["node", "select", name]), "wlm01\n", "{name}");
        assert_eq!(place.prints(&["node", "fqdn", name]), "wlm01.hpc.example.org\n", "{name}");
        let groups = place.prints(&["node", "groups", name]);
        assert!(groups.contains("wlm") && groups.contains("R01"), "{name}: {groups}");
    }
    for name in ["EXE0001", "exe1", "exe01.", "exe0001.mgmt.hpc.example.org"] {
        assert_eq!(place.prints(&["node", "select", name]), "exe0001\n", "{name}");
    }
}

#[test]
fn an_address_has_no_service_processor() {
    let place = Workplace::new();
    // A set cannot hold an IPv6 address, so that no domain is ever added to one.
    for address in ["::1", "fd00::5"] {
        place.refuses(&["node", "fqdn", address]);
    }
    for address in ["10.0.0.5", "127.0.0.1"] {
        for command in [
            vec!["node", "fqdn", "-b", address],
            vec!["bmc", "status", address],
            vec!["-y", "--force", "bmc", "power", "on", address],
            vec!["--dry-run", "--force", "bmc", "power", "on", address],
        ] {
            let ran = place.run(&command);
            assert_eq!(ran.code, 2, "{command:?}: {ran:?}");
            let all = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!all.contains(&format!("{address}.mgmt")) && !all.contains("10.mgmt"), "{all}");
        }
        assert_eq!(place.prints(&["node", "fqdn", address]).trim(), address, "no domain is added");
    }
}

#[test]
fn without_a_name_for_its_service_processor_a_node_is_not_asked_at_its_own() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let redfish = format!(
        "bmc: {{credential: bmc, order: [redfish], redfish: {{port: {port}, timeout: 1s}}}}\ncredentials: {{bmc: {{username: admin, password: {{fromEnv: BMC}}}}}}"
    );
    let rules = [
        "    - {fqdn: '{name}'}",
        "    - {fqdn: '{name}', bmc: '{name}'}",
        "    - {fqdn: '{name}.localdomain', bmc: '{name}'}",
        "    - {fqdn: '{name}.x', bmc: '{name}.x'}",
        "    - {match: {prefixes: [exe]}, fqdn: '{name}', bmc: '{name}.x'}",
    ];
    for rule in rules {
        let place = with_rules(&format!("{rule}\n{redfish}"));
        place.inventory("nodes:\n  - {nodes: localhost, address: 127.0.0.1}");
        let variables = [("BMC", "secret")];
        for command in [
            vec!["-y", "bmc", "power", "on", "localhost"],
            vec!["--dry-run", "bmc", "power", "on", "localhost"],
            vec!["-y", "bmc", "boot", "set", "Pxe", "localhost"],
            vec!["-y", "provision", "reinstall", "localhost"],
            vec!["node", "fqdn", "-b", "localhost"],
        ] {
            place.refuses_with(&variables, &command);
        }
        assert_eq!(place.run_with(&variables, &["bmc", "status", "localhost"]).code, 2);
    }
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn a_rule_that_could_never_mean_what_it_says_is_refused() {
    for rule in [
        "    - {match: {prefixes: [exe], pattern: 'exe.*'}, fqdn: '{name}'}",
        "    - {match: {pattern: 'EXE.*'}, fqdn: '{name}'}",
        "    - {match: {pattern: 'exe[('}, fqdn: '{name}'}",
        "    - {fqdn: '{name}.{domains.none}'}",
        "    - {fqdn: '{name'}",
        "    - {fqdn: '{node}.x'}",
        "    - {fqdn: '{name}..x'}",
        "    - {fqdn: 'a b'}",
    ] {
        let place = with_rules(rule);
        let message = place.refuses(&["config", "validate"]);
        assert!(
            message.contains("site.yaml:") && message.contains("naming.rules"),
            "{rule}: {message}"
        );
        place.refuses(&["node", "list"]);
    }
}

#[test]
fn a_vendor_profile_holds_for_every_spelling_of_a_node() {
    let place = Workplace::new();
    place.site(&format!(
        "{SITE}\nbmc: {{credential: usual, order: [redfish], ipmi: {{via: login}}, vendors: {{acme: {{credential: special, order: [ipmi]}}}}}}\ncredentials: {{usual: {{username: a, password: {{fromEnv: A}}}}, special: {{username: b, password: {{fromEnv: B}}}}}}"
    ));
    place.inventory("nodes:\n  - {nodes: exe0001, attributes: {vendor: acme}}");
    for name in
        ["exe0001", "exe1", "EXE0001", "exe0001.hpc.example.org.", "exe0001.mgmt.hpc.example.org"]
    {
        let ran = place.run_with(&[("A", "x"), ("B", "y")], &["bmc", "status", name]);
        // Nothing vouches for the host that would speak IPMI.
        assert!(ran.code != 0 && ran.stdout.contains("through login: "), "{name}: {ran:?}");
    }
    place.site(&format!(
        "{SITE}\nbmc: {{credential: usual, order: [redfish], vendors: {{acme: {{credential: special}}}}}}\ncredentials: {{usual: {{username: a, password: {{fromEnv: A}}}}, special: {{username: b, password: {{fromEnv: NOT_SET}}}}}}"
    ));
    for name in ["exe0001", "exe1", "EXE0001", "exe0001.hpc.example.org."] {
        let ran = place.run_with(&[("A", "x")], &["bmc", "status", name]);
        assert!(
            ran.stdout.contains("NOT_SET") || ran.stderr.contains("NOT_SET"),
            "{name}: {ran:?}"
        );
    }
}
