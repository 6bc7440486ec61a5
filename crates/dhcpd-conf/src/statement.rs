//! The head of a statement: everything up to its `;` or `{`.

use crate::block_words;
use crate::error::ParseErrorKind;
use crate::expected::Expected;
use crate::expression::{self, Context as Meaning, Kind, expression, untyped};
use crate::fault::Fault;
use crate::lex::{
    Input, Parsed, WordClass, at, at_keyword, comma_list, dotted_name, expected, keyword,
    punctuation, string, word,
};
use crate::network_statement::{prefix, prefix6, range6, server_duid, subnet, subnet6};
use crate::operand::variable;
use crate::option_statement::{Definition, Definitions, assigned, host_identifier, option};
use crate::place::Place;
use crate::reserved::is_reserved;
use crate::tree::{Operator, StatementKind};
use crate::value::{
    address_or_name, hardware, integer, ipv4, ipv6, string_or_dotted_name, string_or_identifier,
    string_or_octets,
};
use crate::words::{self, Rule};

/// A statement up to its end.
pub(crate) struct Head<'a> {
    pub(crate) kind: StatementKind,
    pub(crate) operator: Operator,
    /// For a block what stands between its keyword and `{`, for options and parameters the name,
    /// for the rest the keyword.
    pub(crate) name: Text<'a>,
    /// Where the value begins.
    pub(crate) value: Input<'a>,
    pub(crate) ends: Ends,
    pub(crate) definition: Option<Definition>,
    /// For a `switch` what its labels are.
    pub(crate) labels: Option<Kind>,
}

/// A stretch of the source from the first byte of `at`.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) at: Input<'a>,
    pub(crate) length: usize,
}

impl<'a> Text<'a> {
    pub(crate) fn bytes(self) -> &'a [u8] {
        &self.at[..self.length]
    }
}

/// How a statement ends.
#[derive(Clone, Copy)]
pub(crate) enum Ends {
    Semicolon,
    /// At a `;`, where a list could also have gone on with this.
    ListSemicolon(Expected),
    OptionalSemicolon,
    Colon,
    Block(Place),
}

/// What a statement's reading depends on.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c> {
    pub(crate) place: Place,
    /// What the labels are, if the block is that of a `switch`.
    pub(crate) labels: Option<Kind>,
    pub(crate) depth: usize,
    pub(crate) definitions: &'c Definitions,
}

/// The head of the statement that stands at `input`, without its `;` or `{`.
pub(crate) fn head<'a>(input: Input<'a>, context: Context<'_>) -> Parsed<'a, Head<'a>> {
    let Ok((rest, name)) = word(input) else {
        return match word(input) {
            Err(nom::Err::Error(fault)) if fault.kind != ParseErrorKind::Unexpected => {
                Err(nom::Err::Error(fault))
            }
            _ => expected(input, Expected::Statement),
        };
    };
    let keyword = Text { at: input, length: name.len() };
    if let Some(body) = block_words::body(context.place) {
        return body(input, rest, keyword);
    }
    if let Some(kind) = context.labels
        && let Some(label) = label(rest, keyword, kind, context.depth)
    {
        return label;
    }
    let Some((rule, places)) = words::statement(name) else {
        return unknown(rest, keyword, context);
    };
    if !places.hold(context.place) {
        return not_allowed(input);
    }
    rule_head(rule, rest, keyword, context)
}

pub(crate) fn not_allowed<T>(input: Input<'_>) -> Parsed<'_, T> {
    Err(nom::Err::Error(Fault::new(input, ParseErrorKind::NotAllowedHere)))
}

/// `case EXPRESSION:` or `default:`. Plain `default NAME VALUE;` is another statement.
///
/// A colon behind an octet leads to another octet, so `case 0a:` is an error, and so is `case 1:`
/// where the switch is over data.
fn label<'a>(
    rest: Input<'a>,
    keyword: Text<'a>,
    kind: Kind,
    depth: usize,
) -> Option<Parsed<'a, Head<'a>>> {
    let label = |(end, _)| (end, plain(StatementKind::Label, keyword, rest, Ends::Colon));
    if keyword.bytes().eq_ignore_ascii_case(b"case") {
        return Some(untyped(rest, Meaning::Of(kind), depth).map(label));
    }
    (keyword.bytes().eq_ignore_ascii_case(b"default") && at(rest, b':'))
        .then(|| Ok(label((rest, kind))))
}

