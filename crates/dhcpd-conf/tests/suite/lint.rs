//! Findings: each rule finds what it is for, at its places, with a way out; and says nothing of what
//! is right.

use std::path::Path;

use dhcpd_conf::{ConfigSet, Document, FindingKind, Loader, Severity};

/// The kinds of findings with the lines of their places.
fn lint(text: &str) -> Vec<(FindingKind, Vec<u32>)> {
    let document = Document::parse(text).unwrap();
    let findings = document.lint();
    for finding in &findings {
        assert!(!finding.help().is_empty() && !finding.message().contains('\n'), "{finding:?}");
        assert!(!finding.message().ends_with('.'), "{finding}");
    }
    let lines = |finding: &dhcpd_conf::Finding| {
        finding.sites().iter().map(|site| site.position().line()).collect()
    };
    findings.iter().map(|finding| (finding.kind(), lines(finding))).collect()
}

fn kinds(text: &str) -> Vec<FindingKind> {
    lint(text).into_iter().map(|(kind, _)| kind).collect()
}

#[test]
fn a_sound_configuration_has_no_findings() {
    let text = include_str!("../corpus/valid/site.conf");
    assert_eq!(lint(text), []);
}

#[test]
fn names_and_identities_of_several_hosts_are_found_with_all_places() {
    assert_eq!(
        lint("host a { }\nhost b { }\nhost a { }\nhost A { }\nhost a { }\n"),
        [(FindingKind::DuplicateHost, vec![1, 3, 5])]
    );
    assert_eq!(
        lint(
            "host a { hardware ethernet 0:1:2:3:4:5; }\nhost b { hardware ethernet 00:01:02:03:04:05; }\n\
             host c { hardware infiniband 0:1:2:3:4:5; }\n"
        ),
        [(FindingKind::SharedHardware, vec![1, 2])]
    );
    assert_eq!(
        lint(
            "host a { fixed-address 10.0.0.1, 10.0.0.1; }\nhost b { fixed-address 10.0.0.2, 10.0.0.1; }\n"
        ),
        [(FindingKind::SharedAddress, vec![1, 2])]
    );
    assert_eq!(
        lint("host a { uid \"a\"; }\nhost b { option dhcp-client-identifier 61; }\n"),
        [(FindingKind::SharedClientId, vec![1, 2])]
    );
}

#[test]
fn hosts_outside_of_subnets_are_found_where_there_are_subnets() {
    let subnet = "subnet 10.1.0.0 netmask 255.255.0.0 { ";
    assert_eq!(kinds("host a { fixed-address 10.2.0.1; }"), []);
    assert_eq!(
        kinds(&format!("{subnet} }} host a {{ fixed-address 10.2.0.1; }}")),
        [FindingKind::OutsideSubnets]
    );
    assert_eq!(kinds(&format!("{subnet} }} host a {{ fixed-address6 2001:db8::1; }}")), []);
    let other = "subnet 10.2.0.0 netmask 255.255.0.0 { }";
    assert_eq!(
        kinds(&format!("{subnet} host a {{ fixed-address 10.2.0.1; }} }} {other}")),
        [FindingKind::ForeignSubnet]
    );
    assert_eq!(kinds(&format!("{subnet} host a {{ fixed-address 10.1.0.1; }} }} {other}")), []);
}

#[test]
fn an_address_inside_a_range_is_found() {
    let text = |range: &str, address: &str| {
        format!(
            "subnet 10.0.0.0 netmask 255.0.0.0 {{ range 10.0.0.9 10.0.0.5; {range} }}\nhost a {{ fixed-address {address}; }}"
        )
    };
    for (range, address) in
        [("", "10.0.0.5"), ("", "10.0.0.9"), ("range 10.0.0.6 10.0.0.7;", "10.0.0.8")]
    {
        let findings = lint(&text(range, address));
        assert!(findings.contains(&(FindingKind::AddressInRange, vec![2])), "{findings:?}");
    }
    assert_eq!(kinds(&text("range 10.0.0.1;", "10.0.0.4")), []);
    assert_eq!(kinds(&text("", "10.0.0.10")), []);
}

#[test]
fn an_address_in_two_ranges_is_found_with_both() {
    let text = |ranges: &str| format!("subnet 10.0.0.0 netmask 255.0.0.0 {{\n{ranges}\n}}");
    let overlap = |lines: &[u32]| vec![(FindingKind::OverlappingRanges, lines.to_vec())];
    assert_eq!(lint(&text("range 10.0.0.1 10.0.0.9;\nrange 10.0.0.9;")), overlap(&[2, 3]));
    assert_eq!(lint(&text("range 10.0.0.5;\npool { range 10.0.0.9 10.0.0.1; }")), overlap(&[2, 3]));
    // The range that reaches furthest counts, not the one before.
    let three = "range 10.0.0.1 10.0.0.9;\nrange 10.0.0.2 10.0.0.3;\nrange 10.0.0.8;";
    assert_eq!(lint(&text(three)), [overlap(&[2, 3]), overlap(&[2, 4])].concat());
    assert_eq!(lint(&text("range 10.0.0.1 10.0.0.8;\nrange 10.0.0.9;")), []);
}

