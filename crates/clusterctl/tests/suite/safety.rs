//! Settings that keep machines safe are right, or nothing runs.

use crate::workplace::{INVENTORY, SITE, Workplace};

fn with(section: &str) -> Workplace {
    let place = Workplace::new();
    place.site(&format!("{SITE}\n{section}"));
    place
}

#[test]
fn a_protected_host_is_protected_under_every_name_in_the_list_and_on_the_command_line() {
    let spellings = [
        "exe0002",
        "exe2",
        "EXE0002",
        "exe0002.hpc.example.org.",
        "exe0002.mgmt.hpc.example.org",
        "10.0.0.2",
    ];
    for entry in spellings {
        let place = with(&format!("safety: {{protectedHosts: ['{entry}']}}"));
        place.inventory(&format!("{INVENTORY}  - {{nodes: exe0002, address: 10.0.0.2}}"));
        place.prints(&["config", "validate"]);
        for typed in spellings {
            for words in [
                &["-y", "bmc", "power", "off"][..],
                &["--dry-run", "bmc", "power", "off"],
                &["-y", "hostkey", "remove"],
            ] {
                let mut all = words.to_vec();
                all.push(typed);
                let message = place.refuses(&all);
                assert!(message.contains("exe0002 is protected"), "{entry} {typed}: {message}");
            }
            assert!(place.refuses(&["exec", typed, "--", "true"]).contains("exe0002 is protected"));
        }
    }
}

#[test]
fn a_protected_entry_that_names_no_machine_stops_everything() {
    for entry in ["wlm1x", "wlm", "wlm01.example.com", "10.9.9.9", "@rack:R77", "exe[", "exe0011"] {
        let place = with(&format!("safety: {{protectedHosts: [wlm01, '{entry}']}}"));
        for command in [
            &["config", "validate"][..],
            &["node", "list"],
            &["--dry-run", "bmc", "power", "off", "exe1"],
        ] {
            let message = place.refuses(command);
            assert!(message.contains("site.yaml:16:"), "{entry}: {message}");
        }
    }
}

#[test]
fn bounds_below_their_least_are_refused_in_every_layer() {
    for (path, value) in [
        ("safety.confirmAbove", "-1"),
        ("safety.powerOnBatch", "0"),
        ("safety.powerOnBatch", "-3"),
        ("safety.powerOnStagger", "'-5s'"),
        ("fanout.max", "0"),
        ("bmc.redfish.maxConcurrent", "0"),
    ] {
        let (section, field) = path.rsplit_once('.').unwrap();
        let nested = section
            .rsplit('.')
            .fold(format!("{{{field}: {value}}}"), |inner, key| format!("{{{key}: {inner}}}"));
        let place = with(nested.trim_start_matches('{').strip_suffix('}').unwrap());
        let message = place.refuses(&["config", "validate"]);
        assert!(message.contains("site.yaml:16:"), "{path}: {message}");
        place.refuses(&["node", "list"]);
        Workplace::new().refuses(&["--set", &format!("{path}={value}"), "node", "list"]);
    }
    Workplace::new().refuses(&["-y", "bmc", "power", "on", "--batch", "0", "exe1"]);
    Workplace::new().prints(&["--set", "safety.confirmAbove=0", "node", "list"]);
}

#[test]
fn a_transport_of_service_processors_is_one_that_there_is() {
    for bmc in [
        "bmc: {order: [impi]}",
        "bmc: {order: []}",
        "bmc: {vendors: {acme: {order: [impi]}}}",
        "bmc: {vendors: {acme: {order: []}}}",
        "bmc: {redfish: {minTlsVersion: '1.1'}}",
    ] {
        let place = with(bmc);
        for command in [
            &["config", "validate"][..],
            &["bmc", "status", "exe1"],
            &["-y", "bmc", "power", "on", "exe1"],
        ] {
            assert!(place.refuses(command).contains("site.yaml:16:"), "{bmc}");
        }
    }
}

#[test]
fn a_change_without_a_terminal_and_without_an_answer_is_refused() {
    let place = with(
        "bmc: {order: [redfish], credential: c, redfish: {port: 9}}\ncredentials: {c: {username: a, password: {fromEnv: C}}}",
    );
    place.inventory("nodes: [{nodes: exe0001, bmcAddress: 127.0.0.1}]");
    let message = place.refuses_with(&[("C", "x")], &["bmc", "power", "on", "exe1"]);
    assert!(message.contains("--yes"), "{message}");
}