/// An expression as a statement, or `no failover peer`, or a word dhcpd does not know.
fn unknown<'a>(rest: Input<'a>, name: Text<'a>, context: Context<'_>) -> Parsed<'a, Head<'a>> {
    if name.bytes().eq_ignore_ascii_case(b"no") && context.place == Place::Pool {
        let (end, ()) = keyword("failover")(rest)?;
        let (end, ()) = keyword("peer")(end)?;
        return Ok((end, plain(StatementKind::Failover, name, rest, Ends::OptionalSemicolon)));
    }
    if WordClass::of(name.bytes()) != WordClass::Number && !is_reserved(name.bytes()) {
        let (end, ()) = expression::alone(name.at, name.bytes(), context.depth)?;
        return Ok((end, plain(StatementKind::Executable, name, rest, Ends::Semicolon)));
    }
    Err(nom::Err::Error(Fault::new(name.at, ParseErrorKind::UnknownStatement)))
}

/// A head without an operator or definition.
pub(crate) fn plain<'a>(
    kind: StatementKind,
    name: Text<'a>,
    value: Input<'a>,
    ends: Ends,
) -> Head<'a> {
    Head { kind, operator: Operator::Set, name, value, ends, definition: None, labels: None }
}

/// The head of a block: its name is what stands between keyword and brace.
fn block<'a>(kind: StatementKind, start: Input<'a>, end: Input<'a>, place: Place) -> Head<'a> {
    // The name ends at its last byte, not at the blanks and comments before the brace: those that
    // follow a head are at most one run, so the parsers below hand in where the last token ended.
    let text = Text { at: start, length: trimmed(&start[..start.len() - end.len()]) };
    plain(kind, text, end, Ends::Block(place))
}

/// The length of `text` without blanks at its end.
fn trimmed(text: &[u8]) -> usize {
    text.trim_ascii_end().len()
}

