//! Look-ups return lists.

use std::fmt::Write;

use dhcpd_conf::{Document, Host};

fn names(hosts: impl Iterator<Item = Host<'static>>) -> Vec<&'static str> {
    hosts.map(Host::name).collect()
}

/// A document that lives as long as the test program.
fn leaked(text: &str) -> &'static Document {
    Box::leak(Box::new(Document::parse(text).unwrap()))
}

#[test]
fn what_several_hosts_share_finds_all_of_them_in_file_order() {
    let document = leaked(
        "host b { hardware ethernet 1:2:3:4:5:6; fixed-address 10.0.0.1, 10.0.0.2; }
         host a { hardware infiniband 01:02:03:04:05:06; fixed-address 10.0.0.2; uid ff:00; }
         host c { fixed-address 10.0.0.2; option dhcp-client-identifier \"\\xff\\x00\"; }",
    );
    assert_eq!(names(document.hosts_with_hardware(&[1, 2, 3, 4, 5, 6])), ["b", "a"]);
    assert_eq!(names(document.hosts_with_address([10, 0, 0, 2].into())), ["b", "a", "c"]);
    assert_eq!(names(document.hosts_with_client_id(&[0xff, 0])), ["a", "c"]);
    assert!(names(document.hosts_with_address([10, 0, 0, 3].into())).is_empty());
}

#[test]
fn names_match_whole_and_prefixes_in_order() {
    let document = leaked(
        "host exe10 { } host exe1-ib { } host EXE1 { } host exe1 { } host exe1.hpc { } host exe1 { }",
    );
    assert_eq!(names(document.hosts_named("exe1")), ["exe1", "exe1"]);
    assert_eq!(names(document.hosts_named("exe")), Vec::<&str>::new());
    assert_eq!(names(document.hosts_with_prefix("exe1-")), ["exe1-ib"]);
    assert_eq!(
        names(document.hosts_with_prefix("exe1")),
        ["exe1", "exe1", "exe1-ib", "exe1.hpc", "exe10"]
    );
}

/// `count` hosts n0, n1, … below one group, names that are prefixes of each other.
fn many(count: usize) -> String {
    let mut text = String::from("group {\n");
    for index in 0..count {
        let (high, low) = (index >> 8, index & 0xff);
        writeln!(
            text,
            "host n{index} {{ hardware ethernet 2:0:0:0:{high:x}:{low:x}; fixed-address 10.0.{high}.{low}; }}"
        )
        .unwrap();
    }
    text + "}\n"
}

/// GSI-HPC/clusterctl, its index of names: look-ups among 20,000 names, most of which begin like
/// others, took half a minute. Each host is found, and it alone; the benchmark measures how fast.
#[test]
fn each_of_twenty_thousand_hosts_is_found_alone_by_all_it_is_looked_up_by() {
    let document = Document::parse(many(20_000)).unwrap();
    for (index, host) in document.hosts().enumerate() {
        let (high, low) = (u8::try_from(index >> 8).unwrap(), u8::try_from(index & 0xff).unwrap());
        let name = format!("n{index}");
        let alone = |found: Vec<Host<'_>>| {
            assert!(found.len() == 1 && found[0].span() == host.span(), "{name}: {found:?}");
        };
        assert_eq!(host.name(), name);
        alone(document.hosts_named(&name).collect());
        alone(document.hosts_with_hardware(&[2, 0, 0, 0, high, low]).collect());
        alone(document.hosts_with_address([10, 0, high, low].into()).collect());
    }
    assert_eq!(document.hosts_named("n20000").count(), 0);
    assert_eq!(document.hosts_with_prefix("n1999").count(), 11);
    assert_eq!(document.hosts_with_prefix("n1").count(), 11_111);
}
