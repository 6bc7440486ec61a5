//! Look-ups return lists, and they are fast.

use std::fmt::Write;
use std::time::{Duration, Instant};

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

/// Parses and looks up 1,000 hosts by name, hardware and address; checks that each is found.
fn time_of(count: usize) -> Duration {
    let text = many(count);
    let start = Instant::now();
    let document = Document::parse(text).unwrap();
    for index in (0..1000).map(|step| step * count / 1000) {
        let (high, low) = (u8::try_from(index >> 8).unwrap(), u8::try_from(index & 0xff).unwrap());
        let name = format!("n{index}");
        let is = |host: Option<Host<'_>>| assert_eq!(host.unwrap().name(), name);
        is(document.hosts_named(&name).next());
        is(document.hosts_with_hardware(&[2, 0, 0, 0, high, low]).next());
        let address = [10, 0, high, low].into();
        is(document.hosts_with_address(address).next());
        is(document.hosts_named(&name).next());
        assert!(
            document.hosts_named(&name).next().unwrap().effective_parameter("filename").is_unset()
        );
    }
    start.elapsed()
}

#[test]
fn twenty_thousand_hosts_cost_about_ten_times_what_two_thousand_cost() {
    let small = (0..3).map(|_| time_of(2_000)).min().unwrap();
    let large = (0..3).map(|_| time_of(20_000)).min().unwrap();
    assert!(large < small * 30, "{small:?} for 2,000 hosts, {large:?} for 20,000");
}
