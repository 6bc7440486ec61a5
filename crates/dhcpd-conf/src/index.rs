//! Sorted lists that make look-ups fast: built once, when the first look-up asks.

use std::collections::HashMap;
use std::net::IpAddr;

use crate::guid::Guid;
use crate::statement_view::Statement;
use crate::tree::{ROOT, StatementKind};
use crate::value::{FixedAddress, Identifier};
use crate::world::{Id, World};

/// Hosts by what they are looked up by. Equal keys keep the order of the files.
#[derive(Debug)]
pub(crate) struct HostIndex {
    names: Vec<Id>,
    hardware: Vec<(Box<[u8]>, Id)>,
    addresses: Vec<(IpAddr, Id)>,
    client_ids: Vec<(Box<[u8]>, Id)>,
    guids: Vec<(Guid, Id)>,
}

impl HostIndex {
    pub(crate) fn new(world: World<'_>) -> Self {
        let mut index = Self {
            names: Vec::new(),
            hardware: Vec::new(),
            addresses: Vec::new(),
            client_ids: Vec::new(),
            guids: Vec::new(),
        };
        in_order(world, |id| {
            if world.node(id).kind == StatementKind::Host {
                index.add(world, id);
            }
        });
        index.names.sort_by_key(|id| name(world, *id));
        index.hardware.sort_by(|(one, _), (other, _)| one.cmp(other));
        index.addresses.sort_by_key(|(address, _)| *address);
        index.guids.sort_by_key(|(guid, _)| *guid);
        index.client_ids.sort_by(|(one, _), (other, _)| one.cmp(other));
        index
    }

    fn add(&mut self, world: World<'_>, id: Id) {
        let host = crate::host::Host::new(world, id);
        self.names.push(id);
        let (hardware, client_id) = (host.hardware(), host.client_id());
        let guid = crate::host::guid(hardware.as_ref(), client_id.as_ref());
        self.guids.extend(guid.map(|guid| (guid, id)));
        if let Some(hardware) = hardware {
            self.hardware.push((hardware.octets().into(), id));
        }
        for address in host.fixed_addresses() {
            if let FixedAddress::Ip(address) = address {
                self.addresses.push((address, id));
            }
        }
        match client_id {
            Some(Identifier::Text(text)) => self.client_ids.push((text.into(), id)),
            Some(Identifier::Octets(octets)) => self.client_ids.push((octets.into(), id)),
            Some(Identifier::Expression(_)) | None => {}
        }
    }

    pub(crate) fn named<'i>(
        &'i self,
        world: World<'_>,
        wanted: &str,
    ) -> impl Iterator<Item = Id> + use<'i> {
        let from = self.names.partition_point(|id| name(world, *id) < wanted.as_bytes());
        let count = self.names[from..].partition_point(|id| name(world, *id) == wanted.as_bytes());
        self.names[from..from + count].iter().copied()
    }

    pub(crate) fn with_prefix<'i>(
        &'i self,
        world: World<'_>,
        prefix: &str,
    ) -> impl Iterator<Item = Id> + use<'i> {
        let from = self.names.partition_point(|id| name(world, *id) < prefix.as_bytes());
        let count = self.names[from..]
            .partition_point(|id| name(world, *id).starts_with(prefix.as_bytes()));
        self.names[from..from + count].iter().copied()
    }

    pub(crate) fn with_hardware<'i>(&'i self, octets: &[u8]) -> impl Iterator<Item = Id> + use<'i> {
        ids(equal(&self.hardware, |key| (**key).cmp(octets)))
    }

    pub(crate) fn with_address(&self, address: IpAddr) -> impl Iterator<Item = Id> + use<'_> {
        ids(equal(&self.addresses, |key| key.cmp(&address)))
    }

    pub(crate) fn with_guid(&self, guid: Guid) -> impl Iterator<Item = Id> + use<'_> {
        ids(equal(&self.guids, |key| key.cmp(&guid)))
    }

    pub(crate) fn with_client_id<'i>(&'i self, id: &[u8]) -> impl Iterator<Item = Id> + use<'i> {
        ids(equal(&self.client_ids, |key| (**key).cmp(id)))
    }
}

