//! Where the site's networks lie and which address a node has in each.

use std::net::Ipv4Addr;

/// The networks of the site; each is a /16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Networks;

impl Networks {
    /// Prefix length of every network of the site.
    pub const PREFIX: u8 = 16;
    /// Nodes and roles.
    pub const ADMIN: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 0);
    /// IP over `InfiniBand`, only declared in dhcpd.conf: the lab's nodes have no such interface.
    pub const INFINIBAND: Ipv4Addr = Ipv4Addr::new(10, 1, 0, 0);
    /// Service processors.
    pub const MANAGEMENT: Ipv4Addr = Ipv4Addr::new(10, 2, 0, 0);
    /// The hosts behind the gateway.
    pub const INNER: Ipv4Addr = Ipv4Addr::new(10, 3, 0, 0);

    /// The address at `offset` (third octet, fourth octet) of a network.
    pub fn address(network: Ipv4Addr, offset: (u8, u8)) -> Ipv4Addr {
        let [first, second, _, _] = network.octets();
        Ipv4Addr::new(first, second, offset.0, offset.1)
    }
}

/// Third and fourth octet of compute node `number` (from 1): `exe0007` is `2.7`, and every further
/// 254 nodes take the next third octet, so that no node has an address ending in 0 or 255.
pub fn node_offset(number: u16) -> (u8, u8) {
    let index = number.saturating_sub(1);
    let third = 2 + index / 254;
    (u8::try_from(third).unwrap_or(u8::MAX), u8::try_from(index % 254 + 1).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_seventh_node_has_the_address_of_the_manual() {
        assert_eq!(Networks::address(Networks::ADMIN, node_offset(7)), Ipv4Addr::new(10, 0, 2, 7));
    }

    #[test]
    fn every_node_has_an_address_of_its_own() {
        let all: HashSet<_> = (1..=10_000).map(node_offset).collect();
        assert_eq!(all.len(), 10_000);
        assert!(all.iter().all(|(_, last)| *last != 0 && *last != 255));
    }
}