#[expect(clippy::too_many_lines, reason = "one arm per statement of dhcpd.conf(5)")]
fn rule_head<'a>(
    rule: Rule,
    rest: Input<'a>,
    keyword_text: Text<'a>,
    context: Context<'_>,
) -> Parsed<'a, Head<'a>> {
    use StatementKind as Is;
    let depth = context.depth;
    let done =
        |(end, ()): (Input<'a>, ()), kind, ends| Ok((end, plain(kind, keyword_text, rest, ends)));
    let opens = |end: Input<'a>, kind, place| Ok((end, block(kind, rest, end, place)));
    let ip_or_names = comma_list(address_or_name);
    let ip_or_names = || -> Parsed<'a, ()> {
        let mut list = ip_or_names;
        list(rest)
    };
    match rule {
        Rule::Parameter(format) => {
            let (value, end) = assigned(rest, format, depth)?;
            Ok((end, plain(Is::Parameter, keyword_text, value, Ends::Semicolon)))
        }
        Rule::Option => option(rest, Operator::Set, context),
        Rule::Modifier(operator) => option(rest, operator, context),
        Rule::Hardware => done(unit(hardware(rest)?), Is::Hardware, Ends::Semicolon),
        Rule::FixedAddress => {
            done(ip_or_names()?, Is::FixedAddress, Ends::ListSemicolon(Expected::Comma))
        }
        Rule::Host => {
            let (end, name) = dotted_name(rest)?;
            let name = Text { at: rest, length: name.len() };
            Ok((end, plain(Is::Host, name, end, Ends::Block(Place::Host))))
        }
        Rule::Group if context.place == Place::Host => {
            done(string_or_identifier(rest)?, Is::GroupReference, Ends::Semicolon)
        }
        Rule::Group if at(rest, b'{') => opens(rest, Is::Group, Place::Group),
        Rule::Group => opens(string_or_identifier(rest)?.0, Is::Group, Place::Group),
        Rule::Include => done(unit(string(rest)?), Is::Include, Ends::Semicolon),
        Rule::SharedNetwork => {
            if rest.starts_with(b"\"\"") {
                return expected(rest, Expected::StringOrName);
            }
            opens(string_or_dotted_name(rest)?.0, Is::SharedNetwork, Place::SharedNetwork)
        }
        Rule::Subnet => opens(subnet(rest)?, Is::Subnet, Place::Subnet),
        Rule::Subnet6 => opens(subnet6(rest)?, Is::Subnet, Place::Subnet),
        Rule::Pool => opens(rest, Is::Pool, Place::Pool),
        Rule::Pool6 => opens(rest, Is::Pool, Place::Pool6),
        Rule::Class => opens(string(rest)?.0, Is::Class, Place::Class),
        Rule::ImplicitClass => {
            let (end, _) = string(rest)?;
            if at(end, b'{') {
                return opens(end, Is::Subclass, Place::Subclass);
            }
            done((end, ()), Is::Subclass, Ends::ListSemicolon(Expected::OpenBrace))
        }
        Rule::Subclass => {
            let (end, ()) = string_or_octets(string(rest)?.0)?;
            if at(end, b'{') {
                return opens(end, Is::Subclass, Place::Subclass);
            }
            done((end, ()), Is::Subclass, Ends::ListSemicolon(Expected::OpenBrace))
        }
        Rule::Failover => failover(rest, keyword_text, context.place),
        Rule::Zone => opens(dotted_name(rest)?.0, Is::Zone, Place::Zone),
        Rule::Key => opens(string_or_dotted_name(rest)?.0, Is::Key, Place::Key),
        Rule::Range => {
            let start = if at_keyword(rest, "dynamic-bootp") { word(rest)?.0 } else { rest };
            let (end, _) = ipv4(start)?;
            if at(end, b';') {
                return done((end, ()), Is::Range, Ends::Semicolon);
            }
            done(unit(ipv4(end)?), Is::Range, Ends::Semicolon)
        }
        Rule::Range6 => done(range6(rest)?, Is::Range, Ends::Semicolon),
        Rule::Prefix6 => done(prefix6(rest)?, Is::Range, Ends::Semicolon),
        // Any one token: the server does not look what it is.
        Rule::Interface if at(rest, b'"') => done(unit(string(rest)?), Is::Other, Ends::Semicolon),
        Rule::Interface => {
            done(unit(word_or(rest, Expected::StringOrName)?), Is::Other, Ends::Semicolon)
        }
        Rule::Match if at_keyword(rest, "if") => {
            let (condition, ()) = keyword("if")(rest)?;
            done(expression(condition, Kind::Condition, depth)?, Is::Other, Ends::Semicolon)
        }
        Rule::Match => done(expression(rest, Kind::Data, depth)?, Is::Other, Ends::Semicolon),
        Rule::Spawn => {
            let (data, ()) = keyword("with")(rest)?;
            done(expression(data, Kind::Data, depth)?, Is::Other, Ends::Semicolon)
        }
        Rule::Lease => {
            let (count, ()) = keyword("limit")(rest)?;
            done(integer(count)?, Is::Other, Ends::Semicolon)
        }
        Rule::Marker => done((rest, ()), Is::Other, Ends::Semicolon),
        Rule::FixedAddress6 => {
            done(comma_list(ipv6)(rest)?, Is::FixedAddress, Ends::ListSemicolon(Expected::Comma))
        }
        Rule::FixedPrefix6 => done(unit(prefix(rest)?), Is::FixedPrefix, Ends::Semicolon),
        Rule::HostIdentifier => {
            done(host_identifier(rest, context)?, Is::HostIdentifier, Ends::Semicolon)
        }
        Rule::Uid => done(string_or_octets(rest)?, Is::Uid, Ends::Semicolon),
        Rule::Authoritative if context.place == Place::Body => {
            let (value, end) = assigned(rest, &words::FLAG, depth)?;
            Ok((end, plain(Is::Parameter, keyword_text, value, Ends::Semicolon)))
        }
        Rule::Authoritative => done((rest, ()), Is::Authoritative, Ends::Semicolon),
        Rule::Not => done(keyword("authoritative")(rest)?, Is::Authoritative, Ends::Semicolon),
        Rule::ServerDuid => done(server_duid(rest)?, Is::Other, Ends::Semicolon),
        Rule::LeaseIdFormat => {
            done(one_of(rest, &["octal", "hex"], "`octal` and `hex`")?, Is::Other, Ends::Semicolon)
        }
        Rule::DbTimeFormat => done(
            one_of(rest, &["default", "local"], "`default` and `local`")?,
            Is::Executable,
            Ends::Semicolon,
        ),
        Rule::Permit => {
            let ignore = keyword_text.bytes().eq_ignore_ascii_case(b"ignore");
            let pool = matches!(context.place, Place::Pool | Place::Pool6);
            let permit = if pool && !ignore {
                block_words::pool_permit(rest)?
            } else {
                one_of(rest, &PERMITS, "the words that follow allow, deny and ignore")?
            };
            done(permit, Is::Permit, Ends::Semicolon)
        }
        Rule::If => opens(expression::if_condition(rest, depth)?.0, Is::Branch, Place::Body),
        Rule::Switch => {
            let (value, ()) = punctuation(b'(', Expected::OpenParenthesis)(rest)?;
            let (end, kind) = untyped(value, Meaning::DataOrNumber, depth)?;
            let (end, ()) = punctuation(b')', Expected::CloseParenthesis)(end)?;
            let labels = if kind == Kind::Data { Kind::Data } else { Kind::Number };
            let (end, head) = opens(end, Is::Switch, Place::Body)?;
            Ok((end, Head { labels: Some(labels), ..head }))
        }
        Rule::On => {
            let (end, ()) = events(rest)?;
            if at(end, b'{') {
                return opens(end, Is::On, Place::Body);
            }
            done((end, ()), Is::Executable, Ends::ListSemicolon(Expected::OpenBrace))
        }
        Rule::Set => {
            let (end, ()) = punctuation(b'=', Expected::Equals)(variable(rest)?)?;
            done(expression(end, Kind::Any, depth)?, Is::Executable, Ends::Semicolon)
        }
        Rule::Unset => done((variable(rest)?, ()), Is::Executable, Ends::Semicolon),
        Rule::Define => {
            let name = variable(rest)?;
            if at(name, b'(') {
                return opens(parameters(name)?, Is::Function, Place::Body);
            }
            let (end, ()) = punctuation(b'=', Expected::Equals)(name)?;
            done(expression(end, Kind::Any, depth)?, Is::Executable, Ends::Semicolon)
        }
        Rule::Eval | Rule::Return => {
            let data = Meaning::Of(Kind::Data);
            done(unit(untyped(rest, data, depth)?), Is::Executable, Ends::Semicolon)
        }
        Rule::Log => done(expression::log(rest, depth)?, Is::Executable, Ends::Semicolon),
        Rule::Execute => done(expression::execute(rest, depth)?, Is::Executable, Ends::Semicolon),
        Rule::Add => done(unit(string(rest)?), Is::Executable, Ends::Semicolon),
        Rule::Bare => done((rest, ()), Is::Executable, Ends::Semicolon),
    }
}