#[test]
fn temporary_addresses_that_no_prefix_begins_at_are_found() {
    let text = |range: &str| format!("subnet6 2001:db8::/64 {{ range6 {range}; }}");
    assert_eq!(kinds(&text("2001:db8::100 temporary")), [FindingKind::RangeOutsideSubnet]);
    assert_eq!(kinds(&text("2001:db8:: temporary")), []);
    assert_eq!(kinds(&text("2001:db8::1000/116 temporary")), []);
}

#[test]
fn an_option_nobody_defines_is_found_in_expressions_too() {
    let unknown = [FindingKind::UnknownOption];
    for text in [
        "if option nosuch = \"a\" { }",
        "if known { } elsif exists nosuch { }",
        "switch (option nosuch) { }",
        "switch (option host-name) { case option nosuch: break; }",
        "class \"c\" { match option nosuch; }",
        "class \"c\" { match if substring(option agent.nosuch, 0, 1) = 1; }",
        "class \"c\" { spawn with option nosuch; }",
        "option host-name = concat(\"option\", config-option nosuch);",
        "filename = pick(option host-name, option nosuch);",
        "on commit { set a1b = option nosuch; }",
        "host a { host-identifier option nosuch \"x\"; }",
        "host a { host-identifier v6relopt 1 dhcp6.nosuch \"x\"; }",
    ] {
        assert_eq!(kinds(text), unknown, "{text}");
    }
    for text in [
        "option host-name = \"a option nosuch\";",
        "filename = pick(option host-name, \"exists nosuch\");",
        "option nosuch code 222 = text; if option nosuch = \"a\" { }",
        "if option agent . circuit-id = \"a\" { }",
        "if exists unknown-222 { }",
    ] {
        assert_eq!(kinds(text), [], "{text}");
    }
}

#[test]
fn spaces_keys_classes_and_peers_that_nobody_declares_are_found() {
    let key = "key k { algorithm hmac-md5; secret aaaa; }";
    let peer = "failover peer \"f\" { peer address 10.0.0.2; split 128; mclt 60; }";
    let pool =
        "subnet 10.0.0.0 netmask 255.0.0.0 { pool { failover peer \"f\"; range 10.0.0.1; } }";
    for (declaration, text, kind) in [
        ("option space s;", "option s.a code 1 = text;", FindingKind::UnknownOptionSpace),
        ("option space s;", "option a code 222 = encapsulate S;", FindingKind::UnknownOptionSpace),
        (key, "zone z. { key k; }", FindingKind::UnknownKey),
        ("class \"c\" { }", "add \"c\";", FindingKind::UnknownClass),
        ("class \"c\" { }", "vendor-class \"c\" { }", FindingKind::UnknownClass),
        (peer, pool, FindingKind::FailoverPeer),
    ] {
        assert_eq!(kinds(text), [kind], "{text}");
        assert_eq!(kinds(&format!("{declaration} {text}")), [], "{text}");
        // What stands behind does not count, and a file that is not read may declare it.
        let behind = kinds(&format!("{text} {declaration}"));
        assert_eq!(behind, [kind], "{text}");
        assert_eq!(kinds(&format!("include \"/x\"; {text}")), [], "{text}");
    }
}

#[test]
fn the_key_of_omapi_may_be_declared_anywhere() {
    let key = "key k { algorithm hmac-md5; secret aaaa; }";
    assert_eq!(kinds("omapi-key k;"), [FindingKind::UnknownKey]);
    assert_eq!(kinds(&format!("omapi-key \"K\"; {key}")), []);
    assert_eq!(kinds(&format!("{key} omapi-key a; omapi-key k;")), []);
    // In a block the server never looks at it.
    assert_eq!(kinds("group { omapi-key k; }"), []);
}

#[test]
fn what_a_failover_peer_lacks_is_found() {
    let peer = |settings: &str| kinds(&format!("failover peer \"f\" {{ {settings} }}"));
    for wrong in [
        "primary; split 128; mclt 60;",
        "address 10.0.0.1; split 128; mclt 60;",
        "peer address 10.0.0.2; mclt 60;",
        "peer address 10.0.0.2; split 128;",
        "peer address 10.0.0.2; split 128; mclt 0;",
        "secondary; peer address 10.0.0.2; split 128;",
    ] {
        assert_eq!(peer(wrong), [FindingKind::FailoverPeer], "{wrong}");
    }
    assert_eq!(peer("peer address 10.0.0.2; split 0; mclt 60;"), []);
    assert_eq!(peer("primary; peer address 10.0.0.2; secondary;"), []);
    let one = "failover peer f { secondary; peer address a; }";
    assert_eq!(kinds(&format!("{one} {one}")), [FindingKind::FailoverPeer]);
}

