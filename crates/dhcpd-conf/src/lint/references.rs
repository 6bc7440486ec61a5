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
    let mut omapi = Vec::new();
    in_order(world, |id| {
        let statement = Statement::new(world, id);
        // Run when all is read, and on the outermost level only.
        if statement.is_named("omapi-key") && statement.parent().is_none() {
            omapi.push(statement);
        }
        open |= statement.kind() == StatementKind::Include && world.included(id).is_none();
        let finding = declared.meet(statement);
        // Files that are not read may declare anything.
        findings.extend(finding.filter(|_| !open));
        findings.extend(failover::lacks(statement));
    });
    // Of several the last one counts.
    if let Some(statement) = omapi.last().filter(|_| !open) {
        findings.extend(declared.lacks_key(*statement));
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
                self.keys.insert(statement.declared_name().to_ascii_lowercase().into());
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
            StatementKind::Other if statement.is_named("key") => {
                let zone = statement.parent().is_some_and(|it| it.kind() == StatementKind::Zone);
                if zone { self.lacks_key(statement) } else { None }
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

    /// A key that is named and not declared; the case of its name does not count.
    fn lacks_key(&self, statement: Statement<'_>) -> Option<Finding> {
        let unknown = unknown(&self.keys, &statement.named().to_ascii_lowercase())?;
        Some(Finding::new(
            FindingKind::UnknownKey,
            statement,
            format!("no key {unknown} is declared"),
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
