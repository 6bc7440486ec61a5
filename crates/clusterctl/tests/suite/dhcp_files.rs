//! `dhcp check`, `config` and `hosts` on files of this machine: no site, no host, nothing changed.

use std::fs;

use serde_json::Value;

use crate::workplace::Workplace;

const SOUND: &str = "\
subnet 10.0.2.0 netmask 255.255.255.0 { option routers 10.0.2.254; }
group {
  filename \"ipxe.net2\";
  include \"hosts.conf\";
}
";

const HOSTS: &str = "\
# rack 7, next to exe3
host exe1 { hardware ethernet AA:bb:cc:11:22:33; fixed-address 10.0.2.1; }
host exe1-ib {
  option dhcp-client-identifier = ff:00:00:00:00:00:02:00:00:02:c9:00:00:02:c9:03:00:2e:59:01;
  if known { filename \"ipxe.ib0\"; }
}
";

/// A place without any configuration, with these files in the working directory.
fn place(files: &[(&str, &str)]) -> Workplace {
    let place = Workplace::bare();
    for (name, text) in files {
        fs::write(place.working_directory().join(name), text).unwrap();
    }
    place
}

#[test]
fn a_sound_file_has_no_findings_and_relative_includes_are_followed_and_found() {
    let place = place(&[("dhcpd.conf", SOUND), ("hosts.conf", HOSTS)]);
    let said = place.run(&["dhcp", "check", "dhcpd.conf"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stdout.contains("dhcpd.conf:4:3: hosts.conf is relative"), "{said:?}");
    assert!(said.stdout.ends_with("0 errors and 1 warning in 2 files\n"), "{said:?}");
    let whole = place.working_directory().join("hosts.conf").display().to_string();
    let text = SOUND.replace("hosts.conf", &whole);
    fs::write(place.working_directory().join("dhcpd.conf"), text).unwrap();
    let said = place.run(&["dhcp", "check", "dhcpd.conf"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "no findings: 2 files, 2 hosts\n"));
    assert!(said.stderr.is_empty(), "{said:?}");
}

#[test]
fn every_syntax_error_of_every_file_is_shown_with_its_place_and_the_way_out() {
    let broken = "host \"exe1\" { }\nhost exe2 {\n  fixed-address 10.0.2.2\n}\n";
    let place = place(&[("one.conf", broken), ("two.conf", "include \"three.conf\";\n")]);
    let said = place.run(&["dhcp", "check", "one.conf", "two.conf"]);
    assert_eq!(said.code, 1, "{said:?}");
    insta::assert_snapshot!(place.masked(&said.stdout), @r#"
    one.conf:1:6: expected a name, found `"exe1"`
      |
    1 | host "exe1" { }
      |      ^^^^^^
      = write the name without quotes
    one.conf:4:1: expected `;` or `,`, found `}`
      |
    4 | }
      | ^
    cannot read ROOT/desk/three.conf: No such file or directory (os error 2)
    included at two.conf:1:1
    3 errors and 0 warnings in 2 files
    "#);
    assert_eq!(said.stderr, "clusterctl: the DHCP configuration has 3 findings\n");
}

#[test]
fn findings_are_values_in_json_and_fail_the_command() {
    let twice = "host a { fixed-address 10.0.0.1; }\nhost a { fixed-address 10.0.0.1; }\n";
    let place = place(&[("twice.conf", twice)]);
    for option in ["-o", "--format"] {
        let said = place.run(&["dhcp", "check", "twice.conf", option, "json"]);
        assert_eq!(said.code, 1, "{said:?}");
        let json: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(json["version"], 1);
        let kinds: Vec<_> =
            json["findings"].as_array().unwrap().iter().map(|f| &f["kind"]).collect();
        assert_eq!(kinds, ["duplicate-host", "shared-address"]);
        assert_eq!(json["findings"][0]["places"][1]["line"], 2);
    }
}

#[test]
fn control_sequences_in_a_file_do_not_reach_the_terminal() {
    let place = place(&[("evil.conf", "host \u{1b}[2J { }\n")]);
    let said = place.run(&["dhcp", "check", "evil.conf"]);
    assert_eq!(said.code, 1);
    assert!(!said.stdout.contains('\u{1b}') && !said.stderr.contains('\u{1b}'), "{said:?}");
}

#[test]
fn a_file_without_an_end_is_refused() {
    let said = place(&[]).run(&["dhcp", "check", "/dev/zero"]);
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("the file is too large"), "{said:?}");
}

#[test]
fn every_declaration_is_listed_with_its_place_and_what_a_condition_decides() {
    let place = place(&[("dhcpd.conf", SOUND), ("hosts.conf", HOSTS)]);
    let said = place.run(&["dhcp", "config", "--file", "dhcpd.conf"]);
    assert_eq!(said.code, 0, "{said:?}");
    insta::assert_snapshot!(place.masked(&said.stdout), @r"
    DECLARATION  ADDRESS   MAC                BOOT FILE               PLACE
    exe1         10.0.2.1  aa:bb:cc:11:22:33  ipxe.net2               ROOT/desk/hosts.conf:2
    exe1-ib                                   ipxe.ib0 (conditional)  ROOT/desk/hosts.conf:3
    2 hosts, 1 subnet, 2 files
    ");
    let said = place.run(&["dhcp", "config", "--file", "dhcpd.conf", "-o", "yaml"]);
    assert!(said.stdout.contains("guid: \"00:02:c9:03:00:2e:59:01\""), "{said:?}");
    let broken = place.run(&["dhcp", "config", "--file", "none.conf"]);
    assert_eq!((broken.code, broken.stdout.as_str()), (1, ""), "{broken:?}");
}

#[test]
fn what_programs_get_is_what_the_schema_says() {
    let place = place(&[("dhcpd.conf", SOUND), ("hosts.conf", HOSTS)]);
    let schema = place.run(&["dhcp", "config", "--schema"]);
    assert_eq!(schema.code, 0, "{schema:?}");
    let schema: Value = serde_json::from_str(&schema.stdout).unwrap();
    let said = place.run(&["dhcp", "config", "--file", "dhcpd.conf", "-o", "json"]);
    let json: Value = serde_json::from_str(&said.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&json), "{:?}", validator.iter_errors(&json).collect::<Vec<_>>());
    assert_eq!(json["hosts"].as_array().unwrap().len(), 2);
}

#[test]
fn nodes_are_looked_up_in_a_file_without_a_site() {
    let place = place(&[("dhcpd.conf", SOUND), ("hosts.conf", HOSTS)]);
    let said = place.run(&["dhcp", "hosts", "--file", "dhcpd.conf", "exe[1-3]"]);
    assert_eq!(said.code, 1, "{said:?}");
    insta::assert_snapshot!(said.stdout, @r"
    NODE  DECLARATION  MATCH      ADDRESS   MAC                BOOT FILE
    exe1  exe1         name       10.0.2.1  aa:bb:cc:11:22:33  ipxe.net2
    exe1  exe1-ib      interface                               ipxe.ib0 (conditional)
    exe2  none
    exe3  exe1         comment    10.0.2.1  aa:bb:cc:11:22:33  ipxe.net2
    ");
    assert_eq!(said.stderr, "clusterctl: DHCP has no declaration of exe2\n");
    let one =
        place.run(&["dhcp", "hosts", "--file", "dhcpd.conf", "-n", "exe[1-3]", "-x", "exe[2-3]"]);
    assert_eq!(one.code, 0, "{one:?}");
    for (words, why) in [
        (&["@rack:R01"][..], "there is no configuration of a site"),
        (&[], "no nodes are named"),
        (&["exe1", "-x", "exe1"], "names no node"),
    ] {
        let words = [&["dhcp", "hosts", "--file", "dhcpd.conf"], words].concat();
        assert!(place.refuses(&words).contains(why), "{words:?}");
    }
}

#[test]
fn node_sets_mean_what_the_site_says_where_there_is_one() {
    let place = Workplace::new();
    let text = "host exe0001.hpc.example.org { fixed-address 10.0.2.1; }\n";
    fs::write(place.working_directory().join("dhcpd.conf"), text).unwrap();
    let said = place.run(&["dhcp", "hosts", "--file", "dhcpd.conf", "exe1"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stdout.contains("exe0001  exe0001.hpc.example.org  name"), "{said:?}");
}

#[test]
fn nn11_a_capture_without_a_sensible_length_is_refused() {
    let place = Workplace::new();
    for seconds in
        ["0", "-1", "--seconds=-1", "86401", "4294967296", "99999999999999999999", "1.5", ""]
    {
        place.refuses(&["dhcp", "capture", "--seconds", seconds]);
    }
    for interface in ["", "-w/tmp/x"] {
        place.refuses(&["dhcp", "capture", &format!("--interface={interface}")]);
    }
}