#[test]
fn a_misspelt_word_that_is_an_expression_is_found() {
    for text in [
        "authorative;",
        "host a { dynmic; }",
        "filenamex = \"a\";",
        "ab:cd;",
        "if known { foo and bar; }",
    ] {
        assert_eq!(kinds(text), [FindingKind::WithoutEffect], "{text}");
    }
    assert_eq!(
        kinds("define fun(nn) { return nn; } fun(1); eval fun(1); set v1v = \"a\"; break;"),
        []
    );
}

#[test]
fn ranges_and_blocks_that_the_server_refuses_are_found() {
    let subnet = "subnet 10.1.0.0 netmask 255.255.0.0 {";
    let outside = [FindingKind::RangeOutsideSubnet];
    assert_eq!(kinds(&format!("{subnet} range 10.1.0.1 10.2.0.1; }}")), outside);
    assert_eq!(kinds(&format!("{subnet} pool {{ range 10.2.0.1; }} }}")), outside);
    assert_eq!(
        kinds(&format!("shared-network w {{ {subnet} }} pool {{ range 10.1.0.1; }} }}")),
        []
    );
    assert_eq!(
        kinds(&format!("shared-network w {{ pool {{ range 10.1.0.1; }} {subnet} }} }}")),
        outside
    );
    assert_eq!(kinds("shared-network w { }"), [FindingKind::EmptySharedNetwork]);
    assert_eq!(kinds(&format!("{subnet} pool {{ }} }}")), [FindingKind::PoolWithoutRange]);
    assert_eq!(kinds(&format!("{subnet} pool {{ include \"/f\"; }} }}")), []);
}

/// sous-chefs/dhcp 76 and xcat2/xcat-core 1994: parameters as options, options nobody defines.
#[test]
fn unknown_options_and_parameters_as_options_are_found() {
    assert_eq!(
        lint("option default-lease-time 1;\noption next-server x;\noption nosuch 1;\n"),
        [
            (FindingKind::ParameterAsOption, vec![1]),
            (FindingKind::ParameterAsOption, vec![2]),
            (FindingKind::UnknownOption, vec![3]),
        ]
    );
    assert_eq!(
        kinds(
            "option o code 200 = text; option O \"x\"; option unknown-7 1; option agent.unknown-1 1;"
        ),
        []
    );
    assert_eq!(kinds("option o \"x\"; option o code 200 = text;"), [FindingKind::UnknownOption]);
    assert_eq!(kinds("include \"/options\"; option o \"x\";"), []);
}

#[test]
fn groups_and_classes_that_nobody_declares_are_found() {
    assert_eq!(kinds("host a { group g; } group g { }"), [FindingKind::UnknownGroup]);
    assert_eq!(
        kinds("group g { } group \"h\" { } host a { group \"g\"; } host b { group h; }"),
        []
    );
    assert_eq!(kinds("subclass \"c\" 1;"), [FindingKind::UnknownClass]);
    let pool = |class: &str| {
        format!(
            "{class} subnet 10.0.0.0 netmask 255.0.0.0 {{ pool {{ allow members of \"c\"; range 10.0.0.1; }} }}"
        )
    };
    assert_eq!(kinds(&pool("")), [FindingKind::UnknownClass]);
    assert_eq!(kinds(&pool("class \"c\" { }")), []);
}

#[test]
fn keys_are_found_in_any_case_and_the_key_of_omapi_may_come_later() {
    let key = "key Site { algorithm hmac-md5; secret c2VjcmV0; }";
    assert_eq!(kinds("omapi-key \"site\";"), [FindingKind::UnknownKey]);
    assert_eq!(kinds("include \"/keys\"; omapi-key site;"), []);
    assert_eq!(kinds(&format!("omapi-key SITE; {key}")), []);
    assert_eq!(kinds(&format!("{key} zone a. {{ primary 127.0.0.1; key \"site\"; }}")), []);
    assert_eq!(kinds(&format!("group {{ {key} }} zone a. {{ key SITE; }}")), []);
    assert_eq!(kinds(&format!("zone a. {{ key Site; }} {key}")), [FindingKind::UnknownKey]);
}