/// A word, or else `wanted` is what was expected.
fn word_or(input: Input<'_>, wanted: Expected) -> Parsed<'_, &[u8]> {
    word(input).or_else(|_: nom::Err<Fault<'_>>| expected(input, wanted))
}

/// Forgets what was parsed.
fn unit<T>((rest, _): (Input<'_>, T)) -> (Input<'_>, ()) {
    (rest, ())
}

const PERMITS: [&str; 8] = [
    "bootp",
    "booting",
    "dynamic-bootp",
    "unknown-clients",
    "duplicates",
    "declines",
    "client-updates",
    "leasequery",
];

pub(crate) fn one_of<'a>(input: Input<'a>, words: &[&str], list: &'static str) -> Parsed<'a, ()> {
    match word(input) {
        Ok((rest, found))
            if words.iter().any(|word| found.eq_ignore_ascii_case(word.as_bytes())) =>
        {
            Ok((rest, ()))
        }
        _ => expected(input, Expected::OneOf(list)),
    }
}

/// `peer NAME`, then a definition's block or nothing.
fn failover<'a>(rest: Input<'a>, word: Text<'a>, place: Place) -> Parsed<'a, Head<'a>> {
    let (name, ()) = keyword("peer")(rest)?;
    if place == Place::Pool {
        let (end, _) = string(name)?;
        return Ok((end, plain(StatementKind::Failover, word, name, Ends::Semicolon)));
    }
    let (end, ()) = string_or_identifier(name)?;
    if place == Place::SharedNetwork && at(end, b';') {
        return Ok((end, plain(StatementKind::Failover, word, name, Ends::Semicolon)));
    }
    Ok((end, block(StatementKind::Failover, rest, end, Place::Failover)))
}

fn events(input: Input<'_>) -> Parsed<'_, ()> {
    let event = |input| {
        one_of(
            input,
            &["commit", "release", "expiry", "transmission"],
            "`commit`, `release`, `expiry` and `transmission`",
        )
    };
    let (mut rest, ()) = event(input)?;
    while at_keyword(rest, "or") {
        (rest, ()) = event(keyword("or")(rest)?.0)?;
    }
    Ok((rest, ()))
}

/// The parameters of a function: `( [NAME {, NAME} [,]] )`
fn parameters(input: Input<'_>) -> Result<Input<'_>, nom::Err<Fault<'_>>> {
    let (mut rest, ()) = punctuation(b'(', Expected::OpenParenthesis)(input)?;
    while !at(rest, b')') {
        rest = variable(rest)?;
        if !at(rest, b',') {
            break;
        }
        (rest, ()) = punctuation(b',', Expected::Comma)(rest)?;
    }
    punctuation(b')', Expected::CloseParenthesis)(rest).map(|(rest, ())| rest)
}
