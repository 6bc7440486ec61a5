//! Operands of expressions: values, functions, variables.

use crate::error::ParseErrorKind;
use crate::expected::Expected;
use crate::expression::{Context, Kind, expression, option_name, parenthesized, untyped};
use crate::fault::Fault;
use crate::lex::{
    Input, Parsed, WordClass, at, expected, identifier, punctuation, string, trivia, word,
};
use crate::reserved::is_reserved;
use crate::value::{decimal, octets};

/// An operand, with what it gives.
pub(crate) fn operand(input: Input<'_>, context: Context, depth: usize) -> Parsed<'_, Kind> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(nom::Err::Failure(Fault::new(input, ParseErrorKind::TooDeep)));
    };
    match input {
        [b'"', ..] => string(input).map(|(rest, _)| (rest, Kind::Data)),
        [b'(', ..] => {
            let mut kind = Kind::Any;
            let (rest, ()) = parenthesized(input, |inner| {
                let (rest, found) = untyped(inner, context, depth)?;
                kind = found;
                Ok((rest, ()))
            })?;
            Ok((rest, kind))
        }
        _ => match word(input) {
            Ok((rest, name)) => named(input, rest, name, context, depth),
            Err(nom::Err::Error(fault)) if fault.kind == ParseErrorKind::Unexpected => {
                expected(input, context.name())
            }
            Err(other) => Err(other),
        },
    }
}

/// An operand that begins with the word `name`; `rest` is what follows it.
fn named<'a>(
    input: Input<'a>,
    rest: Input<'a>,
    name: &'a [u8],
    context: Context,
    depth: usize,
) -> Parsed<'a, Kind> {
    use Argument::{Data, Number, Text, Width};
    match WordClass::of(name) {
        WordClass::Number if context.takes_numbers() => return Ok((rest, Kind::Number)),
        WordClass::Number | WordClass::NumberOrName => {
            return octets(input).map(|(rest, ())| (rest, Kind::Data));
        }
        WordClass::Name => {}
    }
    let call = |list: &[Argument], more| arguments(rest, list, more, depth);
    let mut lower = [0; 24];
    let lower = match lower.get_mut(..name.len()) {
        Some(lower) => {
            lower.copy_from_slice(name);
            lower.make_ascii_lowercase();
            &*lower
        }
        None => &[][..],
    };
    Ok(match lower {
        b"not" => {
            let (end, found) = operand(rest, Context::Of(Kind::Condition), depth)?;
            // Not even a variable: its kind is not known.
            if found != Kind::Condition {
                return expected(rest, Expected::Condition);
            }
            (end, Kind::Condition)
        }
        b"exists" => (option_name(rest)?.0, Kind::Condition),
        b"known" | b"static" => (rest, Kind::Condition),
        b"check" => (string(rest)?.0, Kind::Condition),
        b"defined" => (parenthesized(rest, |i| variable(i).map(|r| (r, ())))?.0, Kind::Condition),
        b"option" | b"config-option" => (option_name(rest)?.0, Kind::Data),
        b"hardware" | b"leased-address" | b"host-decl-name" | b"filename" | b"server-name"
        | b"null" => (rest, Kind::Data),
        b"substring" => (call(&[Data, Number, Number], false)?, Kind::Data),
        b"suffix" => (call(&[Data, Number], false)?, Kind::Data),
        b"lcase" | b"ucase" => (call(&[Data], false)?, Kind::Data),
        b"concat" => (call(&[Data, Data], true)?, Kind::Data),
        b"pick-first-value" | b"pick" => (call(&[Data], true)?, Kind::Data),
        b"binary-to-ascii" => (call(&[Number, Number, Data, Data], false)?, Kind::Data),
        b"reverse" | b"v6relay" => (call(&[Number, Data], false)?, Kind::Data),
        b"packet" => (call(&[Number, Number], false)?, Kind::Data),
        b"encode-int" => (call(&[Number, Width], false)?, Kind::Data),
        b"extract-int" => (call(&[Data, Width], false)?, Kind::Number),
        b"gethostname" => (call(&[], false)?, Kind::Data),
        b"gethostbyname" => (call(&[Text], false)?, Kind::Data),
        b"lease-time" | b"client-state" => (rest, Kind::Number),
        _ if is_constant(lower) => (rest, Kind::Number),
        _ if is_reserved(name) => return expected(input, context.name()),
        _ if at(rest, b'(') => (arguments(rest, &[Argument::Any], true, depth)?, Kind::Any),
        _ => (rest, Kind::Any),
    })
}

/// The name of a variable or function: a word that the server does not keep for itself.
pub(crate) fn variable(input: Input<'_>) -> Result<Input<'_>, nom::Err<Fault<'_>>> {
    let (rest, name) = identifier(input)?;
    if is_reserved(name) {
        return Err(nom::Err::Error(Fault::expected(input, Expected::Name)));
    }
    Ok(rest)
}

/// DNS result codes and client states, which stand for numbers.
fn is_constant(word: &[u8]) -> bool {
    const WORDS: [&str; 18] = [
        "noerror", "formerr", "servfail", "nxdomain", "notimp", "refused", "yxdomain", "yxrrset",
        "nxrrset", "notauth", "notzone", "booting", "reboot", "select", "request", "bound",
        "renew", "rebind",
    ];
    WORDS.iter().any(|known| known.as_bytes() == word)
}

/// The width of an integer in bits.
pub(crate) fn width(input: Input<'_>) -> Parsed<'_, u8> {
    const WIDTHS: Expected = Expected::OneOf("`8`, `16` and `32`");
    match decimal(input, u64::MAX) {
        Ok((rest, 8)) => Ok((rest, 8)),
        Ok((rest, 16)) => Ok((rest, 16)),
        Ok((rest, 32)) => Ok((rest, 32)),
        _ => expected(input, WIDTHS),
    }
}

/// What a function takes at one place.
#[derive(Clone, Copy)]
enum Argument {
    Data,
    Number,
    /// The width of an integer in bits.
    Width,
    Text,
    Any,
}

/// Arguments in parentheses, one for each of `list`; with `more`, the last may repeat.
fn arguments<'a>(
    input: Input<'a>,
    list: &[Argument],
    more: bool,
    depth: usize,
) -> Result<Input<'a>, nom::Err<Fault<'a>>> {
    let argument = |input: Input<'a>, kind| match kind {
        Argument::Data => expression(input, Kind::Data, depth),
        Argument::Number => expression(input, Kind::Number, depth),
        Argument::Any => expression(input, Kind::Any, depth),
        Argument::Width => width(input).map(|(rest, _)| (rest, ())),
        Argument::Text => string(input).map(|(rest, _)| (rest, ())),
    };
    let (rest, ()) = parenthesized(input, |mut rest| {
        for (index, kind) in list.iter().enumerate() {
            if index > 0 {
                (rest, ()) = punctuation(b',', Expected::Comma)(rest)?;
            }
            (rest, ()) = argument(rest, *kind)?;
        }
        while let Some(kind) = list.last().filter(|_| more && at(rest, b',')) {
            (rest, ()) = trivia(&rest[1..])?;
            (rest, ()) = argument(rest, *kind)?;
        }
        Ok((rest, ()))
    })?;
    Ok(rest)
}
