//! Reports about hosts: their names, hardware, addresses and identifiers.

use dhcpd_conf::{
    FindingKind, FixedAddress, Guid, HardwareType, Host, Identifier, LoadErrorKind, Loader,
};

use super::{names, parsed, refused_at};

fn ip(last: u8) -> FixedAddress<'static> {
    FixedAddress::Ip([10, 0, 0, last].into())
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
    assert_eq!(found, [("exe1", 1, vec![ip(1)]), ("exe2", 2, vec![ip(2)])]);
}

/// GSI-HPC/clusterctl, the same review: values of hosts on one line, behind the brace and behind another statement were
/// lost, or kept their semicolon.
#[test]
fn values_are_read_wherever_their_statement_stands_on_a_line() {
    let document = parsed(
        "host one { hardware ethernet 2:0:0:0:0:1; fixed-address 10.0.0.1; filename \"a\"; }\n\
         host two { hardware ethernet 2:0:0:0:0:2;\n  fixed-address 10.0.0.2; filename \"b\"; }\n\
         host three\n{\n  hardware ethernet 2:0:0:0:0:3; fixed-address 10.0.0.3;filename\"c\";}\n",
    );
    assert_eq!(names(&document), ["one", "two", "three"]);
    for (host, (last, filename)) in document.hosts().zip([(1, "a"), (2, "b"), (3, "c")]) {
        assert_eq!(host.hardware().unwrap().octets(), [2, 0, 0, 0, 0, last]);
        assert_eq!(host.fixed_addresses(), [ip(last)]);
        let own = host.parameter("filename").next().unwrap();
        assert_eq!(own.text().unwrap(), filename.as_bytes());
    }
}

/// GSI-HPC/clusterctl, the same review: a comment above one host that named another one.
#[test]
fn a_comment_that_names_another_host_gives_no_address() {
    let document = parsed(
        "# exe1 exe2 share this switch\nhost exe1 { fixed-address 10.0.0.1; }\nhost exe2 { }",
    );
    assert_eq!(document.hosts_named("exe2").count(), 1);
    assert!(document.hosts_named("exe2").next().unwrap().fixed_addresses().is_empty());
    assert_eq!(document.hosts_named("exe1").next().unwrap().fixed_addresses(), [ip(1)]);
}

