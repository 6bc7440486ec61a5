//! The blocks that hold statements.

/// What kind of block a statement stands in.
///
/// A file included in a block is read as that block's kind, but dhcpd gives it no block of its
/// own: it cannot hold what belongs to the block itself, such as a host's `hardware`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Root,
    Group,
    SharedNetwork,
    IncludedSharedNetwork,
    Subnet,
    IncludedSubnet,
    Pool,
    Pool6,
    IncludedPool,
    Host,
    IncludedHost,
    Class,
    IncludedClass,
    Subclass,
    /// The statements of `if`, `on`, `switch` or a function.
    Body,
    Failover,
    Zone,
    Key,
}

impl Place {
    /// The place a file is in that is included here.
    pub(crate) fn included(self) -> Self {
        match self {
            Self::SharedNetwork => Self::IncludedSharedNetwork,
            Self::Subnet => Self::IncludedSubnet,
            Self::Pool | Self::Pool6 => Self::IncludedPool,
            Self::Host => Self::IncludedHost,
            Self::Class | Self::Subclass => Self::IncludedClass,
            same => same,
        }
    }

    /// The place with its article, for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Root => "the outermost scope",
            Self::Group => "a group",
            Self::SharedNetwork => "a shared-network",
            Self::IncludedSharedNetwork => "a file included in a shared-network",
            Self::Subnet => "a subnet",
            Self::IncludedSubnet => "a file included in a subnet",
            Self::Pool | Self::Pool6 => "a pool",
            Self::IncludedPool => "a file included in a pool",
            Self::Host => "a host",
            Self::IncludedHost => "a file included in a host",
            Self::Class => "a class",
            Self::IncludedClass => "a file included in a class",
            Self::Subclass => "a subclass",
            Self::Body => "a block of executable statements",
            Self::Failover => "a failover peer",
            Self::Zone => "a zone",
            Self::Key => "a key",
        }
    }
}

/// A set of places.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places(u32);

impl Places {
    /// Every place but the bodies of failover peers, zones and keys, which have words of their own.
    pub(crate) const ALL: Self = Self((1 << Place::Failover as u32) - 1);

    pub(crate) const fn of(places: &[Place]) -> Self {
        Self(0).and(places)
    }

    pub(crate) const fn and(mut self, places: &[Place]) -> Self {
        let mut index = 0;
        while index < places.len() {
            self.0 |= 1 << places[index] as u32;
            index += 1;
        }
        self
    }

    pub(crate) fn hold(self, place: Place) -> bool {
        self.0 & (1 << place as u32) != 0
    }
}
