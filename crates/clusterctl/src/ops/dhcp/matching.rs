//! Which declarations belong to a node, and how sure that is.

use std::collections::HashMap;
use std::net::IpAddr;

use dhcpd_conf::{ConfigSet, FixedAddress, Host};

use crate::site::Node;

/// How a declaration belongs to a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "the three kinds of the manual")]
pub enum Match {
    /// It is named exactly after the node or its fully qualified name.
    Name,
    /// Its name begins with the node's, followed by `-`, `.` or `_`: another interface.
    Interface,
    /// A comment above it holds the node's name as a word; only ever shown.
    Comment,
}

impl Match {
    /// The word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Match::Name => "name",
            Match::Interface => "interface",
            Match::Comment => "comment",
        }
    }
}

/// A declaration of a node.
#[derive(Debug, Clone)]
pub struct Declaration<'d> {
    /// The declaration.
    pub host: Host<'d>,
    /// How it belongs to the node.
    pub kind: Match,
}

impl<'d> Declaration<'d> {
    /// A declaration on its own, named as it is.
    pub(super) fn of(host: Host<'d>) -> Declaration<'d> {
        Declaration { host, kind: Match::Name }
    }

    /// The addresses it hands out, as written.
    pub fn addresses(&self) -> Vec<String> {
        let text = |address: &FixedAddress<'_>| match address {
            FixedAddress::Ip(address) => address.to_string(),
            FixedAddress::Name(name) => name.to_string(),
            _ => String::new(),
        };
        self.host.fixed_addresses().iter().map(text).collect()
    }

    /// The hardware address, in lower case.
    pub fn mac(&self) -> Option<String> {
        let hardware = self.host.hardware()?;
        let octets: Vec<String> =
            hardware.octets().iter().map(|octet| format!("{octet:02x}")).collect();
        Some(octets.join(":"))
    }

    /// The boot file in force, marked where a condition decides it.
    pub fn boot_file(&self) -> Option<String> {
        let effective = self.host.effective_parameter("filename");
        let text = |setting: dhcpd_conf::Setting<'_>| match setting.text() {
            Some(text) => String::from_utf8_lossy(&text).into_owned(),
            None => String::from_utf8_lossy(setting.raw()).into_owned(),
        };
        match effective.certain() {
            Some(setting) => Some(text(setting)),
            None if effective.is_unset() => None,
            None => {
                let any = effective.changes().last().copied().or(effective.fixed())?;
                Some(format!("{} (conditional)", text(any)))
            }
        }
    }
}

/// All declarations, indexed by what nodes are looked up by.
#[derive(Debug)]
pub struct Declarations<'d> {
    set: &'d ConfigSet,
    by_comment: HashMap<String, Vec<Host<'d>>>,
}

impl<'d> Declarations<'d> {
    /// The declarations of a configuration.
    pub fn new(set: &'d ConfigSet) -> Declarations<'d> {
        let mut by_comment: HashMap<String, Vec<Host<'d>>> = HashMap::new();
        for host in set.hosts() {
            let mut words: Vec<String> = Vec::new();
            for comment in host.comments() {
                let comment = String::from_utf8_lossy(comment);
                let separators = [' ', '\t', ',', ':', ';', '(', ')', '#'];
                words
                    .extend(comment.split(separators).filter(|w| !w.is_empty()).map(str::to_owned));
            }
            words.sort();
            words.dedup();
            for word in words {
                by_comment.entry(word).or_default().push(host);
            }
        }
        Declarations { set, by_comment }
    }

    /// The declarations of a node, ordered by name.
    pub fn of(&self, node: &Node) -> Vec<Declaration<'d>> {
        self.of_name(&node.name().to_string(), &node.host().to_string())
    }

    /// The declarations of a name and its fully qualified form, ordered by name.
    pub fn of_name(&self, short: &str, full: &str) -> Vec<Declaration<'d>> {
        let mut found: Vec<Declaration<'d>> = Vec::new();
        let mut add = |host: Host<'d>, kind| {
            let known = |other: &Declaration<'d>| {
                other.host.span() == host.span() && other.host.file() == host.file()
            };
            if !found.iter().any(known) {
                found.push(Declaration { host, kind });
            }
        };
        for name in [short, full] {
            self.set.hosts_named(name).for_each(|host| add(host, Match::Name));
        }
        for host in self.set.hosts_with_prefix(short) {
            if host.name()[short.len()..].starts_with(['-', '.', '_']) {
                add(host, Match::Interface);
            }
        }
        for name in [short, full] {
            for host in self.by_comment.get(name).into_iter().flatten() {
                add(*host, Match::Comment);
            }
        }
        found.sort_by(|a, b| nodeset::natural_cmp(a.host.name(), b.host.name()));
        found
    }

    /// The names of declarations that hand out an address.
    pub fn holders(&self, address: IpAddr) -> Vec<&'d str> {
        self.set.hosts_with_address(address).map(Host::name).collect()
    }
}
