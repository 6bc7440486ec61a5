//! What is looked up often, each list built when it is first asked for.

use std::sync::OnceLock;

use crate::index::{HostIndex, ScopeIndex};
use crate::network_index::NetworkIndex;
use crate::world::World;

/// The indexes of a document or of a configuration.
#[derive(Debug, Default)]
pub(crate) struct Indexes {
    hosts: OnceLock<HostIndex>,
    scopes: OnceLock<ScopeIndex>,
    networks: OnceLock<NetworkIndex>,
}

impl Indexes {
    pub(crate) fn hosts(&self, world: World<'_>) -> &HostIndex {
        self.hosts.get_or_init(|| HostIndex::new(world))
    }

    pub(crate) fn scopes(&self, world: World<'_>) -> &ScopeIndex {
        self.scopes.get_or_init(|| ScopeIndex::new(world))
    }

    pub(crate) fn networks(&self, world: World<'_>) -> &NetworkIndex {
        self.networks.get_or_init(|| NetworkIndex::new(world))
    }
}
