//! Options and option spaces nobody defines, and parameters written as options.

use std::collections::HashSet;

use crate::index::in_order;
use crate::lint::finding::{Finding, FindingKind};
use crate::option_statement::{number, option_key};
use crate::statement_view::Statement;
use crate::token::{TokenKind, tokens};
use crate::tree::StatementKind;
use crate::value::joined;
use crate::words;
use crate::world::World;

/// Option spaces that are there without a definition.
const SPACES: [&str; 11] = [
    "dhcp",
    "dhcp6",
    "agent",
    "fqdn",
    "nwip",
    "vendor",
    "vendor-class",
    "vsio",
    "isc",
    "isc6",
    "server",
];

pub(crate) fn check(world: World<'_>, findings: &mut Vec<Finding>) {
    let mut defined = HashSet::new();
    let mut spaces: HashSet<Vec<u8>> = SPACES.map(|space| space.as_bytes().to_vec()).into();
    let mut later = Vec::new();
    let mut open = false;
    in_order(world, |id| {
        let statement = Statement::new(world, id);
        // Files that are not read may define anything.
        open |= statement.kind() == StatementKind::Include && world.included(id).is_none();
        match statement.kind() {
            StatementKind::OptionSpace => {
                spaces.insert(statement.name().to_ascii_lowercase());
            }
            StatementKind::OptionDefinition => {
                defined.insert(option_key(statement.name()));
                if !open {
                    let named = spaces_of(statement).into_iter();
                    let unknown =
                        named.filter(|space| !spaces.contains(&space.to_ascii_lowercase()));
                    findings.extend(unknown.map(|space| unknown_space(statement, &space)));
                }
            }
            _ if open => {}
            _ => each_option(statement, |name| {
                let key = option_key(name);
                if !is_known(&key) && !defined.contains(&key) {
                    later.push((statement, joined(name).into_owned(), key));
                }
            }),
        }
    });
    for (statement, name, key) in later {
        let used = statement.kind() == StatementKind::Option;
        let finding = if used && words::parameter(&key).is_some() {
            Finding::new(
                FindingKind::ParameterAsOption,
                statement,
                format!("{name} is no option but a parameter"),
                "write it without `option`",
            )
        } else if defined.contains(&key) {
            Finding::new(
                FindingKind::UnknownOption,
                statement,
                format!("the option {name} is used before its definition"),
                "move its `option … code …` to the beginning of the configuration",
            )
        } else {
            Finding::new(
                FindingKind::UnknownOption,
                statement,
                format!("no option is named {name}"),
                "correct the name, or define it: `option NAME code NUMBER = TYPE;`",
            )
        };
        findings.push(finding);
    }
}

/// Whether the server knows the option by itself.
fn is_known(key: &[u8]) -> bool {
    number(key).is_some() || words::option(key).is_some()
}

/// The space an option is defined in, if one is written, and the one it encapsulates.
fn spaces_of(definition: Statement<'_>) -> Vec<Vec<u8>> {
    let mut spaces = Vec::new();
    let name = joined(definition.name());
    spaces.extend(name.split_once('.').map(|(space, _)| space.as_bytes().to_vec()));
    let mut encapsulates = false;
    for token in tokens(definition.value()).filter(|token| token.kind == TokenKind::Solid) {
        let word = &definition.value()[token.start..token.end];
        if encapsulates {
            spaces.push(word.to_vec());
        }
        encapsulates = word.eq_ignore_ascii_case(b"encapsulate");
    }
    spaces
}

fn unknown_space(definition: Statement<'_>, space: &[u8]) -> Finding {
    Finding::new(
        FindingKind::UnknownOptionSpace,
        definition,
        format!("no option space {} is defined before this", space.escape_ascii()),
        "define it: `option space NAME;`",
    )
}

/// The names of all options that a statement sets, or looks at in its expressions.
fn each_option<'d>(statement: Statement<'d>, mut visit: impl FnMut(&'d [u8])) {
    let text = match statement.kind() {
        StatementKind::Option => {
            visit(statement.name());
            statement.value()
        }
        StatementKind::Branch | StatementKind::Switch => statement.name(),
        StatementKind::Parameter
        | StatementKind::HostIdentifier
        | StatementKind::Label
        | StatementKind::Executable => statement.value(),
        StatementKind::Other if statement.is_named("match") || statement.is_named("spawn") => {
            statement.value()
        }
        _ => return,
    };
    // Most values are one token.
    if !text.contains(&b' ') && !text.contains(&b'(') {
        return;
    }
    let mut solid = tokens(text).filter(|token| token.kind == TokenKind::Solid).peekable();
    while let Some(token) = solid.next() {
        let word = &text[token.start..token.end];
        let looks = ["option", "config-option", "exists"];
        if !looks.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes())) {
            // The number behind `v6relopt` leads to a name as well.
            if !word.eq_ignore_ascii_case(b"v6relopt") || solid.next().is_none() {
                continue;
            }
        }
        let Some(first) = solid.next() else { return };
        let mut end = first.end;
        if solid.peek().is_some_and(|dot| text[dot.start] == b'.') {
            solid.next();
            end = solid.next().map_or(end, |name| name.end);
        }
        visit(&text[first.start..end]);
    }
}