/// GSI-HPC/clusterctl, the same review: the service processor's name sorts before the node's, and was taken for it.
#[test]
fn a_name_is_matched_whole_and_two_of_one_name_are_both_told() {
    let document = parsed(
        "host exe5-bmc.mgmt.example.org { fixed-address 10.0.0.1; }\n\
         host exe5.hpc.example.org { fixed-address 10.0.0.2; }\nhost exe5 { fixed-address 10.0.0.3; }\n\
         host exe5 { fixed-address 10.0.0.4; }",
    );
    let addresses = |name: &str| -> Vec<_> {
        document.hosts_named(name).flat_map(Host::fixed_addresses).collect()
    };
    assert_eq!(addresses("exe5"), [ip(3), ip(4)]);
    assert_eq!(addresses("exe5.hpc.example.org"), [ip(2)]);
    assert_eq!(addresses("exe5-bmc"), []);
    assert_eq!(document.hosts_with_prefix("exe5.").count(), 1);
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

/// xcat2/xcat-core 7758: a file that could not be read was taken for one without the host.
#[test]
fn a_file_that_cannot_be_read_is_an_error_and_no_empty_list() {
    let read = Loader::new().load("/etc/dhcp/dhcpd.conf", |_| Err("permission denied"));
    let errors = read.unwrap_err();
    let kinds: Vec<_> = errors.iter().map(dhcpd_conf::LoadError::kind).collect();
    assert!(matches!(kinds[..], [LoadErrorKind::Read("permission denied")]), "{kinds:?}");
}

/// xcat2/xcat-core 5971 and cobbler/cobbler 1774: addresses of 20 octets.
#[test]
fn twenty_octets_are_kept_and_twenty_one_are_refused() {
    let octets = |count| vec!["0a"; count].join(":");
    let document = parsed(&format!("host a {{ hardware ethernet {}; }}", octets(20)));
    let hardware = document.hosts().next().unwrap().hardware().unwrap();
    assert_eq!(
        (hardware.hardware_type(), hardware.octets()),
        (HardwareType::Ethernet, &[10; 20][..])
    );
    assert_eq!(hardware.to_string(), octets(20));
    assert_eq!(
        refused_at(&format!("host a {{ hardware ethernet {}; }}", octets(21))),
        "line 1, column 28"
    );
    let document = parsed(&format!("host a {{ option dhcp-client-identifier = {}; }}", octets(21)));
    let identifier = document.hosts().next().unwrap().client_id();
    assert_eq!(identifier, Some(Identifier::Octets(vec![10; 21])));
}

/// voxpupuli/puppet-dhcp 224 and 106, theforeman 13062: names as addresses, hosts without one.
#[test]
fn an_address_may_be_a_name_or_absent_but_is_never_empty() {
    let document = parsed("host a { fixed-address exe1.hpc.example.org; } host b { }");
    let addresses: Vec<_> = document.hosts().map(Host::fixed_addresses).collect();
    assert_eq!(addresses, [vec![FixedAddress::Name("exe1.hpc.example.org".into())], vec![]]);
}

/// bluebanquise/bluebanquise 105: one name for three interfaces.
#[test]
fn hosts_of_the_same_name_are_all_there_and_found_with_their_places() {
    let document = parsed("host a { }\nhost b { }\nhost a { }\n  host a { }\n");
    let lines: Vec<_> = document.hosts_named("a").map(|host| host.position().line()).collect();
    assert_eq!(lines, [1, 3, 4]);
    let findings = document.lint();
    let places: Vec<_> = findings[0].sites().iter().map(ToString::to_string).collect();
    assert_eq!((findings.len(), findings[0].kind()), (1, FindingKind::DuplicateHost));
    assert_eq!(places, ["1:1", "3:1", "4:3"]);
}

/// Teradata/stacki 188: a blank in a host name.
#[test]
fn a_host_with_two_names_is_refused_at_the_second() {
    assert_eq!(refused_at("host backend 0 { }"), "line 1, column 14");
}

/// canonical/maas 540: several addresses of one host.
#[test]
fn a_host_is_found_by_any_of_its_addresses() {
    let document = parsed(
        "host a { fixed-address 10.0.0.1, 10.0.0.2, 10.0.0.3; } host b { fixed-address 10.0.0.4; }",
    );
    assert_eq!(document.hosts().next().unwrap().fixed_addresses(), [ip(1), ip(2), ip(3)]);
    for last in 1..=3 {
        let found: Vec<_> =
            document.hosts_with_address([10, 0, 0, last].into()).map(Host::name).collect();
        assert_eq!(found, ["a"]);
    }
}

/// warewulf/warewulf3 100: the GUID of an `InfiniBand` port inside the client identifier.
#[test]
fn the_octets_and_the_guid_of_a_client_identifier_are_at_hand() {
    let document = parsed(
        "host n { option host-name n; option dhcp-client-identifier = \
         ff:00:00:00:00:00:02:00:00:02:c9:00:00:02:c9:03:00:2e:59:01; }",
    );
    let host = document.hosts().next().unwrap();
    let Some(Identifier::Octets(octets)) = host.client_id() else { panic!() };
    assert_eq!(octets[..8], [0xff, 0, 0, 0, 0, 0, 2, 0]);
    let guid = Guid::new([0, 2, 0xc9, 3, 0, 0x2e, 0x59, 1]);
    assert_eq!(host.guid(), Some(guid));
    assert_eq!(document.hosts_with_guid(guid).map(Host::name).collect::<Vec<_>>(), ["n"]);
    assert_eq!(host.option("host-name").next().unwrap().text().unwrap(), &b"n"[..]);
}
