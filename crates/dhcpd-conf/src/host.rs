//! Host declarations.

use std::fmt;
use std::path::Path;

use crate::guid::Guid;
use crate::hardware::{HardwareAddress, HardwareType};
use crate::setting::{
    Effective, Scope, Setting, Wanted, addresses, all_effective, effective, identifier,
};
use crate::span::{Position, Span};
use crate::statement_view::Statement;
use crate::tree::{ROOT, StatementKind};
use crate::value::{FixedAddress, Identifier, hardware};
use crate::world::{Id, World};

/// A `host` declaration. A view, cheap to copy: what its methods return outlives it.
#[derive(Clone, Copy)]
pub struct Host<'d>(Statement<'d>);

impl<'d> Host<'d> {
    pub(crate) fn new(world: World<'d>, id: Id) -> Self {
        Self(Statement::new(world, id))
    }

    pub(crate) fn of(statement: Statement<'d>) -> Option<Self> {
        (statement.kind() == StatementKind::Host).then_some(Self(statement))
    }

    /// The declaration as a statement.
    pub fn statement(self) -> Statement<'d> {
        self.0
    }

    /// Its name, as written but for blanks around dots. dhcpd tells names apart by case.
    pub fn name(self) -> &'d str {
        self.0.document().host_name(self.0.id.node)
    }

    /// The file it is in, if it was reached through a [`ConfigSet`](crate::ConfigSet).
    pub fn file(self) -> Option<&'d Path> {
        self.0.file()
    }

    /// Its bytes in its document.
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// Where it begins.
    pub fn position(self) -> Position {
        self.0.position()
    }

    /// The comment lines directly above it: see [`Statement::comments`].
    pub fn comments(self) -> impl Iterator<Item = &'d [u8]> {
        self.0.comments()
    }

    /// Its hardware address. A host declares one at most.
    pub fn hardware(self) -> Option<HardwareAddress> {
        let statement = self.own(StatementKind::Hardware)?;
        hardware(self.value_and_end(statement)).ok().map(|(_, address)| address)
    }

    /// Its fixed addresses, in the order written: addresses or host names.
    pub fn fixed_addresses(self) -> Vec<FixedAddress<'d>> {
        self.own(StatementKind::FixedAddress)
            .map_or(Vec::new(), |statement| addresses(statement.value()))
    }

    /// What identifies the client besides its hardware: `uid`, else the first
    /// `option` or `supersede dhcp-client-identifier` that stands under no condition (dhcpd ignores
    /// the others, and what is only appended or a default).
    pub fn client_id(self) -> Option<Identifier<'d>> {
        if let Some(uid) = self.own(StatementKind::Uid) {
            return Some(identifier(uid.value()));
        }
        let mut included = false;
        let own = self.0.children().find(|child| {
            included |= child.kind() == StatementKind::Include;
            child.kind() == StatementKind::Option
                && Wanted::Option("dhcp-client-identifier").is(Setting(*child))
                && Setting(*child).identifies()
        });
        if !included {
            return own.map(|option| Setting(option).identifier());
        }
        let mut ids = self.option("dhcp-client-identifier");
        let certain = ids.find(|it| it.condition().is_none() && it.identifies());
        certain.map(Setting::identifier)
    }

    /// The GUID of its InfiniBand port, where its hardware or its client identifier holds one:
    /// `hardware infiniband` of 8 or 20 octets, `hardware ethernet` of 20, or a client identifier
    /// as adapters send it, such as `ff:00:00:00:00:00:02:00:00:02:c9:00:GUID` or `20:GUID`.
    pub fn guid(self) -> Option<Guid> {
        guid(self.hardware().as_ref(), self.client_id().as_ref())
    }

    /// Its own parameters and options in the order written, those under a condition too: see
    /// [`Setting::condition`].
    pub fn settings(self) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        self.scope().settings()
    }

    /// Its own settings of a server parameter, such as `filename` or `next-server`, in the order
    /// written; `name` in lower case. Where several are unconditional, the last counts.
    pub fn parameter(self, name: &str) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        self.settings().filter(move |setting| Wanted::Parameter(name).is(*setting))
    }

    /// Its own settings of an option, such as `host-name` or `agent.circuit-id`, in the order
    /// written.
    pub fn option(self, name: &str) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        self.settings().filter(move |setting| Wanted::Option(name).is(*setting))
    }

    /// The value of a server parameter that this declaration and the scopes around it give.
    ///
    /// These are the host's lexical scopes. On a reply the server also runs the subnet, pool and
    /// classes of the client, further out than the host's own scopes.
    pub fn effective_parameter(self, name: &str) -> Effective<'d> {
        effective(self, Wanted::Parameter(name))
    }

    /// As [`effective_parameter`](Self::effective_parameter), for an option.
    pub fn effective_option(self, name: &str) -> Effective<'d> {
        effective(self, Wanted::Option(name))
    }

    /// All parameters and options that this declaration and the scopes around it give, sorted by
    /// name: see [`effective_parameter`](Self::effective_parameter).
    pub fn effective(self) -> Vec<Effective<'d>> {
        all_effective(self)
    }

    /// The scopes it takes parameters from, innermost first: its own, then the blocks around it,
    /// then the outermost level. `group NAME;` inside the host puts that group and what is around
    /// it in place of the blocks around the host.
    pub fn scopes(self) -> impl Iterator<Item = Scope<'d>> {
        let world = self.0.world;
        let mut next = Some(self.scope());
        let mut named_group = self.named_group();
        std::iter::from_fn(move || {
            let scope = next?;
            next = match named_group.take() {
                Some(group) => Some(Scope { world, id: group }),
                None if scope.id.node == ROOT => None,
                None => Some(Scope { world, id: world.parent(scope.id) }),
            };
            Some(scope)
        })
    }

    fn scope(self) -> Scope<'d> {
        Scope { world: self.0.world, id: self.0.id }
    }

    /// The group that the last `group NAME;` inside it names.
    fn named_group(self) -> Option<Id> {
        let references = self.0.children().filter(|it| it.kind() == StatementKind::GroupReference);
        let world = self.0.world;
        world.indexes().scopes(world).group(references.last()?.id)
    }

    fn own(self, kind: StatementKind) -> Option<Statement<'d>> {
        self.0.children().find(|child| child.kind() == kind)
    }

    /// The value together with its `;`, at which an empty list of octets ends.
    fn value_and_end(self, statement: Statement<'d>) -> &'d [u8] {
        let node = statement.node();
        self.0.document().slice(node.value, node.end)
    }
}

/// The GUID that a host's hardware address or else its client identifier holds.
pub(crate) fn guid(
    hardware: Option<&HardwareAddress>,
    client_id: Option<&Identifier<'_>>,
) -> Option<Guid> {
    let by_hardware = hardware.and_then(|hardware| match hardware.hardware_type() {
        HardwareType::Ethernet if hardware.octets().len() != 20 => None,
        HardwareType::Ethernet | HardwareType::InfiniBand | HardwareType::Unknown(32) => {
            Guid::of_hardware(hardware.octets())
        }
        _ => None,
    });
    by_hardware.or_else(|| match client_id? {
        Identifier::Octets(octets) => Guid::of_client_id(octets),
        Identifier::Text(text) => Guid::of_client_id(text),
        Identifier::Expression(_) => None,
    })
}

impl fmt::Debug for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "host {} at {}", self.name(), self.position())
    }
}
