//! Addresses and ranges that do not lie where they stand.

use std::net::IpAddr;

use crate::address_range::AddressRange;
use crate::host::Host;
use crate::index::in_order;
use crate::lex::at_keyword;
use crate::lint::finding::{Finding, FindingKind, Site};
use crate::network::Network;
use crate::statement_view::Statement;
use crate::subnet::{SharedNetwork, Subnet};
use crate::tree::StatementKind;
use crate::value::{FixedAddress, ipv6};
use crate::world::World;

pub(crate) fn check(world: World<'_>, findings: &mut Vec<Finding>) {
    let mut ranges = Vec::new();
    let mut families = [false; 2];
    in_order(world, |id| {
        let statement = Statement::new(world, id);
        match statement.kind() {
            StatementKind::Subnet => {
                if let Some(network) = Network::of(statement) {
                    families[usize::from(network.address().is_ipv4())] = true;
                }
            }
            StatementKind::Range => ranges.extend(AddressRange::of(statement)),
            _ => {}
        }
    });
    // What a prefix6 gives away may lie anywhere.
    ranges.retain(|range| range.delegated_length().is_none());
    for range in &ranges {
        findings.extend(misplaced(*range));
    }
    let given = Given::new(&ranges);
    findings.extend(given.overlaps());
    in_order(world, |id| {
        let Some(host) = Host::of(Statement::new(world, id)) else { return };
        for address in host.fixed_addresses() {
            let FixedAddress::Ip(address) = address else { continue };
            // A file of hosts on its own has no subnets: nothing can be said of it.
            if families[usize::from(address.is_ipv4())] {
                findings.extend(host_finding(world, host, address));
            }
            if let Some(range) = given.holding(address) {
                findings.push(Finding::new(
                    FindingKind::AddressInRange,
                    host.statement(),
                    format!(
                        "the server gives {address} of host {} away, from the range {} to {}",
                        host.name(),
                        range.first(),
                        range.last(),
                    ),
                    "take the address out of the range: another machine may hold it already",
                ));
            }
        }
    });
}

fn host_finding(world: World<'_>, host: Host<'_>, address: IpAddr) -> Option<Finding> {
    let name = host.name();
    if world.indexes().networks(world).holding(address).next().is_none() {
        return Some(Finding::new(
            FindingKind::OutsideSubnets,
            host.statement(),
            format!("no subnet holds the address {address} of host {name}"),
            "declare its subnet, or correct the address: the server never gives it out",
        ));
    }
    let around = host.statement().ancestors().find_map(Subnet::of)?;
    (!around.network().contains(address)).then(|| {
        let network = around.network();
        Finding::new(
            FindingKind::ForeignSubnet,
            host.statement(),
            format!("host {name} stands in the subnet {network}, which does not hold {address}"),
            "move it: hosts are global, and it takes this subnet's options with it",
        )
    })
}

/// A range outside its subnet; in a pool of a shared network, outside the subnets before it.
fn misplaced(range: AddressRange<'_>) -> Option<Finding> {
    let statement = range.statement();
    let holds =
        |network: Network| network.contains(range.first()) && network.contains(range.last());
    let (inside, place, help) = if let Some(subnet) = statement.ancestors().find_map(Subnet::of) {
        let network = subnet.network();
        (holds(network), format!("its subnet {network}"), "correct the range or the subnet")
    } else {
        let wire = statement.ancestors().find_map(SharedNetwork::of)?;
        let before = |subnet: &Subnet<'_>| {
            let (subnet, range) = (subnet.statement(), statement);
            subnet.id.file != range.id.file || subnet.span() < range.span()
        };
        let inside = wire.subnets().iter().filter(|it| before(it)).any(|it| holds(it.network()));
        let place = "the subnets of its shared network that stand before it".to_owned();
        (inside, place, "correct the range, or move the pool behind its subnet")
    };
    if let Ok((rest, address)) = ipv6(statement.value())
        && at_keyword(rest, "temporary")
        && range.first() != IpAddr::V6(address)
    {
        let message = format!("temporary addresses come from a /64, and none begins at {address}");
        let help = "write the first address of the /64";
        return Some(Finding::new(FindingKind::RangeOutsideSubnet, statement, message, help));
    }
    (!inside).then(|| {
        let (first, last) = (range.first(), range.last());
        let message = format!("the range {first} to {last} is not in {place}");
        Finding::new(FindingKind::RangeOutsideSubnet, statement, message, help)
    })
}

/// The ranges sorted by their first address, each with the one up to here that reaches furthest:
/// where that ends too early, no range before can hold an address.
struct Given<'r, 'd>(Vec<(&'r AddressRange<'d>, &'r AddressRange<'d>)>);

impl<'r, 'd> Given<'r, 'd> {
    fn new(ranges: &'r [AddressRange<'d>]) -> Self {
        let mut sorted: Vec<_> = ranges.iter().map(|range| (range, range)).collect();
        sorted.sort_by_key(|(range, _)| range.first());
        let mut furthest: Option<&AddressRange<'_>> = None;
        for (range, reaching) in &mut sorted {
            *reaching = furthest.filter(|it| it.last() >= range.last()).unwrap_or(range);
            furthest = Some(reaching);
        }
        Self(sorted)
    }

    /// Ranges that begin inside another: the server declares each address once.
    fn overlaps(&self) -> impl Iterator<Item = Finding> {
        self.0.windows(2).filter_map(|pair| {
            let [(_, before), (range, _)] = pair else { return None };
            if !before.contains(range.first()) || range.first().is_ipv6() {
                return None;
            }
            let mut ranges = [before.statement(), range.statement()];
            ranges.sort_by_key(|range| range.id);
            let mut finding = Finding::new(
                FindingKind::OverlappingRanges,
                ranges[0],
                format!("the address {} is in two ranges", range.first()),
                "let each address be in one range",
            );
            finding.sites.push(Site::of(ranges[1]));
            Some(finding)
        })
    }

    fn holding(&self, address: IpAddr) -> Option<AddressRange<'d>> {
        let end = self.0.partition_point(|(range, _)| range.first() <= address);
        let before = self.0[..end].iter().rev();
        let before = before.take_while(|(_, furthest)| furthest.last() >= address);
        before.map(|(range, _)| **range).find(|range| range.contains(address))
    }
}