#[test]
fn values_that_are_not_what_they_look_like_are_found() {
    assert_eq!(
        kinds("host a { option dhcp-client-identifier \"ff:00:01\"; }"),
        [FindingKind::OctetsAsText]
    );
    assert_eq!(
        kinds("host a { uid \"1:2\"; } host b { uid \"rack:7\"; }"),
        [FindingKind::OctetsAsText]
    );
    assert_eq!(kinds("next-server = \"10.0.0.1\";"), [FindingKind::AddressAsText]);
    assert_eq!(kinds("min-secs 010; max-lease-time 0;"), [FindingKind::OctalNumber]);
    assert_eq!(
        kinds(
            "host a { uid 1; option dhcp-client-identifier 2; if known { option dhcp-client-identifier 3; } }"
        ),
        [FindingKind::UnusedClientId, FindingKind::UnusedClientId]
    );
    assert_eq!(kinds("include \"hosts.conf\";"), [FindingKind::RelativeInclude]);
}

/// bluebanquise with 2,000 nodes: a template that leaves blanks behind.
#[test]
fn blanks_that_stop_the_server_are_found_between_tokens_only() {
    let blanks = "\n".repeat(1_500);
    assert_eq!(
        lint(&format!("host a {{ }}{blanks}host b {{ }}")),
        [(FindingKind::LongBlanks, vec![1])]
    );
    assert_eq!(kinds(&format!("host a {{ }}{}", &blanks[1..])), []);
    assert_eq!(kinds(&format!("# c{}\nhost a {{ }}", " ".repeat(1_500))), []);
}

#[test]
fn findings_across_files_name_the_files_and_stand_in_their_order() {
    let read = |path: &Path| match path.to_str() {
        Some("/main") => Ok("host a { }\ninclude \"/more\";\noption nosuch 1;\n"),
        Some("/more") => Ok("\nhost a { }\n"),
        _ => Err("no such file"),
    };
    let set = ConfigSet::load("/main", |path| read(path).map(Vec::from)).unwrap();
    let findings: Vec<_> = set.lint().iter().map(ToString::to_string).collect();
    assert_eq!(
        findings,
        [
            "/main:1:1: 2 hosts are named a [duplicate-host]\n  also /more:2:1\n  help: rename or \
             remove all but one: the server refuses a second host of the same name",
            "/main:3:1: no option is named nosuch [unknown-option]\n  help: correct the name, or \
             define it: `option NAME code NUMBER = TYPE;`",
        ]
    );
    let errors =
        Loader::new().load("/main", |_| Ok::<_, String>(b"host a { } ;\ninclude \"x\";".to_vec()));
    let findings = errors.unwrap_err().findings();
    let texts: Vec<_> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "/main:1:12: expected a statement, found `;` [syntax]\n  help: remove the `;`: a block ends with its `}`",
            "/main:2:1: x is relative to wherever the server was started [include]\n  help: write \
             the whole path, or say where relative includes count from",
        ]
    );
    assert!(findings.iter().all(|finding| finding.severity() == Severity::Error));
}

/// What people wrote in the reports, and what they are told.
#[test]
fn the_mistakes_of_the_reports_have_a_way_out() {
    let help = |text: &str| {
        let errors = Document::parse(text).unwrap_err();
        let help = errors.iter().next().unwrap().help();
        help.unwrap_or_else(|| panic!("{}", errors.report(text))).to_owned()
    };
    for (text, way) in [
        ("host a { };", "remove the `;`"),
        ("// comment\n", "begin comments with `#`"),
        ("subnet 10.0.0.0/8 { }", "write `subnet ADDRESS netmask MASK`"),
        ("host a { next-server <xcatmaster>; }", "if this is the mark of a template"),
        ("next-server $next_server;", "if this is the mark of a template"),
        ("filename 'x';", "strings stand in double quotes"),
        ("if (known) or (static) { }", "put the whole condition in parentheses"),
        ("if known == known { }", "compare with one `=`"),
        ("option host-name murphy.example.org;", "put text with dots in quotes"),
        ("ddns-update-style ad-hoc;", "`ad-hoc` is gone"),
        ("host \"a\" { }", "write the name without quotes"),
        ("host a { hardware ethernet 00-11-22-33-44-55; }", "write octets in hexadecimal"),
        ("always-broadcast yes;", "`yes`, `no` and numbers are no flags"),
        ("if known { } elseif static { }", "write `elsif` or `else if`"),
        ("interface \"eth0\" { }", "it belongs into a subnet, a shared network, or dhclient.conf"),
        ("request routers;", "this belongs into dhclient.conf"),
        ("lease 10.0.0.1 { }", "it belongs into a class"),
        ("ia-na \"x\" { }", "this belongs into the lease file"),
        ("routers 10.0.0.1;", "this is an option"),
        ("group { hardware ethernet 1:2:3:4:5:6; }", "write it inside a `host`"),
        ("subnet 10.0.0.1 netmask 255.0.0.0 { }", "clear the bits"),
    ] {
        assert!(help(text).starts_with(way), "{text}: {}", help(text));
    }
}
