//! Values that do not mean what they look like, and files that the server cannot read.

use crate::host::Host;
use crate::include::Include;
use crate::index::in_order;
use crate::lint::finding::{Finding, FindingKind, Site};
use crate::option_statement::option_key;
use crate::setting::{Setting, identifier};
use crate::span::Span;
use crate::statement_view::Statement;
use crate::token::{TokenKind, tokens};
use crate::tree::StatementKind;
use crate::value::Identifier;
use crate::words;
use crate::world::World;

/// What the server's lexer holds at most, with the final NUL.
const LONGEST_BLANKS: usize = 1_500;

pub(crate) fn check(world: World<'_>, findings: &mut Vec<Finding>) {
    in_order(world, |id| {
        let statement = Statement::new(world, id);
        match statement.kind() {
            StatementKind::Option | StatementKind::Parameter => {
                findings.extend(value(Setting(statement)));
            }
            StatementKind::Uid => {
                findings.extend(octets(statement, &identifier(statement.value())));
            }
            StatementKind::Include => {
                findings.extend(Include::of(statement).and_then(relative));
            }
            StatementKind::Executable => findings.extend(without_effect(statement)),
            _ => {}
        }
        if let Some(host) = Host::of(statement) {
            unused_ids(host, findings);
        }
        if id.node == 0 {
            blanks(statement, findings);
        }
    });
}

fn value(setting: Setting<'_>) -> Option<Finding> {
    let statement = setting.statement();
    let raw = setting.raw();
    if setting.is_option() && option_key(statement.name()) == b"dhcp-client-identifier" {
        return octets(statement, &setting.identifier());
    }
    if setting.is_expression() {
        let text = setting.identifier();
        let Identifier::Text(text) = text else { return None };
        let address = std::str::from_utf8(&text).ok()?.parse::<std::net::IpAddr>().ok()?;
        return Some(Finding::new(
            FindingKind::AddressAsText,
            statement,
            format!("behind `=`, \"{address}\" is its characters and no address"),
            "write the address without `=` and quotes",
        ));
    }
    let octal = raw.len() > 1 && raw[0] == b'0' && raw.iter().all(u8::is_ascii_digit);
    octal.then(|| {
        Finding::new(
            FindingKind::OctalNumber,
            statement,
            format!("{} is read as an octal number", raw.escape_ascii()),
            "write it without leading zeros",
        )
    })
}

/// A quoted identifier of octets with colons between them.
fn octets(statement: Statement<'_>, id: &Identifier<'_>) -> Option<Finding> {
    let Identifier::Text(text) = id else { return None };
    let mut parts = 0;
    let hexadecimal = text.split(|byte| *byte == b':').all(|part| {
        parts += 1;
        matches!(part.len(), 1 | 2) && part.iter().all(u8::is_ascii_hexdigit)
    });
    (hexadecimal && parts > 1).then(|| {
        Finding::new(
            FindingKind::OctetsAsText,
            statement,
            format!("in quotes, {} is its characters and no octets", text.escape_ascii()),
            "write the octets without quotes",
        )
    })
}

/// Client identifiers under a condition, and all behind the first: neither identifies the host.
fn unused_ids(host: Host<'_>, findings: &mut Vec<Finding>) {
    let mut has_one = host.statement().children().any(|it| it.kind() == StatementKind::Uid);
    for setting in host.option("dhcp-client-identifier") {
        let conditional = setting.condition().is_some();
        let added = !setting.identifies();
        if conditional || added || has_one {
            let why = match () {
                () if conditional => "a condition decides it",
                () if added => "only `option` and `supersede` do",
                () => "the host has another",
            };
            findings.push(Finding::new(
                FindingKind::UnusedClientId,
                setting.statement(),
                format!("this client identifier does not identify {}: {why}", host.name()),
                "give the host one client identifier, under no condition",
            ));
        }
        has_one |= !conditional && !added;
    }
}

/// An expression alone: `authorative;` is the value of a variable for the server.
fn without_effect(statement: Statement<'_>) -> Option<Finding> {
    let alone =
        words::statement(statement.name()).is_none() && !statement.value().starts_with(b"(");
    alone.then(|| {
        let source = statement.source();
        let text = source.strip_suffix(b";").unwrap_or(source).trim_ascii_end();
        Finding::new(
            FindingKind::WithoutEffect,
            statement,
            format!("{} is an expression and does nothing", text.escape_ascii()),
            "correct the word, or remove the statement",
        )
    })
}

fn relative(include: Include<'_>) -> Option<Finding> {
    let path = include.path();
    path.is_relative().then(|| {
        Finding::new(
            FindingKind::RelativeInclude,
            include.statement(),
            format!("{} is relative to wherever the server was started", path.display()),
            "write the whole path",
        )
    })
}

/// Runs of blanks that the server calls too long, in the file of `statement`.
fn blanks(statement: Statement<'_>, findings: &mut Vec<Finding>) {
    let document = statement.document();
    for token in tokens(document.source()) {
        let length = token.end - token.start;
        if token.kind != TokenKind::Blanks || length < LONGEST_BLANKS {
            continue;
        }
        let span = Span::new(token.start, token.end);
        let site = Site { position: document.position(span), span, ..Site::of(statement) };
        findings.push(Finding {
            kind: FindingKind::LongBlanks,
            sites: vec![site],
            message: format!("{length} blanks in a row: the server stops reading at 1500"),
            help: "shorten them, or put a comment between them".to_owned(),
        });
    }
}
