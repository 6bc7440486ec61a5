//! Ethernet addresses of the site.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An Ethernet address, printed as dhcpd.conf(5) writes it: lower case, colons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HardwareAddress(pub [u8; 6]);

impl HardwareAddress {
    /// The Ethernet interface of compute node `number`; `exe0007` has `aa:bb:cc:11:22:33`.
    pub fn of_node(number: u16) -> HardwareAddress {
        HardwareAddress::in_block(NODE_SEVEN + u32::from(number) * STEP - 7 * STEP)
    }

    /// The declared InfiniBand interface of compute node `number`; `exe0007` has `aa:bb:cc:11:22:44`.
    pub fn of_infiniband(number: u16) -> HardwareAddress {
        HardwareAddress::in_block(NODE_SEVEN + u32::from(number) * STEP - 7 * STEP + STEP / 2)
    }

    /// The interface of the role with this index.
    pub fn of_role(index: u8) -> HardwareAddress {
        HardwareAddress([0xaa, 0xbb, 0xcc, 0xff, 0x00, index])
    }

    fn in_block(low: u32) -> HardwareAddress {
        let [_, fourth, fifth, sixth] = low.to_be_bytes();
        HardwareAddress([0xaa, 0xbb, 0xcc, fourth, fifth, sixth])
    }
}

/// Lower half of the address of `exe0007`.
const NODE_SEVEN: u32 = 0x11_22_33;
/// From one node's Ethernet address to the next one's; the InfiniBand address lies half way.
const STEP: u32 = 0x22;

impl fmt::Display for HardwareAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, octet) in self.0.iter().enumerate() {
            write!(out, "{}{octet:02x}", if index == 0 { "" } else { ":" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_seventh_node_has_the_addresses_of_the_manual() {
        assert_eq!(HardwareAddress::of_node(7).to_string(), "aa:bb:cc:11:22:33");
        assert_eq!(HardwareAddress::of_infiniband(7).to_string(), "aa:bb:cc:11:22:44");
    }

    #[test]
    fn no_two_interfaces_share_an_address() {
        let mut all = HashSet::new();
        for number in 1..=10_000 {
            assert!(all.insert(HardwareAddress::of_node(number)));
            assert!(all.insert(HardwareAddress::of_infiniband(number)));
        }
    }
}
