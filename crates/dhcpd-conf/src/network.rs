//! Networks, as `subnet ADDRESS netmask MASK` and `subnet6 ADDRESS/LENGTH` declare them.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use crate::lex::keyword;
use crate::network_statement::prefix_length;
use crate::statement_view::Statement;
use crate::value::{ipv4, ipv6};

/// A network: an address without host bits, and its mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Network {
    address: IpAddr,
    mask: IpAddr,
}

impl Network {
    /// The network that a `subnet` or `subnet6` names in front of its block.
    pub(crate) fn of(subnet: Statement<'_>) -> Option<Self> {
        let name = subnet.name();
        if let Ok((rest, address)) = ipv4(name) {
            let (_, mask) = keyword("netmask")(rest).and_then(|(rest, ())| ipv4(rest)).ok()?;
            return Some(Self { address: address.into(), mask: mask.into() });
        }
        let (rest, address) = ipv6(name).ok()?;
        let (_, length) = prefix_length(rest).ok()?;
        Some(Self::prefix(address, length))
    }

    /// `address/length`; bits behind the length are cleared.
    pub(crate) fn prefix(address: Ipv6Addr, length: u8) -> Self {
        let hosts = u128::MAX.checked_shr(u32::from(length)).unwrap_or(0);
        let address = Ipv6Addr::from_bits(address.to_bits() & !hosts);
        Self { address: address.into(), mask: Ipv6Addr::from_bits(!hosts).into() }
    }

    /// Its first address.
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// Its mask, for IPv6 too.
    pub fn mask(&self) -> IpAddr {
        self.mask
    }

    /// The number of bits at the start of its mask; none for a mask with gaps, which dhcpd takes.
    pub fn prefix_length(&self) -> Option<u8> {
        let (ones, bits, width) = match self.mask {
            IpAddr::V4(mask) => (mask.to_bits().leading_ones(), mask.to_bits().count_ones(), 32),
            IpAddr::V6(mask) => (mask.to_bits().leading_ones(), mask.to_bits().count_ones(), 128),
        };
        (ones == bits && ones <= width).then(|| u8::try_from(ones).ok()).flatten()
    }

    /// Whether `address` is in it; an address of the other family is not.
    pub fn contains(&self, address: IpAddr) -> bool {
        masked(address, self.mask) == Some(self.address)
    }

    /// The last address of a network without gaps in its mask.
    pub(crate) fn last(&self) -> IpAddr {
        match (self.address, self.mask) {
            (IpAddr::V6(address), IpAddr::V6(mask)) => {
                Ipv6Addr::from_bits(address.to_bits() | !mask.to_bits()).into()
            }
            (IpAddr::V4(address), IpAddr::V4(mask)) => {
                std::net::Ipv4Addr::from_bits(address.to_bits() | !mask.to_bits()).into()
            }
            _ => self.address,
        }
    }
}

/// `address` without its host bits; none if the mask is of the other family.
pub(crate) fn masked(address: IpAddr, mask: IpAddr) -> Option<IpAddr> {
    match (address, mask) {
        (IpAddr::V4(address), IpAddr::V4(mask)) => Some((address & mask).into()),
        (IpAddr::V6(address), IpAddr::V6(mask)) => Some((address & mask).into()),
        _ => None,
    }
}

/// `10.0.0.0/8`; with a mask that has gaps, `10.0.0.0 netmask 255.0.255.0`.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.prefix_length() {
            Some(length) => write!(f, "{}/{length}", self.address),
            None => write!(f, "{} netmask {}", self.address, self.mask),
        }
    }
}
