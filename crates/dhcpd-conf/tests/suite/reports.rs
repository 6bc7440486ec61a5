//! What went wrong with other tools, as public reports tell it: one test each, named after it.

use dhcpd_conf::{Document, Edit, FixedAddress, HardwareType, Host, Identifier};

fn parsed(text: &str) -> Document {
    Document::parse(text).unwrap_or_else(|errors| panic!("{}", errors.report("text")))
}

fn names(document: &Document) -> Vec<&str> {
    document.hosts().map(Host::name).collect()
}

fn refused_at(text: &str) -> String {
    let errors = Document::parse(text).unwrap_err();
    assert_eq!(errors.iter().count(), 1, "{}", errors.report("text"));
    errors.iter().next().unwrap().position().to_string()
}

/// GSI-HPC/clusterctl, review of its first parser: two hosts were merged and the wrong machine armed.
#[test]
fn a_statement_and_the_closing_brace_on_one_line_do_not_merge_two_hosts() {
    let document = parsed(
        "host exe1 {\n  hardware ethernet 0:0:0:0:0:1;\n  fixed-address 10.0.0.1; }\n\
         host exe2 {\n  hardware ethernet 0:0:0:0:0:2; fixed-address 10.0.0.2;\n}\n",
    );
    let found: Vec<_> = document
        .hosts()
        .map(|host| (host.name(), host.hardware().unwrap().octets()[5], host.fixed_addresses()))
        .collect();
    let address = |last| vec![FixedAddress::Ip([10, 0, 0, last].into())];
    assert_eq!(found, [("exe1", 1, address(1)), ("exe2", 2, address(2))]);
}

/// The same review: a comment above one host that named another one.
#[test]
fn a_comment_that_names_another_host_gives_no_address() {
    let document = parsed(
        "# exe1 exe2 share this switch\nhost exe1 { fixed-address 10.0.0.1; }\nhost exe2 { }",
    );
    assert!(document.hosts_named("exe2").next().unwrap().fixed_addresses().is_empty());
    assert_eq!(document.hosts_named("exe2").count(), 1);
}

/// xcat2/xcat-core 7758: only `hardware ethernet` was read, and the last declaration overwrote the first.
#[test]
fn every_hardware_type_and_every_declaration_is_read() {
    let document =
        parsed("host a { hardware infiniband 1:2; } host a { hardware token-ring 3:4; }");
    let kinds: Vec<_> =
        document.hosts_named("a").map(|host| host.hardware().unwrap().hardware_type()).collect();
    assert_eq!(kinds, [HardwareType::InfiniBand, HardwareType::TokenRing]);
}

/// xcat2/xcat-core 5971 and cobbler/cobbler 1774: addresses of 20 octets.
#[test]
fn twenty_octets_are_kept_and_twenty_one_are_refused() {
    let octets = |count| vec!["0a"; count].join(":");
    let document = parsed(&format!("host a {{ hardware ethernet {}; }}", octets(20)));
    assert_eq!(document.hosts().next().unwrap().hardware().unwrap().octets(), [10; 20]);
    assert!(Document::parse(format!("host a {{ hardware ethernet {}; }}", octets(21))).is_err());
    parsed(&format!("host a {{ option dhcp-client-identifier = {}; }}", octets(21)));
}

