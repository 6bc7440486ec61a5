//! `range`, `range6` and `prefix6` statements: the addresses a server gives away.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use crate::lex::{at, at_keyword, keyword};
use crate::network::Network;
use crate::network_statement::prefix_length;
use crate::statement_view::Statement;
use crate::tree::StatementKind;
use crate::value::{ipv4, ipv6};

/// A `range`, `range6` or `prefix6` statement. A view, cheap to copy.
#[derive(Clone, Copy)]
pub struct AddressRange<'d> {
    statement: Statement<'d>,
    first: IpAddr,
    last: IpAddr,
    delegated: Option<u8>,
}

impl<'d> AddressRange<'d> {
    pub(crate) fn of(statement: Statement<'d>) -> Option<Self> {
        if statement.kind() != StatementKind::Range {
            return None;
        }
        let (first, last, delegated) = bounds(statement.value())?;
        // dhcpd takes the ends in either order.
        Some(Self { statement, first: first.min(last), last: last.max(first), delegated })
    }

    /// The statement itself.
    pub fn statement(self) -> Statement<'d> {
        self.statement
    }

    /// Its lowest address.
    pub fn first(self) -> IpAddr {
        self.first
    }

    /// Its highest address.
    pub fn last(self) -> IpAddr {
        self.last
    }

    /// The length of the prefixes a `prefix6` gives away; none for single addresses.
    pub fn delegated_length(self) -> Option<u8> {
        self.delegated
    }

    /// Whether `address` lies in it; an address of the other family does not.
    pub fn contains(self, address: IpAddr) -> bool {
        address.is_ipv4() == self.first.is_ipv4() && self.first <= address && address <= self.last
    }
}

/// The two ends as written, and the length behind a `prefix6`.
fn bounds(value: &[u8]) -> Option<(IpAddr, IpAddr, Option<u8>)> {
    let value = match keyword("dynamic-bootp")(value) {
        Ok((rest, ())) => rest,
        Err(_) => value,
    };
    if let Ok((rest, first)) = ipv4(value) {
        let last = if rest.is_empty() { first } else { ipv4(rest).ok()?.1 };
        return Some((first.into(), last.into(), None));
    }
    let (rest, first) = ipv6(value).ok()?;
    if at(rest, b'/') {
        let network = Network::prefix(first, prefix_length(rest).ok()?.1);
        return Some((network.address(), network.last(), None));
    }
    // Temporary addresses without a length come from the /64 around the address.
    if at_keyword(rest, "temporary") {
        let network = Network::prefix(first, 64);
        return Some((network.address(), network.last(), None));
    }
    let (rest, last): (_, Ipv6Addr) = ipv6(rest).ok()?;
    let delegated = if at(rest, b'/') { Some(prefix_length(rest).ok()?.1) } else { None };
    Some((first.into(), last.into(), delegated))
}

impl fmt::Debug for AddressRange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {} at {}", self.first, self.last, self.statement.position())
    }
}
