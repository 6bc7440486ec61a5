//! Types of options and parameters, and the values each of them takes.

use std::borrow::Cow;

use crate::expected::Expected;
use crate::lex::{
    Input, Parsed, at, at_keyword, comma_list, dotted_name, expected, identifier, is_name_byte,
    punctuation, string, trivia, word,
};
use crate::operand::width;
use crate::text::unescape;
use crate::value::{
    address_or_name, ipv6, joined, number, string_or_dotted_name, string_or_identifier,
    string_or_octets,
};

/// The type of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    /// An IPv4 address or a host name.
    Address,
    Address6,
    /// A quoted string or one bare word.
    Text,
    /// A quoted string or octets.
    Octets,
    Flag,
    /// An integer of so many bits.
    Integer(u8),
    /// A number of seconds, or `infinite`.
    Time,
    /// A bare dotted name.
    Domain,
    /// Quoted domain names, separated by commas.
    Domains,
    /// One of a few words, told apart by case; the second is their list for messages.
    OneOf(&'static [&'static str], &'static str),
    /// One bare word.
    Word,
    /// A quoted string or a dotted name.
    Key,
    /// A quoted string, one bare word, or nothing.
    OptionalText,
    /// No value at all.
    Empty,
    /// No value can be written.
    Nothing,
    /// The type is defined elsewhere: anything that has the shape of a value.
    Any,
}

/// One item of a format, perhaps an array of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) item: Item,
    pub(crate) array: bool,
}

/// What a value consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) fields: Cow<'static, [Field]>,
    /// The whole record may repeat after a comma.
    pub(crate) repeat: bool,
}

impl Format {
    pub(crate) const fn of(fields: &'static [Field]) -> Self {
        Self { fields: Cow::Borrowed(fields), repeat: false }
    }

    pub(crate) const fn repeated(fields: &'static [Field]) -> Self {
        Self { fields: Cow::Borrowed(fields), repeat: true }
    }

    /// Whether the value may go on with a comma where it ends.
    pub(crate) fn may_continue(&self) -> bool {
        self.repeat || self.fields.last().is_some_and(|field| field.array)
    }
}

/// For options that are defined in no file read so far.
pub(crate) static ANY: Format = Format::of(&[one(Item::Any)]);

/// For options that have a number and no name.
pub(crate) static OCTETS: Format = Format::of(&[one(Item::Octets)]);

pub(crate) const fn one(item: Item) -> Field {
    Field { item, array: false }
}

/// A value of `format`.
pub(crate) fn value<'a>(input: Input<'a>, format: &Format) -> Parsed<'a, ()> {
    let mut rest = input;
    loop {
        for field in &*format.fields {
            (rest, ()) = if field.array {
                comma_list(|input| item(input, field.item))(rest)?
            } else {
                item(rest, field.item)?
            };
        }
        if !(format.repeat && at(rest, b',')) {
            return Ok((rest, ()));
        }
        (rest, ()) = trivia(&rest[1..])?;
    }
}

fn item(input: Input<'_>, item: Item) -> Parsed<'_, ()> {
    match item {
        Item::Address => address_or_name(input).map(|(rest, _)| (rest, ())),
        Item::Address6 => ipv6(input).map(|(rest, _)| (rest, ())),
        Item::OptionalText if at(input, b';') => Ok((input, ())),
        Item::Text | Item::OptionalText => string_or_identifier(input),
        Item::Octets => string_or_octets(input),
        Item::Flag => flag(input),
        Item::Integer(bits) => number(input, bits),
        Item::Time => match word(input) {
            Ok((rest, word)) if word.eq_ignore_ascii_case(b"infinite") => Ok((rest, ())),
            _ => number(input, 32),
        },
        Item::Domain => match dotted_name(input)? {
            (rest, name) if is_domain(joined(name).as_bytes()) => Ok((rest, ())),
            _ => expected(input, Expected::DomainName),
        },
        Item::Domains => comma_list(|input| match string(input)? {
            (rest, name) if is_domain(&unescape(name.0)) => Ok((rest, ())),
            _ => expected(input, Expected::DomainName),
        })(input),
        Item::OneOf(words, list) => match word(input) {
            Ok((rest, word)) if words.iter().any(|known| known.as_bytes() == word) => {
                Ok((rest, ()))
            }
            _ => expected(input, Expected::OneOf(list)),
        },
        Item::Word => identifier(input).map(|(rest, _)| (rest, ())),
        Item::Key => string_or_dotted_name(input),
        Item::Nothing => expected(input, Expected::Equals),
        Item::Empty => Ok((input, ())),
        Item::Any => loose(input),
    }
}

/// Whether `name` is a domain name: labels of 1 to 63 bytes, 255 bytes in all with their lengths.
/// A backslash takes the meaning from a dot, or stands before three digits (RFC 1035, 5.1).
fn is_domain(name: &[u8]) -> bool {
    if matches!(name, b"" | b".") {
        return true;
    }
    let (mut total, mut label) = (1, 0);
    let mut rest = name.strip_suffix(b".").filter(|rest| !rest.ends_with(b"\\")).unwrap_or(name);
    loop {
        rest = match rest {
            [] | [b'.', ..] => {
                if !(1..=63).contains(&label) {
                    return false;
                }
                total += label + 1;
                label = 0;
                match rest {
                    [_, behind @ ..] => behind,
                    [] => return total <= 255,
                }
            }
            [b'\\', digits @ ..] if digits.first().is_some_and(u8::is_ascii_digit) => {
                let Some((number, behind)) = digits.split_at_checked(3) else { return false };
                let number = std::str::from_utf8(number).ok().and_then(|it| it.parse::<u8>().ok());
                if number.is_none() {
                    return false;
                }
                label += 1;
                behind
            }
            [b'\\', _, behind @ ..] | [_, behind @ ..] => {
                label += 1;
                behind
            }
        };
    }
}

fn flag(input: Input<'_>) -> Parsed<'_, ()> {
    const WORDS: [&str; 5] = ["true", "on", "false", "off", "ignore"];
    match word(input) {
        Ok((rest, word))
            if WORDS.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes())) =>
        {
            Ok((rest, ()))
        }
        _ => expected(input, Expected::Flag),
    }
}

