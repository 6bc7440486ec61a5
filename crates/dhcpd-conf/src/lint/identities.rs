//! Names, hardware, addresses and client identifiers that several hosts have.

use std::collections::HashMap;
use std::hash::Hash;

use crate::host::Host;
use crate::index::in_order;
use crate::lint::finding::{Finding, FindingKind, Site};
use crate::statement_view::Statement;
use crate::value::{FixedAddress, Identifier};
use crate::world::World;

pub(crate) fn check(world: World<'_>, findings: &mut Vec<Finding>) {
    let mut hosts = Vec::new();
    in_order(world, |id| hosts.extend(Host::of(Statement::new(world, id))));
    shared(
        findings,
        FindingKind::DuplicateHost,
        "rename or remove all but one: the server refuses a second host of the same name",
        hosts.iter().map(|host| (*host, host.name())),
        |name, hosts| format!("{} hosts are named {name}", hosts.len()),
    );
    shared(
        findings,
        FindingKind::SharedHardware,
        "leave it to one host, unless each has an address in another subnet",
        hosts.iter().filter_map(|host| {
            Some((*host, host.hardware().filter(|hardware| !hardware.octets().is_empty())?))
        }),
        |address, hosts| format!("{} have the hardware address {address}", names(hosts)),
    );
    shared(
        findings,
        FindingKind::SharedAddress,
        "give each host an address of its own",
        hosts.iter().flat_map(|host| {
            let mut addresses = host.fixed_addresses();
            // An address that one host lists twice is shared with nobody.
            let mut seen = Vec::new();
            addresses.retain(|address| {
                let new = !seen.contains(address);
                seen.push(address.clone());
                new
            });
            addresses.into_iter().map(|address| (*host, address))
        }),
        |address, hosts| {
            let address = match address {
                FixedAddress::Ip(address) => address.to_string(),
                FixedAddress::Name(name) => name.to_string(),
            };
            format!("{} have the address {address}", names(hosts))
        },
    );
    shared(
        findings,
        FindingKind::SharedClientId,
        "leave it to one host, unless each has an address in another subnet",
        hosts.iter().filter_map(|host| match host.client_id()? {
            Identifier::Text(text) => Some((*host, text.into_owned())),
            Identifier::Octets(octets) => Some((*host, octets)),
            Identifier::Expression(_) => None,
        }),
        |_, hosts| format!("{} have the same client identifier", names(hosts)),
    );
}

/// A finding for each key that several hosts have.
fn shared<'d, K: Eq + Hash>(
    findings: &mut Vec<Finding>,
    kind: FindingKind,
    help: &str,
    keys: impl Iterator<Item = (Host<'d>, K)>,
    message: impl Fn(&K, &[Host<'d>]) -> String,
) {
    let mut holders: HashMap<K, Vec<Host<'d>>> = HashMap::new();
    for (host, key) in keys {
        holders.entry(key).or_default().push(host);
    }
    for (key, hosts) in holders.into_iter().filter(|(_, hosts)| hosts.len() > 1) {
        findings.push(Finding {
            kind,
            sites: hosts.iter().map(|host| Site::of(host.statement())).collect(),
            message: message(&key, &hosts),
            help: help.to_owned(),
        });
    }
}

/// The names of a few hosts, and how many more there are.
fn names(hosts: &[Host<'_>]) -> String {
    const NAMED: usize = 3;
    let names: Vec<&str> = hosts.iter().take(NAMED).map(|host| host.name()).collect();
    match (names.split_last(), hosts.len().saturating_sub(NAMED)) {
        (Some((last, first)), 0) => format!("{} and {last}", first.join(", ")),
        (_, more) => format!("{} and {more} more", names.join(", ")),
    }
}
