//! Subnets by the addresses they hold.

use std::collections::BTreeMap;
use std::net::IpAddr;

use crate::index::in_order;
use crate::network::{Network, masked};
use crate::statement_view::Statement;
use crate::tree::StatementKind;
use crate::world::{Id, World};

/// The subnets of each netmask, sorted by their address: few masks, many subnets.
#[derive(Debug)]
pub(crate) struct NetworkIndex {
    by_mask: BTreeMap<IpAddr, Vec<(IpAddr, Id)>>,
}

impl NetworkIndex {
    pub(crate) fn new(world: World<'_>) -> Self {
        let mut by_mask: BTreeMap<IpAddr, Vec<(IpAddr, Id)>> = BTreeMap::new();
        in_order(world, |id| {
            if world.node(id).kind != StatementKind::Subnet {
                return;
            }
            if let Some(network) = Network::of(Statement::new(world, id)) {
                by_mask.entry(network.mask()).or_default().push((network.address(), id));
            }
        });
        // Equal addresses keep the order of the files.
        by_mask.values_mut().for_each(|subnets| subnets.sort_by_key(|(address, _)| *address));
        Self { by_mask }
    }

    /// The subnets that hold `address`, the narrowest first.
    pub(crate) fn holding(&self, address: IpAddr) -> impl Iterator<Item = Id> + use<'_> {
        self.by_mask.iter().rev().flat_map(move |(mask, subnets)| {
            let network = masked(address, *mask);
            let from = subnets.partition_point(|(start, _)| Some(*start) < network);
            let equal =
                subnets[from..].iter().take_while(move |(start, _)| Some(*start) == network);
            equal.map(|(_, id)| *id)
        })
    }
}
