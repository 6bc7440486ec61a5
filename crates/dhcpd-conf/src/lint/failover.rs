//! What the declaration of a failover peer lacks.

use std::borrow::Cow;

use crate::lex::keyword;
use crate::lint::finding::{Finding, FindingKind};
use crate::statement_view::{Statement, unquoted};
use crate::tree::StatementKind;

/// The peer that a declaration or a reference names; none for `no failover peer`.
pub(crate) fn name(statement: Statement<'_>) -> Option<Cow<'_, [u8]>> {
    let text = if statement.is_block() { statement.name() } else { statement.value() };
    let name = keyword("peer")(text).map_or(text, |(rest, ())| rest);
    Some(unquoted(name)).filter(|_| !statement.is_named("no"))
}

/// The settings a server wants: the address of its partner, and how a primary shares the load.
pub(crate) fn lacks(statement: Statement<'_>) -> Option<Finding> {
    if statement.kind() != StatementKind::Failover || !statement.is_block() {
        return None;
    }
    let has = |word: &str| statement.children().any(|child| child.is_named(word));
    let of_partner = |word: &'static str| {
        let mut partner = statement.children().filter(|child| child.is_named("peer"));
        partner.any(|child| {
            keyword("peer")(child.source())
                .is_ok_and(|(rest, ())| crate::lex::at_keyword(rest, word))
        })
    };
    let roles =
        statement.children().filter(|it| it.is_named("primary") || it.is_named("secondary"));
    let secondary = roles.last().is_some_and(|role| role.is_named("secondary"));
    let shares = has("split") || has("hba");
    let delays = statement.children().filter(|child| child.is_named("mclt")).last();
    let delayed = delays.is_some_and(|mclt| mclt.value().iter().any(|digit| *digit != b'0'));
    let (wrong, help) = if !of_partner("address") {
        ("has no address", "add `peer address …;`")
    } else if secondary && shares {
        ("is secondary and divides the load", "leave `split` and `hba` to the primary")
    } else if !secondary && !shares {
        ("is primary and does not divide the load", "add `split 128;`")
    } else if !secondary && !delayed {
        ("is primary and has no mclt", "add `mclt 3600;`")
    } else {
        return None;
    };
    let name = name(statement)?;
    let message = format!("the failover peer {} {wrong}", name.escape_ascii());
    Some(Finding::new(FindingKind::FailoverPeer, statement, message, help))
}
