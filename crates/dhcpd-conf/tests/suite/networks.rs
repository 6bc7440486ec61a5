//! Subnets, pools, ranges, groups and classes: what they say, and where they stand.

use std::net::IpAddr;

use dhcpd_conf::{ConfigSet, Document, Guid, Host, Identifier};

const SITE: &str = "\
class \"pxe\" { match if substring(option vendor-class-identifier, 0, 9) = \"PXEClient\"; filename \"p\"; }
class \"macs\" { match hardware; }
subclass \"macs\" 1:0:1:2:3:4:5;
subclass \"macs\" \"text\" { filename \"s\"; }
shared-network wire {
  group { subnet 10.1.0.0 netmask 255.255.0.0 { range 10.1.0.9 10.1.0.5; } }
  subnet 10.2.0.0 netmask 255.255.0.0 { option routers 10.2.0.1; pool { deny members of \"pxe\"; range 10.2.0.5; } }
  pool { allow unknown-clients; range dynamic-bootp 10.2.1.1 10.2.1.9; }
}
subnet 10.0.0.0 netmask 255.0.0.0 { }
subnet6 2001:db8::/32 { range6 2001:db8::1 2001:db8::ff; range6 2001:db8:1::/64 temporary; range6 2001:db8:3:: temporary;
  prefix6 2001:db8:8:: 2001:db8:9:: /56; }
group \"g\" { host a { } host b { } }
group { }
";

fn site() -> Document {
    Document::parse(SITE).unwrap()
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn subnets_tell_their_network_their_wire_and_their_ranges() {
    let document = site();
    let subnets = document.subnets();
    let networks: Vec<_> = subnets.iter().map(|subnet| subnet.network().to_string()).collect();
    assert_eq!(networks, ["10.1.0.0/16", "10.2.0.0/16", "10.0.0.0/8", "2001:db8::/32"]);
    let wires: Vec<_> = subnets.iter().map(|subnet| subnet.shared_network().is_some()).collect();
    assert_eq!(wires, [true, true, false, false]);
    let ranges: Vec<Vec<_>> = subnets
        .iter()
        .map(|subnet| subnet.ranges().iter().map(|it| (it.first(), it.last())).collect())
        .collect();
    let pair = |first, last| (ip(first), ip(last));
    assert_eq!(ranges[0], [pair("10.1.0.5", "10.1.0.9")]);
    assert_eq!(ranges[1], [pair("10.2.0.5", "10.2.0.5")]);
    assert_eq!(ranges[2], []);
    let six = [
        pair("2001:db8::1", "2001:db8::ff"),
        pair("2001:db8:1::", "2001:db8:1::ffff:ffff:ffff:ffff"),
        pair("2001:db8:3::", "2001:db8:3::ffff:ffff:ffff:ffff"),
        pair("2001:db8:8::", "2001:db8:9::"),
    ];
    assert_eq!(ranges[3], six);
    let delegated: Vec<_> =
        subnets[3].ranges().iter().map(|range| range.delegated_length()).collect();
    assert_eq!(delegated, [None, None, None, Some(56)]);
}

#[test]
fn the_narrowest_subnet_that_holds_an_address_comes_first() {
    let document = site();
    let holding = |address: &str| -> Vec<String> {
        document.subnets_with(ip(address)).map(|subnet| subnet.network().to_string()).collect()
    };
    assert_eq!(holding("10.1.2.3"), ["10.1.0.0/16", "10.0.0.0/8"]);
    assert_eq!(holding("10.9.0.1"), ["10.0.0.0/8"]);
    assert_eq!(holding("2001:db8:ffff::1"), ["2001:db8::/32"]);
    assert!(holding("192.168.0.1").is_empty() && holding("::a01:203").is_empty());
}

#[test]
fn a_mask_with_gaps_is_a_mask() {
    let document = Document::parse("subnet 10.0.7.0 netmask 255.0.255.0 { }").unwrap();
    let network = document.subnets()[0].network();
    assert_eq!(network.to_string(), "10.0.7.0 netmask 255.0.255.0");
    assert!(network.contains(ip("10.99.7.1")) && !network.contains(ip("10.0.8.1")));
    assert_eq!(document.subnets_with(ip("10.99.7.1")).count(), 1);
}

#[test]
fn pools_know_where_they_stand_and_whom_they_permit() {
    let document = site();
    let pools = document.pools();
    let [inner, outer] = pools.as_slice() else { panic!("{pools:?}") };
    assert_eq!(inner.subnet().unwrap().network().to_string(), "10.2.0.0/16");
    assert!(outer.subnet().is_none());
    assert_eq!(outer.shared_network().unwrap().name(), &b"wire"[..]);
    assert_eq!(inner.shared_network().unwrap().pools().count(), 1);
    assert_eq!(outer.permits().next().unwrap().value(), b"unknown-clients");
    assert!(outer.ranges()[0].contains(ip("10.2.1.5")));
    assert!(!outer.ranges()[0].contains(ip("::1")));
    let wires = document.shared_networks();
    assert_eq!(wires[0].subnets().len(), 2);
}

#[test]
fn vendor_and_user_classes_are_subclasses_by_their_name() {
    let text = "class \"c\" { } vendor-class \"c\" { filename \"s\"; } user-class \"c\";";
    let document = Document::parse(text).unwrap();
    assert_eq!(document.classes().len(), 1);
    let subclasses = document.subclasses();
    assert_eq!(subclasses.len(), 2);
    for subclass in &subclasses {
        assert_eq!(subclass.class(), &b"c"[..]);
        assert_eq!(subclass.data(), Identifier::Text(b"c".into()));
    }
    assert_eq!(subclasses[0].settings().count(), 1);
}

#[test]
fn classes_tell_what_matches_and_subclasses_what_belongs() {
    let document = site();
    let classes = document.classes();
    assert_eq!(classes[0].name(), &b"pxe"[..]);
    assert!(classes[0].matches().next().unwrap().starts_with(b"if substring("));
    assert_eq!(classes[0].settings().count(), 1);
    let subclasses = document.subclasses();
    assert!(subclasses.iter().all(|subclass| subclass.class() == &b"macs"[..]));
    assert_eq!(subclasses[0].data(), Identifier::Octets(vec![1, 0, 1, 2, 3, 4, 5]));
    assert_eq!(subclasses[1].data(), Identifier::Text(b"text".into()));
    assert_eq!(subclasses[1].settings().count(), 1);
}

#[test]
fn groups_tell_their_name_and_their_hosts() {
    let document = site();
    let groups = document.groups();
    let names: Vec<_> = groups.iter().map(|group| group.name().is_some()).collect();
    assert_eq!(names, [false, true, false]);
    assert_eq!(groups[1].hosts().map(Host::name).collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn what_an_included_file_holds_stands_in_the_block_of_the_include() {
    let read = |path: &std::path::Path| match path.to_str() {
        Some("/main") => {
            Ok("subnet 10.0.0.0 netmask 255.0.0.0 { include \"/pools\"; range 10.0.0.9; }")
        }
        Some("/pools") => Ok("range 10.0.0.1; pool { include \"/rest\"; range 10.0.0.5; }"),
        Some("/rest") => Ok("allow unknown-clients;"),
        _ => Err("absent"),
    };
    let set = ConfigSet::load("/main", |path| read(path).map(Vec::from)).unwrap();
    let subnet = set.subnets()[0];
    let firsts: Vec<_> = subnet.ranges().iter().map(|range| range.first().to_string()).collect();
    assert_eq!(firsts, ["10.0.0.1", "10.0.0.5", "10.0.0.9"]);
    assert_eq!(subnet.pools().next().unwrap().permits().count(), 1);
    assert_eq!(set.pools()[0].subnet().unwrap().network(), subnet.network());
}

#[test]
fn a_guid_is_found_in_every_form_sites_write_it() {
    let guid: Guid = "0x0002c903002e5901".parse().unwrap();
    let forms = [
        "hardware infiniband 00:02:c9:03:00:2e:59:01;",
        "hardware infiniband 80:00:00:48:fe:80:0:0:0:0:0:0:00:02:c9:03:00:2e:59:01;",
        "hardware ethernet 80:00:00:48:fe:80:0:0:0:0:0:0:00:02:c9:03:00:2e:59:01;",
        "option dhcp-client-identifier = ff:0:0:0:0:0:2:0:0:2:c9:0:00:02:c9:03:00:2e:59:01;",
        "option dhcp-client-identifier=20:00:02:c9:03:00:2e:59:01;",
        "uid ff:1:2:3:4:0:3:0:20:00:02:c9:03:00:2e:59:01;",
    ];
    for form in forms {
        let text = format!("host a {{ {form} }} host b {{ hardware ethernet 0:2:c9:2e:59:1; }}");
        let document = Document::parse(text).unwrap();
        let found: Vec<_> = document.hosts_with_guid(guid).map(Host::name).collect();
        assert_eq!(found, ["a"], "{form}");
    }
    for text in ["", "0002", "0002:c903:002e:590", "0002:c903:002e:590g", "00:02:c9:03:00:2e:5901"]
    {
        assert!(text.parse::<Guid>().is_err(), "{text}");
    }
}
