//! Groups and classes that are named and not declared.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::group::{Class, Group, Subclass};
use crate::index::in_order;
use crate::lex::{Quoted, keyword, string};
use crate::lint::finding::{Finding, FindingKind};
use crate::setting::identifier;
use crate::statement_view::Statement;
use crate::text::unescape;
use crate::tree::StatementKind;
use crate::value::Identifier;
use crate::world::World;

pub(crate) fn check(world: World<'_>, findings: &mut Vec<Finding>) {
    let mut classes = HashSet::new();
    let mut groups = HashSet::new();
    let mut open = false;
    in_order(world, |id| {
        let statement = Statement::new(world, id);
        if let Some(class) = Class::of(statement) {
            classes.insert(class.name());
        }
        // A host may name a group only behind it.
        groups.extend(Group::of(statement).and_then(Group::name));
        open |= statement.kind() == StatementKind::Include && world.included(id).is_none();
        if open {
            return;
        }
        if statement.kind() == StatementKind::GroupReference {
            let name = match identifier(statement.value()) {
                Identifier::Text(text) => text,
                _ => Cow::Borrowed(statement.value()),
            };
            if !groups.contains(&name) {
                findings.push(Finding::new(
                    FindingKind::UnknownGroup,
                    statement,
                    format!("no group {} is declared before this", name.escape_ascii()),
                    "declare it: `group NAME { … }`",
                ));
            }
        }
        let class = Subclass::of(statement).map(Subclass::class).or_else(|| members(statement));
        if let Some(class) = class.filter(|class| !classes.contains(class)) {
            findings.push(Finding::new(
                FindingKind::UnknownClass,
                statement,
                format!("no class {} is declared before this", class.escape_ascii()),
                "declare it: `class \"NAME\" { … }`",
            ));
        }
    });
}

/// The class in `allow members of "CLASS"`.
fn members(statement: Statement<'_>) -> Option<Cow<'_, [u8]>> {
    if statement.kind() != StatementKind::Permit {
        return None;
    }
    let (rest, ()) = keyword("members")(statement.value()).ok()?;
    let (rest, ()) = keyword("of")(rest).ok()?;
    let (_, Quoted(name)) = string(rest).ok()?;
    Some(unescape(name))
}
