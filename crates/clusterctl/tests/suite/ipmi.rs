//! IPMI, as far as no host is needed: settings, credentials, previews.

use crate::workplace::{SITE, Workplace};

const CREDENTIALS: &str = "credentials: {one: {username: admin, password: {fromEnv: ONE}}, \
    two: {username: root, password: {fromEnv: TWO}}}";

fn with(bmc: &str) -> Workplace {
    let place = Workplace::new();
    place.site(&format!("{SITE}\nbmc: {bmc}\n{CREDENTIALS}"));
    place.inventory(
        "nodes:
          - {nodes: exe0001, bmcAddress: 127.0.51.11}
          - {nodes: exe0002, bmcAddress: 127.0.51.12, attributes: {vendor: acme}}
          - {nodes: exe0003, bmcAddress: 127.0.51.13, attributes: {vendor: other}}",
    );
    place
}

#[test]
fn ip08_ipmi_without_a_host_and_modes_that_there_are_not_are_refused() {
    for bmc in [
        "{order: [redfish, ipmi]}",
        "{order: [ipmi]}",
        "{vendors: {acme: {order: [ipmi]}}}",
        "{ipmi: {via: ''}}",
        "{ipmi: {via: nobody}}",
        "{ipmi: {via: login, driver: OPENIPMI}}",
        "{ipmi: {via: login, backend: ipmiutil}}",
        "{ipmi: {via: login, maxConcurrent: 0}}",
        "{ipmi: {via: login, workaroundFlags: ['a b']}}",
        "{ipmi: {via: login, ipmitoolPath: '-x'}}",
    ] {
        let place = with(bmc);
        for command in [&["config", "validate"][..], &["bmc", "status", "exe1"]] {
            let message = place.refuses(command);
            assert!(message.contains("site.yaml:16:"), "{bmc}: {message}");
        }
    }
    // What nobody wrote is nobody's wish.
    with("{credential: one}").prints(&["config", "validate"]);
    with("{credential: one, order: [ipmi], ipmi: {via: login}}").prints(&["config", "validate"]);
    // A setting of the original that chose how the password travels: named, not obeyed in silence.
    let ran = with("{ipmi: {passwordTransport: argument}}").run(&["config", "validate"]);
    assert!(ran.stderr.contains("bmc.ipmi.passwordTransport"), "{ran:?}");
}

#[test]
fn the_flag_needs_a_host_that_speaks_ipmi() {
    let place = with("{credential: one}");
    let message = place.refuses_with(&[("ONE", "x")], &["bmc", "status", "--ipmi", "exe1"]);
    assert!(message.contains("bmc.ipmi.via"), "{message}");
}

#[test]
fn rf17_the_preview_has_a_line_for_each_way_and_account() {
    let place = with(
        "{credential: one, order: [redfish], ipmi: {via: login}, vendors: \
          {acme: {order: [ipmi, redfish], credential: two}, other: {credential: two}}}",
    );
    let secrets = [("ONE", "x"), ("TWO", "y")];
    let dry = ["--dry-run", "--set", "safety.slurmAware=false"];
    let power =
        |nodes| place.run_with(&secrets, &[&dry[..], &["bmc", "power", "off", nodes]].concat());
    let ran = power("exe[1-3]");
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (
            0,
            "Would switch off, at once, 3 hosts: exe[0001-0003]\n\
             exe0001: through Redfish, with the credential one\n\
             exe0002: through IPMI from the host of the role login, or where it is not reached \
             Redfish, with the credential two\n\
             exe0003: through Redfish, with the credential two\n"
        ),
        "{ran:?}"
    );
    // One way and account needs no names.
    assert!(power("exe1").stdout.ends_with("\nthrough Redfish\n"));
    let all = [&dry[..], &["bmc", "boot", "set", "--ipmi", "Pxe", "exe1"]].concat();
    let ran = place.run_with(&secrets, &all);
    let line = "\nthrough IPMI from the host of the role login\n";
    assert!(ran.code == 0 && ran.stdout.ends_with(line), "{ran:?}");
}

#[test]
fn rf14_ip06_a_credential_that_is_missing_or_that_ipmi_cannot_carry_is_refused_before_anything() {
    let place = with("{credential: one, order: [ipmi], ipmi: {via: login}}");
    let power = ["-y", "--set", "safety.slurmAware=false", "bmc", "power", "on", "exe[1-2]"];
    place.refuses(&power);
    for (secret, why) in [
        ("two\nlines", "more than one line"),
        ("", "empty"),
        ("123456789012345678901", "longer than the 20 bytes"),
    ] {
        let message = place.refuses_with(&[("ONE", secret)], &power);
        assert!(message.contains(why), "{message}");
        assert!(secret.is_empty() || !message.contains(secret), "{message}");
    }
    let place = with("{order: [ipmi], ipmi: {via: login}}");
    let message = place.refuses(&power);
    assert!(message.contains("no credential"), "{message}");
}

#[test]
fn a_boot_source_that_ipmi_cannot_be_told_is_refused_with_those_it_can() {
    let place = with("{credential: one, order: [ipmi], ipmi: {via: login}}");
    let set = ["--dry-run", "bmc", "boot", "set", "UefiHttp", "exe1"];
    let message = place.refuses_with(&[("ONE", "x")], &set);
    assert!(message.contains("Pxe, Hdd, Cd"), "{message}");
}
