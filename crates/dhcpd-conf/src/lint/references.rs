//! Groups, classes, keys and failover peers that are named and not declared.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::group::{Class, Group, Subclass};
use crate::index::in_order;
use crate::lex::{Quoted, keyword, string};
use crate::lint::failover;
use crate::lint::finding::{Finding, FindingKind};
use crate::statement_view::Statement;
use crate::text::unescape;
use crate::tree::StatementKind;
use crate::world::World;

type Names<'d> = HashSet<Cow<'d, [u8]>>;

/// What is declared so far. All but the key of OMAPI are named only behind their declaration.
#[derive(Default)]
struct Declared<'d> {
    classes: Names<'d>,
    groups: Names<'d>,
    keys: Names<'d>,
    peers: Names<'d>,
}

pub(crate) fn check(world: World<'_>, findings: &mut Vec<Finding>) {
    let mut declared = Declared::default();
    // The server looks for this key when it has read everything.
    let mut omapi_keys = Vec::new();
    let mut open = false;
    in_order(world, |id| {
        let statement = Statement::new(world, id);
        open |= statement.kind() == StatementKind::Include && world.included(id).is_none();
        if statement.kind() == StatementKind::Parameter && statement.is_named("omapi-key") {
            omapi_keys.push(statement);
        }
        let finding = declared.meet(statement);
        // Files that are not read may declare anything.
        findings.extend(finding.filter(|_| !open));
        findings.extend(failover::lacks(statement));
    });
    if !open {
        findings.extend(omapi_keys.into_iter().filter_map(|name| declared.key(name, "")));
    }
}

impl<'d> Declared<'d> {
    /// Remembers what `statement` declares, and tells what it names in vain.
    fn meet(&mut self, statement: Statement<'d>) -> Option<Finding> {
        match statement.kind() {
            StatementKind::Class => {
                self.classes.extend(Class::of(statement).map(Class::name));
                None
            }
            StatementKind::Group => {
                self.groups.extend(Group::of(statement).and_then(Group::name));
                None
            }
            StatementKind::Key => {
                self.keys.insert(in_any_case(statement.declared_name()));
                None
            }
            StatementKind::Failover => self.failover(statement),
            StatementKind::GroupReference => {
                let unknown = unknown(&self.groups, &statement.named())?;
                Some(Finding::new(
                    FindingKind::UnknownGroup,
                    statement,
                    format!("no group {unknown} is declared before this"),
                    "declare it: `group NAME { … }`",
                ))
            }
            _ if names_key(statement) => self.key(statement, " before this"),
            _ => {
                let unknown = unknown(&self.classes, &class(statement)?)?;
                Some(Finding::new(
                    FindingKind::UnknownClass,
                    statement,
                    format!("no class {unknown} is declared before this"),
                    "declare it: `class \"NAME\" { … }`",
                ))
            }
        }
    }

    /// The key that `statement` names in vain.
    fn key(&self, statement: Statement<'d>, place: &str) -> Option<Finding> {
        let unknown = unknown(&self.keys, &in_any_case(statement.named()))?;
        Some(Finding::new(
            FindingKind::UnknownKey,
            statement,
            format!("no key {unknown} is declared{place}"),
            "declare it: `key NAME { algorithm …; secret …; }`",
        ))
    }

    fn failover(&mut self, statement: Statement<'d>) -> Option<Finding> {
        let name = failover::name(statement)?;
        let (wrong, help) = if statement.is_block() {
            if self.peers.insert(name.clone()) {
                return None;
            }
            ("is declared before this already", "give each peer its own name")
        } else {
            if self.peers.contains(&name) {
                return None;
            }
            ("is not declared before this", "declare it: `failover peer NAME { … }`")
        };
        let message = format!("the failover peer {} {wrong}", name.escape_ascii());
        Some(Finding::new(FindingKind::FailoverPeer, statement, message, help))
    }
}

/// `name` for a message, if it is not among `names`.
fn unknown(names: &Names<'_>, name: &[u8]) -> Option<String> {
    (!names.contains(name)).then(|| name.escape_ascii().to_string())
}

/// Whether this is `key NAME;` in a zone.
fn names_key(statement: Statement<'_>) -> bool {
    statement.kind() == StatementKind::Other
        && statement.is_named("key")
        && statement.parent().is_some_and(|zone| zone.kind() == StatementKind::Zone)
}

/// The server finds keys by their names in any case.
fn in_any_case(name: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if name.iter().any(u8::is_ascii_uppercase) { name.to_ascii_lowercase().into() } else { name }
}

/// The class that a subclass, `add "CLASS"` or `allow members of "CLASS"` names.
fn class(statement: Statement<'_>) -> Option<Cow<'_, [u8]>> {
    let name = match statement.kind() {
        StatementKind::Subclass => return Subclass::of(statement).map(Subclass::class),
        StatementKind::Executable if statement.is_named("add") => statement.value(),
        StatementKind::Permit => {
            let (rest, ()) = keyword("members")(statement.value()).ok()?;
            keyword("of")(rest).ok()?.0
        }
        _ => return None,
    };
    let (_, Quoted(name)) = string(name).ok()?;
    Some(unescape(name))
}