/// Words, strings and the punctuation of addresses and lists, up to the semicolon.
fn loose(input: Input<'_>) -> Parsed<'_, ()> {
    let mut rest = input;
    loop {
        rest = match rest {
            [b'"', ..] => string(rest)?.0,
            [byte, ..] if is_name_byte(*byte) => word(rest)?.0,
            [byte @ (b'.' | b':' | b',' | b'/'), ..] => {
                punctuation(*byte, Expected::Value)(rest)?.0
            }
            [b';', ..] => return Ok((rest, ())),
            _ if rest.len() < input.len() => return Ok((rest, ())),
            _ => return expected(rest, Expected::Value),
        };
    }
}

/// The type in an option definition, behind `=`.
pub(crate) fn definition(input: Input<'_>) -> Parsed<'_, Format> {
    let (rest, repeat) = array_of(input)?;
    if !at(rest, b'{') {
        let (end, item) = option_type(rest)?;
        // dhcpd has no arrays of types that take all that is left.
        if repeat && ends_record(item) {
            return expected(rest, Expected::OptionType);
        }
        return Ok((
            end,
            Format { fields: Cow::Owned(vec![Field { item, array: repeat }]), repeat: false },
        ));
    }
    let (mut rest, ()) = trivia(&rest[1..])?;
    let mut fields = Vec::new();
    loop {
        let (next, array) = array_of(rest)?;
        let (end, item) = option_type(next)?;
        let encapsulates = at_keyword(next, "encapsulate");
        if repeat && (array || encapsulates) || ends_record(item) && (array || at(end, b',')) {
            return expected(next, Expected::OptionType);
        }
        fields.push(Field { item, array });
        if !at(end, b',') {
            let (end, ()) = punctuation(b'}', Expected::CloseBrace)(end)?;
            return Ok((end, Format { fields: Cow::Owned(fields), repeat }));
        }
        (rest, ()) = trivia(&end[1..])?;
    }
}

fn array_of(input: Input<'_>) -> Parsed<'_, bool> {
    match word(input) {
        Ok((rest, word)) if word.eq_ignore_ascii_case(b"array") => {
            crate::lex::keyword("of")(rest).map(|(rest, ())| (rest, true))
        }
        _ => Ok((input, false)),
    }
}

/// Types whose value has no end of its own: they stand last in a record and never in an array.
fn ends_record(item: Item) -> bool {
    matches!(item, Item::Text | Item::Octets | Item::Domain | Item::Domains | Item::Empty)
}

fn option_type(input: Input<'_>) -> Parsed<'_, Item> {
    let Ok((rest, name)) = word(input) else { return expected(input, Expected::OptionType) };
    let name = name.to_ascii_lowercase();
    Ok(match name.as_slice() {
        b"boolean" => (rest, Item::Flag),
        b"integer" => integer(rest)?,
        b"signed" | b"unsigned" => integer(crate::lex::keyword("integer")(rest)?.0)?,
        b"ip-address" => (rest, Item::Address),
        b"ip6-address" => (rest, Item::Address6),
        b"text" => (rest, Item::Text),
        b"string" => (rest, Item::Octets),
        b"domain-name" => (rest, Item::Domain),
        b"domain-list" => match word(rest) {
            Ok((after, word)) if word.eq_ignore_ascii_case(b"compressed") => (after, Item::Domains),
            _ => (rest, Item::Domains),
        },
        b"zerolen" => (rest, Item::Empty),
        b"encapsulate" => (identifier(rest)?.0, Item::Octets),
        _ => return expected(input, Expected::OptionType),
    })
}

fn integer(input: Input<'_>) -> Parsed<'_, Item> {
    width(input).map(|(rest, bits)| (rest, Item::Integer(bits)))
}
