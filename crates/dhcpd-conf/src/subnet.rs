//! Subnets, shared networks and pools.

use std::borrow::Cow;
use std::fmt;

use crate::address_range::AddressRange;
use crate::network::Network;
use crate::setting::{Scope, Setting};
use crate::statement_view::Statement;
use crate::tree::StatementKind;

/// A `subnet` or `subnet6` declaration. A view, cheap to copy.
#[derive(Clone, Copy)]
pub struct Subnet<'d> {
    statement: Statement<'d>,
    network: Network,
}

impl<'d> Subnet<'d> {
    pub(crate) fn of(statement: Statement<'d>) -> Option<Self> {
        if statement.kind() != StatementKind::Subnet {
            return None;
        }
        Network::of(statement).map(|network| Self { statement, network })
    }

    /// The declaration as a statement.
    pub fn statement(self) -> Statement<'d> {
        self.statement
    }

    /// Its address and mask.
    pub fn network(self) -> Network {
        self.network
    }

    /// The shared network it is part of.
    pub fn shared_network(self) -> Option<SharedNetwork<'d>> {
        self.statement.ancestors().find_map(SharedNetwork::of)
    }

    /// Its pools, those of included files too.
    pub fn pools(self) -> impl Iterator<Item = Pool<'d>> {
        self.statement.content().into_iter().filter_map(Pool::of)
    }

    /// Its ranges and those of its pools, in the order the server reads them. A pool that stands in
    /// the shared network is not its own.
    pub fn ranges(self) -> Vec<AddressRange<'d>> {
        ranges(self.statement)
    }

    /// What is set in it: see [`Scope::settings`].
    pub fn settings(self) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        Scope::of(self.statement).settings()
    }
}

impl fmt::Debug for Subnet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "subnet {} at {}", self.network, self.statement.position())
    }
}

/// A `shared-network` declaration: subnets on one wire. A view, cheap to copy.
#[derive(Clone, Copy)]
pub struct SharedNetwork<'d>(Statement<'d>);

impl<'d> SharedNetwork<'d> {
    pub(crate) fn of(statement: Statement<'d>) -> Option<Self> {
        (statement.kind() == StatementKind::SharedNetwork).then_some(Self(statement))
    }

    /// The declaration as a statement.
    pub fn statement(self) -> Statement<'d> {
        self.0
    }

    /// Its name, without quotes.
    pub fn name(self) -> Cow<'d, [u8]> {
        self.0.declared_name()
    }

    /// Its subnets, those inside groups and of included files too.
    pub fn subnets(self) -> Vec<Subnet<'d>> {
        self.0.within_groups().into_iter().filter_map(Subnet::of).collect()
    }

    /// The pools that stand right in it.
    pub fn pools(self) -> impl Iterator<Item = Pool<'d>> {
        self.0.content().into_iter().filter_map(Pool::of)
    }

    /// What is set in it: see [`Scope::settings`].
    pub fn settings(self) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        Scope::of(self.0).settings()
    }
}

impl fmt::Debug for SharedNetwork<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        write!(f, "shared-network {} at {}", name.escape_ascii(), self.0.position())
    }
}

/// A `pool` or `pool6` declaration. A view, cheap to copy.
#[derive(Clone, Copy)]
pub struct Pool<'d>(Statement<'d>);

impl<'d> Pool<'d> {
    pub(crate) fn of(statement: Statement<'d>) -> Option<Self> {
        (statement.kind() == StatementKind::Pool).then_some(Self(statement))
    }

    /// The declaration as a statement.
    pub fn statement(self) -> Statement<'d> {
        self.0
    }

    /// The subnet it stands in; none for a pool of a shared network.
    pub fn subnet(self) -> Option<Subnet<'d>> {
        self.0.ancestors().find_map(Subnet::of)
    }

    /// The shared network it stands in, perhaps through a subnet.
    pub fn shared_network(self) -> Option<SharedNetwork<'d>> {
        self.0.ancestors().find_map(SharedNetwork::of)
    }

    /// Its ranges.
    pub fn ranges(self) -> Vec<AddressRange<'d>> {
        ranges(self.0)
    }

    /// Its `allow` and `deny` statements.
    pub fn permits(self) -> impl Iterator<Item = Statement<'d>> {
        let content = self.0.content().into_iter();
        content.filter(|statement| statement.kind() == StatementKind::Permit)
    }

    /// What is set in it: see [`Scope::settings`].
    pub fn settings(self) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        Scope::of(self.0).settings()
    }
}

impl fmt::Debug for Pool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pool at {}", self.0.position())
    }
}

fn ranges(block: Statement<'_>) -> Vec<AddressRange<'_>> {
    let mut ranges = Vec::new();
    for statement in block.content() {
        if let Some(pool) = Pool::of(statement) {
            ranges.extend(pool.ranges());
        }
        ranges.extend(AddressRange::of(statement));
    }
    ranges
}
