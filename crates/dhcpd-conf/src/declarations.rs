//! What a document and a configuration both list and look up.

use std::net::IpAddr;

use crate::config_set::ConfigSet;
use crate::document::Document;
use crate::group::{Class, Group, Subclass};
use crate::guid::Guid;
use crate::host::Host;
use crate::index::in_order;
use crate::lint::{Finding, check};
use crate::setting::Scope;
use crate::statement_view::Statement;
use crate::subnet::{Pool, SharedNetwork, Subnet};
use crate::tree::ROOT;
use crate::world::{Id, World};

/// One set of methods for both: a document does not follow its includes, a configuration does.
macro_rules! declarations {
    ($owner:ty, $world:path) => {
        impl $owner {
            /// The outermost scope.
            pub fn outermost(&self) -> Scope<'_> {
                Scope { world: $world(self), id: Id { file: 0, node: ROOT } }
            }

            /// Hosts of this very name. dhcpd tells names apart by case and refuses a second host
            /// of the same name; a list is returned so that the caller can say so.
            pub fn hosts_named<'d>(
                &'d self,
                name: &str,
            ) -> impl Iterator<Item = Host<'d>> + use<'d> {
                let world = $world(self);
                hosts(world, world.indexes().hosts(world).named(world, name))
            }

            /// Hosts whose name begins with `prefix`, in the order of their names.
            pub fn hosts_with_prefix<'d>(
                &'d self,
                prefix: &str,
            ) -> impl Iterator<Item = Host<'d>> + use<'d> {
                let world = $world(self);
                hosts(world, world.indexes().hosts(world).with_prefix(world, prefix))
            }

            /// Hosts with these hardware octets, whatever the type of hardware.
            pub fn hosts_with_hardware<'d>(
                &'d self,
                octets: &[u8],
            ) -> impl Iterator<Item = Host<'d>> + use<'d> {
                let world = $world(self);
                hosts(world, world.indexes().hosts(world).with_hardware(octets))
            }

            /// Hosts with this fixed address.
            pub fn hosts_with_address(
                &self,
                address: IpAddr,
            ) -> impl Iterator<Item = Host<'_>> + use<'_> {
                let world = $world(self);
                hosts(world, world.indexes().hosts(world).with_address(address))
            }

            /// Hosts whose client identifier is these bytes, be it written as text or as octets.
            pub fn hosts_with_client_id<'d>(
                &'d self,
                id: &[u8],
            ) -> impl Iterator<Item = Host<'d>> + use<'d> {
                let world = $world(self);
                hosts(world, world.indexes().hosts(world).with_client_id(id))
            }

            /// Hosts with this GUID: see [`Host::guid`].
            pub fn hosts_with_guid(&self, guid: Guid) -> impl Iterator<Item = Host<'_>> + use<'_> {
                let world = $world(self);
                hosts(world, world.indexes().hosts(world).with_guid(guid))
            }

            /// Subnets in the order the server reads them.
            pub fn subnets(&self) -> Vec<Subnet<'_>> {
                all($world(self), Subnet::of)
            }

            /// Subnets that hold `address`, the narrowest first.
            pub fn subnets_with(
                &self,
                address: IpAddr,
            ) -> impl Iterator<Item = Subnet<'_>> + use<'_> {
                let world = $world(self);
                let ids = world.indexes().networks(world).holding(address);
                ids.filter_map(move |id| Subnet::of(Statement::new(world, id)))
            }

            /// What is wrong although it is written well, in the order of the places: see
            /// [`FindingKind`](crate::FindingKind).
            ///
            /// Nothing is found of what files may hold that were not read: unknown options,
            /// groups and classes are told only where no `include` stands before them. Addresses
            /// outside all subnets are told where there are subnets.
            pub fn lint(&self) -> Vec<Finding> {
                check($world(self))
            }

            /// Shared networks in the order the server reads them.
            pub fn shared_networks(&self) -> Vec<SharedNetwork<'_>> {
                all($world(self), SharedNetwork::of)
            }

            /// Pools in the order the server reads them.
            pub fn pools(&self) -> Vec<Pool<'_>> {
                all($world(self), Pool::of)
            }

            /// Groups in the order the server reads them.
            pub fn groups(&self) -> Vec<Group<'_>> {
                all($world(self), Group::of)
            }

            /// Class declarations in the order the server reads them.
            pub fn classes(&self) -> Vec<Class<'_>> {
                all($world(self), Class::of)
            }

            /// Subclass declarations in the order the server reads them.
            pub fn subclasses(&self) -> Vec<Subclass<'_>> {
                all($world(self), Subclass::of)
            }
        }
    };
}

declarations!(Document, World::Document);
declarations!(ConfigSet, World::Set);

fn hosts(world: World<'_>, ids: impl Iterator<Item = Id>) -> impl Iterator<Item = Host<'_>> {
    ids.map(move |id| Host::new(world, id))
}

fn all<'d, T>(world: World<'d>, view: impl Fn(Statement<'d>) -> Option<T>) -> Vec<T> {
    let mut views = Vec::new();
    in_order(world, |id| views.extend(view(Statement::new(world, id))));
    views
}
