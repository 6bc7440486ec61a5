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

/// What is declared so far. Each is named only behind its declaration.
#[derive(Default)]
struct Declared<'d> {
    classes: Names<'d>,
    groups: Names<'d>,
    keys: Names<'d>,
    peers: Names<'d>,
}

pub(crate) fn check(world: World<'_>, findings: &mut Vec<Finding>) {
    let mut declared = Declared::default();
    let mut open = false;
    in_order(world, |id| {
        let statement = Statement::new(world, id);
        open |= statement.kind() == StatementKind::Include && world.included(id).is_none();
        let finding = declared.meet(statement);
        // Files that are not read may declare anything.
        findings.extend(finding.filter(|_| !open));
        findings.extend(failover::lacks(statement));
    });
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
                self.keys.insert(statement.declared_name());
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
            _ if names_key(statement) => {
                let unknown = unknown(&self.keys, &statement.named())?;
                Some(Finding::new(
                    FindingKind::UnknownKey,
                    statement,
                    format!("no key {unknown} is declared before this"),
                    "declare it: `key NAME { algorithm …; secret …; }`",
                ))
            }
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

/// Whether this is `omapi-key NAME;`, or `key NAME;` in a zone.
fn names_key(statement: Statement<'_>) -> bool {
    match statement.kind() {
        StatementKind::Parameter => statement.is_named("omapi-key"),
        StatementKind::Other => {
            statement.is_named("key")
                && statement.parent().is_some_and(|zone| zone.kind() == StatementKind::Zone)
        }
        _ => false,
    }
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
