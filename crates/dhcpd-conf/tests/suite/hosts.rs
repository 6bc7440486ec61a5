//! What a host declaration says.

use std::net::{IpAddr, Ipv4Addr};

use dhcpd_conf::{Document, FixedAddress, HardwareType, Host, Identifier};

fn ip(text: &str) -> FixedAddress<'_> {
    FixedAddress::Ip(text.parse().unwrap())
}

/// The one host of `text`.
fn with_host<T>(text: &str, check: impl FnOnce(Host<'_>) -> T) -> T {
    let document =
        Document::parse(text).unwrap_or_else(|errors| panic!("{}", errors.report("text")));
    let hosts: Vec<_> = document.hosts().collect();
    let [host] = hosts[..] else { panic!("{hosts:?}") };
    check(host)
}

#[test]
fn statements_after_the_brace_and_before_the_closing_one_are_read() {
    with_host(
        "host a{hardware ethernet 0:1:2:3:4:5;fixed-address 10.0.0.1;filename\"x\";}",
        |host| {
            assert_eq!(host.hardware().unwrap().octets(), [0, 1, 2, 3, 4, 5]);
            assert_eq!(host.fixed_addresses(), [ip("10.0.0.1")]);
            assert_eq!(host.parameter("filename").next().unwrap().text().unwrap(), &b"x"[..]);
        },
    );
}

#[test]
fn hardware_keeps_its_type_and_every_octet() {
    let twenty = "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:2e:59:01";
    for (name, kind) in [
        ("ethernet", HardwareType::Ethernet),
        ("InfiniBand", HardwareType::InfiniBand),
        ("token-ring", HardwareType::TokenRing),
        ("fddi", HardwareType::Fddi),
        ("unknown-24", HardwareType::Unknown(24)),
    ] {
        with_host(&format!("host a {{ hardware {name} {twenty}; }}"), |host| {
            let hardware = host.hardware().unwrap();
            assert_eq!(hardware.hardware_type(), kind);
            assert_eq!(hardware.octets().len(), 20);
            assert_eq!(hardware.to_string(), twenty);
        });
    }
}

#[test]
fn hardware_octets_come_out_alike_however_they_are_written() {
    for written in ["0:A:0b:3:4:05", "00 : 0a : 0B # x\n: 03:04:05"] {
        with_host(&format!("host a {{ hardware ethernet {written}; }}"), |host| {
            assert_eq!(host.hardware().unwrap().to_string(), "00:0a:0b:03:04:05");
        });
    }
}

#[test]
fn a_host_without_hardware_or_with_an_empty_one_is_no_error() {
    with_host("host a { }", |host| assert_eq!(host.hardware(), None));
    with_host("host a { hardware ethernet ; }", |host| {
        assert!(host.hardware().unwrap().octets().is_empty());
    });
}

#[test]
fn fixed_addresses_are_several_and_may_be_names() {
    with_host("host a { fixed-address 10.0.0.1, exe1.hpc , 3com.example.com; }", |host| {
        let names = ["exe1.hpc", "3com.example.com"].map(|name| FixedAddress::Name(name.into()));
        assert_eq!(host.fixed_addresses(), [&[ip("10.0.0.1")], &names[..]].concat());
    });
    with_host("host a { fixed-address6 ::1, 2001:db8::dead:add; }", |host| {
        assert_eq!(host.fixed_addresses(), [ip("::1"), ip("2001:db8::dead:add")]);
    });
    with_host("host a { }", |host| assert!(host.fixed_addresses().is_empty()));
}

#[test]
fn leading_zeros_of_an_address_are_decimal() {
    with_host("host a { fixed-address 010.000.000.001; }", |host| {
        let address = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
        assert_eq!(host.fixed_addresses(), [FixedAddress::Ip(address)]);
    });
}

#[test]
fn client_ids_of_text_and_of_octets_are_not_the_same() {
    let id = |text: &str| {
        with_host(&format!("host a {{ {text} }}"), |host| match host.client_id()? {
            Identifier::Text(text) => Some(Identifier::Text(text.into_owned().into())),
            Identifier::Octets(octets) => Some(Identifier::Octets(octets)),
            Identifier::Expression(_) => Some(Identifier::Expression(b"")),
            other => panic!("{other:?}"),
        })
    };
    let octets = Some(Identifier::Octets(vec![0xff, 0, 1]));
    assert_eq!(
        id("option dhcp-client-identifier \"ff:00:01\";"),
        Some(Identifier::Text((&b"ff:00:01"[..]).into()))
    );
    assert_eq!(id("option dhcp-client-identifier ff:00:01;"), octets);
    assert_eq!(id("option dhcp-client-identifier=ff:00:01;"), octets);
    assert_eq!(id("uid ff:00:01;"), octets);
    assert_eq!(
        id("option dhcp-client-identifier = concat(\"a\", \"b\");"),
        Some(Identifier::Expression(b""))
    );
    assert_eq!(id("filename \"x\";"), None);
}

#[test]
fn uid_beats_the_option_and_the_first_option_counts() {
    with_host("host a { option dhcp-client-identifier 1; uid 2; }", |host| {
        assert_eq!(host.client_id(), Some(Identifier::Octets(vec![2])));
    });
    with_host(
        "host a { option dhcp-client-identifier 1; option dhcp-client-identifier 2; }",
        |host| {
            assert_eq!(host.client_id(), Some(Identifier::Octets(vec![1])));
        },
    );
}

#[test]
fn only_option_and_supersede_identify_a_host() {
    let id =
        |text: &str| with_host(&format!("host a {{ {text} }}"), |host| host.client_id().is_some());
    assert!(id("supersede dhcp-client-identifier 1;"));
    assert!(id("option unknown-61 1:2;"));
    for operator in ["append", "prepend", "default", "send"] {
        assert!(!id(&format!("{operator} dhcp-client-identifier 1;")), "{operator}");
    }
    with_host(
        "host a { default dhcp-client-identifier 1; supersede dhcp-client-identifier 2; }",
        |host| assert_eq!(host.client_id(), Some(Identifier::Octets(vec![2]))),
    );
}

#[test]
fn octets_with_a_sign_count_down() {
    with_host("host a { hardware ethernet -1:-80:7f; uid -2; fixed-address 10.0.0.-1; }", |host| {
        assert_eq!(host.hardware().unwrap().octets(), [0xff, 0x80, 0x7f]);
        assert_eq!(host.client_id(), Some(Identifier::Octets(vec![0xfe])));
        assert_eq!(host.fixed_addresses(), [ip("10.0.0.255")]);
    });
}

#[test]
fn a_client_id_under_a_condition_identifies_nobody() {
    with_host("host a { if known { option dhcp-client-identifier 1; } }", |host| {
        assert_eq!(host.client_id(), None);
    });
}

#[test]
fn text_values_are_decoded() {
    let text = |value: &str| {
        with_host(&format!("host a {{ filename {value}; }}"), |host| {
            host.parameter("filename").next().unwrap().text().map(std::borrow::Cow::into_owned)
        })
    };
    assert_eq!(text(r#""a;}#b""#).unwrap(), b"a;}#b");
    assert_eq!(text(r#""\x41\102\n\"""#).unwrap(), b"AB\n\"");
    assert_eq!(text("bare-word").unwrap(), b"bare-word");
    assert_eq!(text("\"two\nlines\"").unwrap(), b"two\nlines");
}

#[test]
fn bytes_that_are_not_utf8_stay_as_they_are() {
    let document = Document::parse(b"# caf\xe9\nhost a { filename \"\xe9\"; }".to_vec()).unwrap();
    let host = document.hosts().next().unwrap();
    assert_eq!(host.comments().collect::<Vec<_>>(), [b"caf\xe9"]);
    assert_eq!(host.parameter("filename").next().unwrap().text().unwrap(), &b"\xe9"[..]);
}

fn comments(text: &str) -> Vec<String> {
    let document = Document::parse(text).unwrap();
    let host = document.hosts_named("a").next().unwrap();
    host.comments().map(|line| String::from_utf8_lossy(line).into_owned()).collect()
}

#[test]
fn comment_lines_directly_above_belong_to_a_host() {
    assert_eq!(comments("# one\n  #two \r\n host a { }"), ["one", "two"]);
    assert_eq!(comments("group {\n# one\nhost a { } }"), ["one"]);
    assert_eq!(comments("host b { }\n# one\nhost a { }"), ["one"]);
}

#[test]
fn comments_of_others_do_not_belong_to_a_host() {
    assert!(comments("# far\n\nhost a { }").is_empty());
    assert!(comments("host b { } # behind b\nhost a { }").is_empty());
    assert!(comments("group { # behind the brace\nhost a { } }").is_empty());
    assert!(comments("host b {\n# in b\n}\nhost a { }").is_empty());
    assert!(comments("# above b\nhost b { } host a { }").is_empty());
    assert!(comments("filename \"\n# text\n\"; host a { }").is_empty());
    assert_eq!(comments("# far\n\n# near\nhost a { # in a\n}"), ["near"]);
}

#[test]
fn a_name_with_blanks_around_its_dots_is_one_name() {
    with_host("host exe1 . hpc # c\n . org { }", |host| assert_eq!(host.name(), "exe1.hpc.org"));
    with_host("host 1a.b-c_d. { }", |host| assert_eq!(host.name(), "1a.b-c_d."));
}

#[test]
fn hosts_are_found_at_any_depth() {
    let document = Document::parse(
        "host a { } group { host b { } group { host c { } } subnet 10.0.0.0 netmask 255.0.0.0 { \
         pool { range 10.0.0.1; host d { } } } } shared-network n { host e { } }",
    );
    let document = document.unwrap();
    let names: Vec<_> = document.hosts().map(Host::name).collect();
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
}
