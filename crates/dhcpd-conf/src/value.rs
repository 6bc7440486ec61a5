//! Values inside statements: numbers, octets, addresses, hardware.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::expected::Expected;
use crate::fault::Fault;
use crate::hardware::{HardwareAddress, HardwareType};
use crate::lex::{
    Input, Parsed, Quoted, WordClass, at, bare_word, dotted_name, expected, identifier,
    is_name_byte, punctuation, string, trivia, word,
};

/// A decimal number in a position of fixed base 10, where leading zeros mean nothing.
pub(crate) fn decimal(input: Input<'_>, limit: u64) -> Parsed<'_, u64> {
    match word(input) {
        Ok((rest, digits)) if digits.iter().all(u8::is_ascii_digit) => {
            match number_of(digits, 10) {
                Some(value) if value <= limit => Ok((rest, value)),
                _ => Err(nom::Err::Error(Fault::out_of_range(input))),
            }
        }
        _ => expected(input, Expected::Number),
    }
}

/// A decimal number of the server's own, with or without a sign; no other base is read.
pub(crate) fn integer(input: Input<'_>) -> Parsed<'_, ()> {
    match word(input) {
        Ok((rest, word)) if WordClass::of(word) == WordClass::Number && word != b"-" => {
            Ok((rest, ()))
        }
        _ => expected(input, Expected::Number),
    }
}

/// A number whose base shows in its spelling: `16`, `0x10` or, with a leading zero, octal `020`.
/// `bits` bounds it; of 32 bits dhcpd bounds the negative ones only.
pub(crate) fn number(input: Input<'_>, bits: u8) -> Parsed<'_, ()> {
    let Ok((rest, text)) = word(input) else { return expected(input, Expected::Number) };
    let negative = text.first() == Some(&b'-');
    let digits = if negative { &text[1..] } else { text };
    let (digits, base) = match digits {
        [b'0', b'x', hexadecimal @ ..] if !negative => (hexadecimal, 16),
        [b'0', octal @ ..] if !octal.is_empty() => (octal, 8),
        _ => (digits, 10),
    };
    if digits.is_empty() || !digits.iter().all(|digit| char::from(*digit).is_digit(base)) {
        return expected(input, Expected::Number);
    }
    let limit = match bits {
        8 => 0xff,
        16 => 0xffff,
        _ if !negative => return Ok((rest, ())),
        _ => u64::from(u32::MAX),
    };
    let limit = if negative { limit / 2 + 1 } else { limit };
    match number_of(digits, base) {
        Some(value) if value <= limit => Ok((rest, ())),
        _ => Err(nom::Err::Error(Fault::out_of_range(input))),
    }
}

/// The value of `digits`; none if it does not fit or is no number.
fn number_of(digits: &[u8], base: u32) -> Option<u64> {
    digits.iter().try_fold(0u64, |value, digit| {
        value
            .checked_mul(u64::from(base))?
            .checked_add(u64::from(char::from(*digit).to_digit(base)?))
    })
}

/// One octet in hexadecimal; `-1` is `ff`.
fn octet(input: Input<'_>) -> Parsed<'_, u8> {
    let Ok((end, digits)) = bare_word(input) else { return expected(input, Expected::Octets) };
    let value = match digits {
        [high, low] => {
            hexadecimal_digit(*high).zip(hexadecimal_digit(*low)).map(|(h, l)| h << 4 | l)
        }
        _ => None,
    };
    let value = match value {
        Some(value) => value,
        None => signed_octet(input, digits, 16, Expected::Octets)?,
    };
    trivia(end).map(|(rest, ())| (rest, value))
}

/// An octet with or without a sign: below 0 it counts down from 256.
fn signed_octet<'a>(
    input: Input<'a>,
    digits: &[u8],
    base: u32,
    wanted: Expected,
) -> Result<u8, nom::Err<Fault<'a>>> {
    let (digits, limit) = match digits.strip_prefix(b"-") {
        Some(digits) => (digits, 0x80),
        None => (digits, 0xff),
    };
    if digits.is_empty() || !digits.iter().all(|digit| char::from(*digit).is_digit(base)) {
        return Err(nom::Err::Error(Fault::expected(input, wanted)));
    }
    match number_of(digits, base).filter(|value| *value <= limit) {
        Some(value) => {
            let octet = u8::try_from(value).unwrap_or(u8::MAX);
            Ok(if limit == 0x80 { octet.wrapping_neg() } else { octet })
        }
        None => Err(nom::Err::Error(Fault::out_of_range(input))),
    }
}

fn hexadecimal_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// Octets separated by colons, each handed to `take`.
pub(crate) fn each_octet(input: Input<'_>, mut take: impl FnMut(u8)) -> Parsed<'_, ()> {
    let (mut rest, first) = octet(input)?;
    take(first);
    while let [b':', behind @ ..] = rest {
        let (next, ()) = trivia(behind)?;
        let (next, value) = octet(next)?;
        take(value);
        rest = next;
    }
    Ok((rest, ()))
}

/// Octets separated by colons.
pub(crate) fn octets(input: Input<'_>) -> Parsed<'_, ()> {
    each_octet(input, |_| {})
}

/// A type and up to 20 octets, possibly none.
pub(crate) fn hardware(input: Input<'_>) -> Parsed<'_, HardwareAddress> {
    let unknown = || Fault::expected(input, Expected::HardwareType);
    let (rest, name) = word(input).map_err(|_: nom::Err<Fault<'_>>| nom::Err::Error(unknown()))?;
    let kind = HardwareType::parse(name).ok_or(nom::Err::Error(unknown()))?;
    let mut octets = [0; HardwareAddress::LONGEST];
    let mut length = 0;
    let start = rest;
    let rest = if at(rest, b';') {
        rest
    } else {
        each_octet(rest, |octet| {
            if let Some(place) = octets.get_mut(length) {
                *place = octet;
            }
            length += 1;
        })?
        .0
    };
    match octets.get(..length).and_then(|octets| HardwareAddress::new(kind, octets)) {
        Some(address) => Ok((rest, address)),
        None => Err(nom::Err::Error(Fault::out_of_range(start))),
    }
}

/// An IPv4 address: four decimal octets, with blanks and comments allowed around the dots.
pub(crate) fn ipv4(input: Input<'_>) -> Parsed<'_, Ipv4Addr> {
    let mut octets = [0u8; 4];
    let mut rest = input;
    for (index, place) in octets.iter_mut().enumerate() {
        if index > 0 {
            (rest, ()) = punctuation(b'.', Expected::Ipv4Address)(rest)?;
        }
        let Ok((next, digits)) = word(rest) else {
            return expected(rest, Expected::Ipv4Address);
        };
        *place = signed_octet(rest, digits, 10, Expected::Ipv4Address)?;
        rest = next;
    }
    Ok((rest, octets.into()))
}

/// An IPv6 address, which must stand in one piece.
pub(crate) fn ipv6(input: Input<'_>) -> Parsed<'_, Ipv6Addr> {
    let length = input
        .iter()
        .position(|byte| !(is_name_byte(*byte) || matches!(byte, b':' | b'.')))
        .unwrap_or(input.len());
    let (text, rest) = input.split_at(length);
    match std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()) {
        Some(address) => trivia(rest).map(|(rest, ())| (rest, address)),
        None => expected(input, Expected::Ipv6Address),
    }
}

/// An address or the name of one, as dhcpd tells them apart: a number followed by a dot and
/// another number begins an address.
pub(crate) fn address_or_name(input: Input<'_>) -> Parsed<'_, FixedAddress<'_>> {
    if starts_ipv4(input) {
        return ipv4(input).map(|(rest, address)| (rest, FixedAddress::Ip(address.into())));
    }
    match dotted_name(input) {
        Ok((rest, name)) => Ok((rest, FixedAddress::Name(joined(name)))),
        Err(_) => expected(input, Expected::AddressOrName),
    }
}

fn starts_ipv4(input: Input<'_>) -> bool {
    let number = |input| {
        word(input).ok().filter(|(_, word): &(_, &[u8])| WordClass::of(word) == WordClass::Number)
    };
    let Some((rest, _)) = number(input) else { return false };
    let Some(rest) = rest.strip_prefix(b".") else { return false };
    trivia(rest).is_ok_and(|(rest, ())| number(rest).is_some())
}

/// Whether a dotted name has no blanks and comments inside it.
pub(crate) fn is_plain(name: &[u8]) -> bool {
    name.iter().all(|byte| is_name_byte(*byte) || *byte == b'.')
}

/// A dotted name without the blanks and comments inside it.
pub(crate) fn joined(name: &[u8]) -> Cow<'_, str> {
    if is_plain(name) {
        return String::from_utf8_lossy(name);
    }
    let mut text = String::with_capacity(name.len());
    let mut rest = name;
    while let [first, behind @ ..] = rest {
        if is_name_byte(*first) || *first == b'.' {
            text.push(char::from(*first));
            rest = behind;
        } else {
            // Only blanks and comments stand between the parts of a name.
            rest = trivia(rest)
                .ok()
                .map(|(next, ())| next)
                .filter(|next| next.len() < rest.len())
                .unwrap_or(behind);
        }
    }
    Cow::Owned(text)
}

/// One address of a `fixed-address` statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FixedAddress<'d> {
    /// An address.
    Ip(IpAddr),
    /// A host name, which the server resolves; this crate does not.
    Name(Cow<'d, str>),
}

/// A quoted string or octets: what identifiers and opaque options hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Identifier<'d> {
    /// A quoted string, decoded. `"ff:00"` is five characters, not two octets.
    Text(Cow<'d, [u8]>),
    /// Octets, as `ff:00:1a`.
    Octets(Vec<u8>),
    /// An expression that a client's packet decides, as written.
    Expression(&'d [u8]),
}

/// A quoted string or octets.
pub(crate) fn string_or_octets(input: Input<'_>) -> Parsed<'_, ()> {
    if at(input, b'"') {
        return string(input).map(|(rest, _)| (rest, ()));
    }
    match octets(input) {
        Err(nom::Err::Error(fault))
            if fault.at.len() == input.len() && fault.expected[0].is_some() =>
        {
            expected(input, Expected::StringOrOctets)
        }
        other => other,
    }
}

/// A quoted string or one bare word.
pub(crate) fn string_or_identifier(input: Input<'_>) -> Parsed<'_, ()> {
    if at(input, b'"') {
        return string(input).map(|(rest, _)| (rest, ()));
    }
    match identifier(input) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(nom::Err::Error(fault)) if fault.expected[0].is_none() => Err(nom::Err::Error(fault)),
        Err(_) => expected(input, Expected::StringOrName),
    }
}

/// A quoted string or a dotted name.
pub(crate) fn string_or_dotted_name(input: Input<'_>) -> Parsed<'_, ()> {
    if at(input, b'"') {
        let (rest, Quoted(_)) = string(input)?;
        return Ok((rest, ()));
    }
    match dotted_name(input) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(_) => expected(input, Expected::StringOrName),
    }
}