/// xcat2/xcat-core 7372: a generated file with spaces, encapsulation, keys and no host.
#[test]
fn definitions_keys_and_spaces_without_a_host_are_a_configuration() {
    let document = parsed(
        "option space isan; option isan-encap-opts code 43 = encapsulate isan;
         option isan.iqn code 203 = string; option isan.root-path code 201 = text;
         option conf-file code 209 = text; option conf-file code 209 = text;
         omapi-port 7911; key xcat_key { algorithm hmac-md5; secret \"bm90aGluZ2hlcmUh\"; };
         omapi-key xcat_key; class \"pxe\" { match if substring(option vendor-class-identifier, 0, 9) = \"PXEClient\"; }",
    );
    assert!(names(&document).is_empty());
}

/// hercules-team/augeas 34: `if exists` was unknown.
#[test]
fn if_exists_is_a_condition() {
    let document = parsed("if exists agent.circuit-id { filename \"x\"; } host a { }");
    let effective = document.hosts().next().unwrap().effective_parameter("filename");
    assert!(effective.certain().is_none());
    assert_eq!(effective.changes()[0].condition().unwrap().name(), b"exists agent.circuit-id");
}

/// hercules-team/augeas 50: the variety of allow, deny and ignore.
#[test]
fn all_permits_are_read_where_they_belong() {
    for word in ["allow", "deny", "ignore"] {
        for what in [
            "bootp",
            "booting",
            "dynamic-bootp",
            "unknown-clients",
            "duplicates",
            "declines",
            "client-updates",
            "leasequery",
        ] {
            parsed(&format!("{word} {what}; host a {{ {word} {what}; }}"));
        }
        assert!(Document::parse(format!("{word} known-clients;")).is_err());
    }
}

/// theforeman/smart-proxy 524: nested and conditional blocks, inherited options.
#[test]
fn values_are_inherited_through_every_level_of_nesting() {
    let document = parsed(
        "option domain-name \"root\"; shared-network n { option routers 10.0.0.9; \
         subnet 10.0.0.0 netmask 255.0.0.0 { next-server 10.0.0.2; pool { range 10.0.0.5; } \
         group { filename \"g\"; host a { } } } }",
    );
    let host = document.hosts().next().unwrap();
    assert!(host.effective_option("domain-name").certain().is_some());
    assert!(host.effective_option("routers").certain().is_some());
    assert!(host.effective_parameter("next-server").certain().is_some());
    assert_eq!(host.effective_parameter("filename").certain().unwrap().raw(), b"\"g\"");
}

/// theforeman/smart-proxy 22: an include was seen only alone on its line.
#[test]
fn an_include_is_a_statement_anywhere_on_a_line() {
    let document = parsed("group { include \"/a\"; include \"/b\"; } host a { } include \"/c\";");
    assert_eq!(document.includes().count(), 3);
}

/// theforeman/smart-proxy 632: record types, a blank before the semicolon, `none` as a server.
#[test]
fn record_types_and_blanks_before_semicolons_are_read() {
    parsed(
        "option voip code 150 = { ip-address } ; option voip 10.0.0.1 ; option ntp-servers none;",
    );
}

/// jhthorsen/net-isc-dhcpd 24 and 37: punctuation inside a quoted value.
#[test]
fn semicolons_and_commas_inside_quotes_are_text() {
    let document = parsed("host a { option root-path \"nfs:10.0.0.1:/x,rw;y={z}#\"; } host b { }");
    assert_eq!(names(&document), ["a", "b"]);
    let option = document.hosts().next().unwrap().effective_option("root-path");
    assert_eq!(option.certain().unwrap().text().unwrap(), &b"nfs:10.0.0.1:/x,rw;y={z}#"[..]);
}

/// jhthorsen/net-isc-dhcpd 16 and 17: comments behind statements and between operands.
#[test]
fn comments_stand_between_any_two_tokens() {
    parsed(
        "class \"c\" { # one\n  match if # two\n    option host-name = \"a\" # three\n    or # four\n    \
         substring( # five\n hardware, 1, 3) = 0:1:2; # six\n}",
    );
}

/// jhthorsen/net-isc-dhcpd 4: one error cascaded to the end of the file.
#[test]
fn one_error_is_reported_once_whatever_follows() {
    assert_eq!(
        refused_at("host a { filename 1; }\nhost b { filename \"x\"; }\n"),
        "line 1, column 19"
    );
    assert_eq!(
        refused_at("host a {\n  uid 1\n  filename \"x\";\n}\nhost b { }\n"),
        "line 3, column 3"
    );
    assert_eq!(refused_at("bogus { host a { } }\nhost b { }\n"), "line 1, column 1");
    assert_eq!(refused_at("host a { } ;\nhost b { }\n"), "line 1, column 12");
}

/// jhthorsen/net-isc-dhcpd 6: megabytes of subclasses took minutes.
#[test]
fn megabytes_of_subclasses_are_read_in_a_moment() {
    let line = "subclass \"c\" 1:00:11:22:33:44:55 { option host-name \"h\"; }\n";
    let start = std::time::Instant::now();
    let document = parsed(&format!("class \"c\" {{ match hardware; }}\n{}", line.repeat(50_000)));
    assert_eq!(document.statements().count(), 50_001);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// bluebanquise/bluebanquise 105: one name for three interfaces.
#[test]
fn hosts_of_the_same_name_are_all_there_with_their_places() {
    let document = parsed("host a { }\nhost b { }\nhost a { }\n");
    let lines: Vec<_> = document.hosts_named("a").map(|host| host.position().line()).collect();
    assert_eq!(lines, [1, 3]);
}

/// Teradata/stacki 188: a blank in a host name.
#[test]
fn a_host_with_two_names_is_refused_at_the_second() {
    assert_eq!(refused_at("host backend 0 { }"), "line 1, column 14");
}

/// canonical/maas 540: several addresses of one host.
#[test]
fn a_host_is_found_by_any_of_its_addresses() {
    let document = parsed("host a { fixed-address 10.0.0.1, 10.0.0.2, 10.0.0.3; }");
    for last in 1..=3 {
        assert_eq!(document.hosts_with_address([10, 0, 0, last].into()).count(), 1);
    }
}

/// munin-monitoring/contrib 752: a range in a comment was counted.
#[test]
fn a_comment_is_never_a_statement() {
    let document = parsed(
        "subnet 10.0.0.0 netmask 255.0.0.0 {\n # range 10.0.0.1 10.0.0.9;\n}\n#host a { }\n",
    );
    assert_eq!(document.all_statements().count(), 1);
}

/// voxpupuli/puppet-dhcp 224 and 106, theforeman 13062: names as addresses, hosts without one.
#[test]
fn an_address_may_be_a_name_or_absent_but_is_never_empty() {
    let document = parsed("host a { fixed-address exe1.hpc.example.org; } host b { }");
    let addresses: Vec<_> = document.hosts().map(Host::fixed_addresses).collect();
    assert_eq!(addresses, [vec![FixedAddress::Name("exe1.hpc.example.org".into())], vec![]]);
}

/// warewulf/warewulf3 100: the GUID of an `InfiniBand` port inside the client identifier.
#[test]
fn the_octets_of_a_client_identifier_are_at_hand() {
    let document = parsed(
        "host n { option host-name n; option dhcp-client-identifier = \
         ff:00:00:00:00:00:02:00:00:02:c9:00:00:02:c9:03:00:2e:59:01; }",
    );
    let Some(Identifier::Octets(octets)) = document.hosts().next().unwrap().client_id() else {
        panic!()
    };
    assert_eq!(octets[12..], [0, 2, 0xc9, 3, 0, 0x2e, 0x59, 1]);
}

/// xcat2/xcat-core 7777: removing a block by its marker lines ate the rest of the file.
#[test]
fn removing_a_host_between_marker_comments_leaves_the_rest() {
    let source =
        "#xCAT begin a\nhost a { uid 1; } #xCAT end a\n#xCAT begin b\n\nhost b { uid 2; }\n";
    let document = parsed(source);
    let changed =
        Edit::new(&document).remove_host(document.hosts_named("a").next().unwrap()).finish();
    assert_eq!(changed.unwrap(), b"#xCAT begin b\n\nhost b { uid 2; }\n");
}
