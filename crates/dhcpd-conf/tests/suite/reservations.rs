//! Host lists: what keama reads in a configuration is what this crate reads.

use std::fmt::Write as _;

use dhcpd_conf::{Document, Host};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::desk::Desk;
use crate::judge::{self, Family, Verdict};
use crate::keama::{Keama, Reservation, Translation};
use crate::manifest;

fn ours<'d>(hosts: impl IntoIterator<Item = Host<'d>>) -> Vec<Reservation> {
    hosts.into_iter().map(Reservation::of_host).collect()
}

/// Valid files that keama refuses, which is its right: no second reader says that their hosts are
/// read well.
const REFUSED: &[(&str, &str)] = &[
    ("valid/migration.conf", "it is the one that reads what stands behind `%`"),
    ("valid/rare.conf", "spaces in capitals, lease-id-format, vendor-class, hosts without octets"),
    ("valid/six-identifiers.conf", "several identifiers of a server, hosts by fqdn.hostname"),
    ("valid/written-by-the-server.conf", "dynamic, deleted, static"),
];

#[test]
fn host_lists_of_every_file_that_both_read_are_keamas() {
    let Some(keama) = Keama::find("host_lists_of_every_file_that_both_read_are_keamas") else {
        return;
    };
    for entry in manifest::present().filter(|entry| entry.dhcpd == Verdict::Accepted) {
        let refused = REFUSED.iter().any(|(name, _)| *name == entry.name);
        match keama.translate(&entry.desk(), entry.family) {
            Translation::Read(list) => {
                assert!(!refused, "keama reads {} after all", entry.name);
                assert_eq!(ours(entry.load().unwrap().hosts()), list, "{}", entry.name);
            }
            Translation::Refused(message) => assert!(refused, "{}: {message}", entry.name),
            Translation::Crashed => panic!("keama crashes of {}", entry.name),
        }
    }
}

/// A host of a generated configuration; its place in the file makes its name and octets unique.
#[derive(Debug, Clone)]
struct Wanted {
    hardware: &'static str,
    octets: usize,
    addresses: usize,
    name: &'static str,
    more: &'static str,
}

fn host() -> impl Strategy<Value = Wanted> {
    let hardware = prop::sample::select(vec![
        ("ethernet", 6),
        ("ethernet", 6),
        ("ETHERNET", 6),
        ("ethernet", 20),
        ("infiniband", 8),
        ("infiniband", 20),
        ("token-ring", 6),
        ("fddi", 6),
        ("unknown-7", 3),
        ("", 0),
    ]);
    let name = prop::sample::select(vec!["n", "exe.hpc.example.org.", "3com-", "-", "a_b ."]);
    let more = prop::sample::select(vec![
        "",
        "uid \"text; # {\\\"}\";",
        "uid 01:2:ff;",
        "option host-name \"host x { fixed-address 10.9.9.9; }\";",
        "filename \"a//b\"; # fixed-address 10.9.9.9;\n",
        "if exists user-class { filename \"x\"; } else { next-server 10.0.0.9; }",
        "option dhcp-client-identifier = ff:00:00:01;",
    ]);
    (hardware, 0..4_usize, name, more).prop_map(|((hardware, octets), addresses, name, more)| {
        Wanted { hardware, octets, addresses, name, more }
    })
}

/// Blocks around runs of hosts.
fn blocks() -> impl Strategy<Value = Vec<(&'static str, Vec<Wanted>)>> {
    let head = prop::sample::select(vec![
        "group {",
        "group \"named\" { filename \"g\"; group {",
        "subnet 10.NET.0.0 netmask 255.255.0.0 { group {",
        "shared-network wNET { subnet 10.NET.0.0 netmask 255.255.0.0 { } group { subnet 10.1NET.0.0 netmask 255.255.0.0 {",
        "# a comment {\n",
    ]);
    prop::collection::vec((head, prop::collection::vec(host(), 0..60)), 4..9)
}

fn configuration(blocks: &[(&str, Vec<Wanted>)], family: Family) -> String {
    let mut text = String::from("authoritative;\n");
    let mut number = 0;
    for (net, (head, hosts)) in blocks.iter().enumerate() {
        let head = match family {
            Family::V4 => head.replace("NET", &(net + 10).to_string()),
            Family::V6 => head
                .replace("subnet 10.NET.0.0 netmask 255.255.0.0", "subnet6 2001:db8:NET::/48")
                .replace("subnet 10.1NET.0.0 netmask 255.255.0.0", "subnet6 2001:db8:1NET::/48")
                .replace("NET", &(net + 10).to_string()),
        };
        writeln!(text, "{head}").unwrap();
        for wanted in hosts {
            number += 1;
            declare(&mut text, wanted, number, family);
        }
        let open = head.matches('{').count() - head.matches('}').count();
        let comment = head.starts_with('#');
        writeln!(text, "{}", "}".repeat(if comment { 0 } else { open })).unwrap();
    }
    match family {
        Family::V4 => text,
        // keama knows what IPv6 has no place for.
        Family::V6 => text
            .replace("filename", "option dhcp6.bootfile-url")
            .replace("next-server 10.0.0.9", "option dhcp6.bootfile-url \"y\""),
    }
}

fn declare(text: &mut String, wanted: &Wanted, number: usize, family: Family) {
    let Wanted { hardware, octets, addresses, name, more } = wanted;
    let (high, low) = (number >> 8, number & 0xff);
    write!(text, "  host {name}{number} {{ {more}").unwrap();
    if *octets > 0 {
        let octets: Vec<_> =
            (0..*octets).map(|at| format!("{:x}", (number >> at) & 0xff)).collect();
        write!(text, " hardware {hardware} {};", octets.join(":")).unwrap();
    }
    let address = |at: usize| match (family, at) {
        (Family::V4, 2) => format!("node{number}.hpc.example.org"),
        (Family::V4, at) => format!("10.{}.{high}.{low:03}", 10 + at),
        (Family::V6, at) => format!("2001:DB8:{at}:0::{high:x}:{low:x}"),
    };
    if *addresses > 0 {
        let list: Vec<_> = (0..*addresses).map(address).collect();
        let word = if family == Family::V4 { "fixed-address" } else { "fixed-address6" };
        write!(text, "\n    {word} {};", list.join(" , ")).unwrap();
    }
    text.push_str("\n  }\n");
}

#[test]
fn host_lists_of_generated_configurations_are_keamas() {
    let test = "host_lists_of_generated_configurations_are_keamas";
    let judged = judge::is_present(test);
    let keama = Keama::find(test);
    let config =
        ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() };
    let families = prop::sample::select(vec![Family::V4, Family::V6]);
    let checked = TestRunner::new(config).run(&(blocks(), families), |(blocks, family)| {
        let text = configuration(&blocks, family);
        let document = Document::parse(text.as_str()).unwrap();
        let hosts = blocks.iter().map(|(_, hosts)| hosts.len()).sum::<usize>();
        prop_assert_eq!(document.hosts().count(), hosts);
        let desk = Desk::new(text.as_bytes());
        if judged {
            prop_assert_eq!(judge::verdict(&desk, family), Verdict::Accepted);
        }
        match keama.as_ref().map(|keama| keama.translate(&desk, family)) {
            None => {}
            Some(Translation::Read(list)) => prop_assert_eq!(ours(document.hosts()), list),
            Some(Translation::Refused(message)) => prop_assert!(false, "{}", message),
            Some(Translation::Crashed) => prop_assert!(false, "keama crashes"),
        }
        Ok(())
    });
    if let Err(failure) = checked {
        panic!("{failure}");
    }
}
