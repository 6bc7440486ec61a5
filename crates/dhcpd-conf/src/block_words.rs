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
use crate::text::unescape;
use crate::tree::StatementKind;
use crate::value::{address_or_name, decimal, each_octet, integer, ipv6, string_or_dotted_name};

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
        b"port" | b"max-response-delay" | b"max-unacked-updates" => integer(value)?.0,
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
        | b"auto-partner-down"
        | b"max-lease-misbalance"
        | b"max-lease-ownership"
        | b"min-balance"
        | b"max-balance" => integer(value)?.0,
        b"split" => decimal(value, 256)?.0,
        b"hba" => buckets(value)?.0,
        b"load" => {
            let (end, ()) = keyword("balance")(value)?;
            let (end, ()) = keyword("max")(end)?;
            let (end, ()) = keyword("seconds")(end)?;
            integer(end)?.0
        }
        _ => return unknown(input),
    };
    Ok(leaf((end, ()), name, value, Ends::Semicolon))
}

/// The hash buckets of `hba`: 256 bits.
fn buckets(input: Input<'_>) -> Parsed<'_, ()> {
    let mut count = 0;
    let (rest, ()) = each_octet(input, |_| count += 1)?;
    if count == 32 { Ok((rest, ())) } else { Err(nom::Err::Error(Fault::out_of_range(input))) }
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

/// Base64, quoted or bare, in as many pieces as are written.
fn secret(input: Input<'_>) -> Parsed<'_, ()> {
    let mut text = Vec::new();
    let mut rest = input;
    loop {
        rest = match rest {
            [b'"', ..] => {
                let (behind, quoted) = string(rest)?;
                text.extend(&*unescape(quoted.0));
                behind
            }
            [byte, behind @ ..] if byte.is_ascii_alphanumeric() || b"+/=".contains(byte) => {
                text.push(*byte);
                trivia(behind)?.0
            }
            _ => break,
        };
    }
    if is_base64(&text) { Ok((rest, ())) } else { expected(input, Expected::Base64) }
}

/// Whether `text` is base64 with padding at its end only. Padding that is missing is no mistake
/// where no bits are left over.
fn is_base64(text: &[u8]) -> bool {
    let length = text.iter().position(|byte| *byte == b'=').unwrap_or(text.len());
    let (digits, padding) = text.split_at(length);
    let values: Option<Vec<u8>> = digits.iter().copied().map(base64_digit).collect();
    let left_over = match (digits.len() % 4, digits.last().copied().and_then(base64_digit)) {
        (1, Some(last)) => last,
        (2, Some(last)) => last & 0x0f,
        (3, Some(last)) => last & 0x03,
        _ => 0,
    };
    values.is_some()
        && digits.len() > 1
        && padding.iter().all(|byte| *byte == b'=')
        && (text.len().is_multiple_of(4) || left_over == 0)
}

fn base64_digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
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
    if at(rest, b';') { Ok((rest, ())) } else { integer(rest) }
}