fn name(world: World<'_>, id: Id) -> &[u8] {
    world.document(id.file).host_name_bytes(id.node)
}

/// The entries whose key compares equal, in a list sorted by key.
fn equal<K>(list: &[(K, Id)], compare: impl Fn(&K) -> std::cmp::Ordering) -> &[(K, Id)] {
    let from = list.partition_point(|(key, _)| compare(key).is_lt());
    let count = list[from..].partition_point(|(key, _)| compare(key).is_eq());
    &list[from..from + count]
}

fn ids<K>(found: &[(K, Id)]) -> impl Iterator<Item = Id> {
    found.iter().map(|(_, id)| *id)
}

/// What each scope sets, and groups by their name.
#[derive(Debug)]
pub(crate) struct ScopeIndex {
    /// Parameters and options with the scope they belong to, sorted by scope.
    settings: Vec<(Id, Id)>,
    /// The group that a `group NAME;` names, sorted by the statement.
    references: Vec<(Id, Id)>,
}

impl ScopeIndex {
    pub(crate) fn new(world: World<'_>) -> Self {
        let mut settings = Vec::new();
        let mut groups: HashMap<Vec<u8>, Vec<Id>> = HashMap::new();
        let mut references = Vec::new();
        in_order(world, |id| match world.node(id).kind {
            StatementKind::Parameter | StatementKind::Option => {
                settings.push((owner(world, id), id));
            }
            StatementKind::Group => {
                let name = Statement::new(world, id).declared_name();
                if !name.is_empty() {
                    groups.entry(name.into_owned()).or_default().push(id);
                }
            }
            StatementKind::GroupReference => {
                let reference = Statement::new(world, id);
                let groups = groups.get(&*reference.named()).into_iter().flatten().rev();
                // A group has its name from its end on: the last one that is closed counts.
                let around: Vec<Id> = reference.ancestors().map(|block| block.id).collect();
                let closed = groups.copied().find(|group| !around.contains(group));
                references.extend(closed.map(|group| (id, group)));
            }
            _ => {}
        });
        settings.sort_by_key(|(scope, _)| *scope);
        references.sort_unstable();
        Self { settings, references }
    }

    /// The parameters and options that belong to `scope`, in the order the server runs them.
    pub(crate) fn settings(&self, scope: Id) -> impl DoubleEndedIterator<Item = Id> {
        let from = self.settings.partition_point(|(owner, _)| *owner < scope);
        let count = self.settings[from..].partition_point(|(owner, _)| *owner == scope);
        self.settings[from..from + count].iter().map(|(_, id)| *id)
    }

    /// The group that the statement `reference` names.
    pub(crate) fn group(&self, reference: Id) -> Option<Id> {
        let found = self.references.binary_search_by_key(&reference, |(from, _)| *from).ok()?;
        Some(self.references[found].1)
    }
}

/// The scope a setting belongs to: the innermost block that is not executable.
fn owner(world: World<'_>, setting: Id) -> Id {
    let mut scope = world.parent(setting);
    while scope.node != ROOT && is_conditional(world.node(scope).kind) {
        scope = world.parent(scope);
    }
    scope
}

/// Blocks whose statements run only for some clients or events.
pub(crate) fn is_conditional(kind: StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Conditional
            | StatementKind::Branch
            | StatementKind::Switch
            | StatementKind::On
            | StatementKind::Function
    )
}

/// Visits every statement in the order dhcpd reads them: an included file right behind its
/// `include`.
pub(crate) fn in_order(world: World<'_>, mut visit: impl FnMut(Id)) {
    let mut stack = vec![Id { file: 0, node: 0 }];
    while let Some(id) = stack.pop() {
        if (id.node as usize) >= world.document(id.file).nodes.len() {
            continue;
        }
        visit(id);
        stack.push(Id { node: id.node + 1, ..id });
        if let Some(file) = world.included(id) {
            stack.push(Id { file, node: 0 });
        }
    }
}
