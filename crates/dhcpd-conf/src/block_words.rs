//! Statements of the blocks that have words of their own: failover peers, zones, keys and the
//! permit lists of pools.

use crate::error::ParseErrorKind;
use crate::expected::Expected;
use crate::fault::Fault;
use crate::lex::{
    Input, Parsed, at, at_keyword, comma_list, dotted_name, expected, keyword, punctuation, string,
    trivia, word,
};
use crate::place::Place;
use crate::statement::{Ends, Head, Text, plain};
use crate::tree::StatementKind;
use crate::value::{address_or_name, decimal, ipv6, number, octets, string_or_dotted_name};

/// Reads a statement of such a block; its arguments are the keyword's place, what follows it, and
/// the keyword.
pub(crate) type Body = for<'a> fn(Input<'a>, Input<'a>, Text<'a>) -> Parsed<'a, Head<'a>>;

/// The statements of `place`, if it has its own.
pub(crate) fn body(place: Place) -> Option<Body> {
    match place {
        Place::Failover => Some(failover),
        Place::Zone => Some(zone),
        Place::Key => Some(key),
        _ => None,
    }
}

fn unknown<T>(input: Input<'_>) -> Parsed<'_, T> {
    Err(nom::Err::Error(Fault::new(input, ParseErrorKind::UnknownStatement)))
}

fn leaf<'a>(
    (end, ()): (Input<'a>, ()),
    name: Text<'a>,
    value: Input<'a>,
    ends: Ends,
) -> (Input<'a>, Head<'a>) {
    (end, plain(StatementKind::Other, name, value, ends))
}

fn failover<'a>(input: Input<'a>, rest: Input<'a>, name: Text<'a>) -> Parsed<'a, Head<'a>> {
    let lower = name.bytes().to_ascii_lowercase();
    let rest = if lower == b"peer" { rest } else { input };
    let Ok((value, what)) = word(rest) else { return expected(rest, Expected::Statement) };
    let end = match what.to_ascii_lowercase().as_slice() {
        b"address" => address_or_name(value)?.0,
        b"port" | b"max-response-delay" | b"max-unacked-updates" => number(value, 32)?.0,
        _ if lower == b"peer" => {
            return expected(
                rest,
                Expected::OneOf(
                    "`address`, `port`, `max-response-delay` and `max-unacked-updates`",
                ),
            );
        }
        b"primary" | b"secondary" => value,
        b"mclt"
        | b"split"
        | b"auto-partner-down"
        | b"max-lease-misbalance"
        | b"max-lease-ownership"
        | b"min-balance"
        | b"max-balance" => number(value, 32)?.0,
        b"hba" => octets(value)?.0,
        b"load" => {
            let (end, ()) = keyword("balance")(value)?;
            let (end, ()) = keyword("max")(end)?;
            let (end, ()) = keyword("seconds")(end)?;
            number(end, 32)?.0
        }
        _ => return unknown(input),
    };
    Ok(leaf((end, ()), name, value, Ends::Semicolon))
}

fn zone<'a>(input: Input<'a>, rest: Input<'a>, name: Text<'a>) -> Parsed<'a, Head<'a>> {
    let (end, ends) = match name.bytes().to_ascii_lowercase().as_slice() {
        b"primary" | b"secondary" => {
            (comma_list(address_or_name)(rest)?, Ends::ListSemicolon(Expected::Comma))
        }
        b"primary6" | b"secondary6" => {
            (comma_list(ipv6)(rest)?, Ends::ListSemicolon(Expected::Comma))
        }
        b"key" => (string_or_dotted_name(rest)?, Ends::Semicolon),
        _ => return unknown(input),
    };
    Ok(leaf(end, name, rest, ends))
}

fn key<'a>(input: Input<'a>, rest: Input<'a>, name: Text<'a>) -> Parsed<'a, Head<'a>> {
    let end = match name.bytes().to_ascii_lowercase().as_slice() {
        b"algorithm" => dotted_name(rest)?.0,
        b"secret" => secret(rest)?.0,
        _ => return unknown(input),
    };
    Ok(leaf((end, ()), name, rest, Ends::Semicolon))
}

/// Base64, quoted or bare; bare it may be broken by blanks.
fn secret(input: Input<'_>) -> Parsed<'_, ()> {
    if at(input, b'"') {
        let (rest, text) = string(input)?;
        return if is_base64(text.0) { Ok((rest, ())) } else { expected(input, Expected::Base64) };
    }
    let mut text = Vec::new();
    let mut rest = input;
    while let [byte, behind @ ..] = rest {
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')) {
            break;
        }
        text.push(*byte);
        (rest, ()) = trivia(behind)?;
    }
    if is_base64(&text) { Ok((rest, ())) } else { expected(input, Expected::Base64) }
}

/// Whether `text` is whole groups of base64, padded at the end only.
fn is_base64(text: &[u8]) -> bool {
    let digits = text.iter().position(|byte| *byte == b'=').unwrap_or(text.len());
    let (digits, padding) = text.split_at(digits);
    !digits.is_empty()
        && text.len().is_multiple_of(4)
        && padding.len() <= 2
        && padding.iter().all(|byte| *byte == b'=')
        && digits.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// What `allow` and `deny` take in a pool.
pub(crate) fn pool_permit(input: Input<'_>) -> Parsed<'_, ()> {
    const WORDS: &str =
        "`known-clients`, `unknown-clients`, `all clients`, `members of` and other clients";
    let Ok((rest, name)) = word(input) else { return expected(input, Expected::OneOf(WORDS)) };
    match name.to_ascii_lowercase().as_slice() {
        b"known-clients" | b"unknown-clients" => Ok((rest, ())),
        b"known" | b"unknown" | b"all" | b"authenticated" | b"unauthenticated" => {
            keyword("clients")(rest)
        }
        b"dynamic" => keyword("clients")(keyword("bootp")(rest)?.0),
        b"members" => string(keyword("of")(rest)?.0).map(|(rest, _)| (rest, ())),
        b"after" => date(rest),
        _ => expected(input, Expected::OneOf(WORDS)),
    }
}

/// `never`, `epoch SECONDS` or `WEEKDAY YEAR/MONTH/DAY HOUR:MINUTE:SECOND [OFFSET]`
fn date(input: Input<'_>) -> Parsed<'_, ()> {
    if at_keyword(input, "never") {
        return keyword("never")(input);
    }
    let number_or = |input| match decimal(input, u64::from(u32::MAX)) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(_) => expected(input, Expected::Date),
    };
    if at_keyword(input, "epoch") {
        return number_or(word(input)?.0);
    }
    let (mut rest, ()) = number_or(input)?;
    for separator in [None, Some(b'/'), Some(b'/'), None, Some(b':'), Some(b':')] {
        if let Some(separator) = separator {
            (rest, ()) = punctuation(separator, Expected::Date)(rest)?;
        }
        (rest, ()) = number_or(rest)?;
    }
    if at(rest, b';') { Ok((rest, ())) } else { number(rest, 32) }
}
