//! Expressions of dhcp-eval(5).
//!
//! Only their grammar and their kinds (condition, bytes, number) matter here: an expression is
//! never evaluated. Operators bind as dhcpd 4.4.3 has them, tightest first: `& | ^`, then the
//! comparisons, then `and` and `or` on one level, then `+`, then `* / %`.

use crate::expected::Expected;
use crate::fault::Fault;
use crate::lex::{
    Input, Parsed, WordClass, at, at_keyword, expected, identifier, punctuation, string, trivia,
    word,
};
use crate::value::octets;

/// The kinds an expression can be of, as a set: a variable can be anything, and a number is also
/// one octet of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind(u8);

impl Kind {
    pub(crate) const CONDITION: Self = Self(1);
    pub(crate) const DATA: Self = Self(2);
    pub(crate) const NUMBER: Self = Self(4);
    const DATA_OR_NUMBER: Self = Self(6);
    pub(crate) const ANY: Self = Self(7);

    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn shared(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn name(self) -> Expected {
        match self {
            Self::CONDITION => Expected::Condition,
            Self::DATA => Expected::Data,
            Self::NUMBER => Expected::NumericExpression,
            _ => Expected::Expression,
        }
    }
}

/// An expression of `kind`, nested at most `depth` deep.
pub(crate) fn expression(input: Input<'_>, kind: Kind, depth: usize) -> Parsed<'_, ()> {
    let (rest, found) = binary(input, kind, LOOSEST, depth)?;
    if found.meets(kind) { Ok((rest, ())) } else { expected(input, kind.name()) }
}

/// A condition. A parenthesis right behind `if` wraps the whole of it, so
/// `if (A) or (B)` is an error while `if ((A) or (B))` is not.
pub(crate) fn if_condition(input: Input<'_>, depth: usize) -> Parsed<'_, ()> {
    if !at(input, b'(') {
        return expression(input, Kind::CONDITION, depth);
    }
    parenthesized(input, |inner| expression(inner, Kind::CONDITION, depth))
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Precedence(u8);

const LOOSEST: Precedence = Precedence(0);

struct Operator {
    precedence: Precedence,
    /// What both sides have to be.
    operands: Kind,
    result: Kind,
}

/// The operator that comes next, if one does, and what follows it.
fn operator(input: Input<'_>) -> Option<(Input<'_>, Operator)> {
    let spaced = |input| trivia(input).map_or(input, |(rest, ())| rest);
    let two = |second: &[u8]| {
        let rest = spaced(&input[1..]);
        rest.first().filter(|byte| second.contains(byte)).map(|_| spaced(&rest[1..]))
    };
    let (rest, level, operands, result) = match input.first()? {
        b'&' | b'|' | b'^' => (spaced(&input[1..]), 4, Kind::NUMBER, Kind::NUMBER),
        b'=' => (spaced(&input[1..]), 3, Kind::DATA_OR_NUMBER, Kind::CONDITION),
        b'!' => (two(b"=")?, 3, Kind::DATA_OR_NUMBER, Kind::CONDITION),
        b'~' => (two(b"=~")?, 3, Kind::DATA_OR_NUMBER, Kind::CONDITION),
        b'+' => (spaced(&input[1..]), 1, Kind::NUMBER, Kind::NUMBER),
        b'*' | b'/' | b'%' => (spaced(&input[1..]), 0, Kind::NUMBER, Kind::NUMBER),
        _ if at_keyword(input, "and") => (spaced(&input[3..]), 2, Kind::CONDITION, Kind::CONDITION),
        _ if at_keyword(input, "or") => (spaced(&input[2..]), 2, Kind::CONDITION, Kind::CONDITION),
        _ => return None,
    };
    Some((rest, Operator { precedence: Precedence(level), operands, result }))
}

/// Operands joined by operators that bind at least as tightly as `loosest`. Recursion here goes
/// only as deep as there are levels of precedence.
fn binary(input: Input<'_>, wanted: Kind, loosest: Precedence, depth: usize) -> Parsed<'_, Kind> {
    let (mut rest, mut left) = unary(input, wanted, depth)?;
    while let Some((behind, operator)) = operator(rest) {
        if operator.precedence < loosest {
            break;
        }
        let next = Precedence(operator.precedence.0 + 1);
        let (end, right) = binary(behind, operator.operands, next, depth)?;
        if !left.meets(operator.operands) {
            return expected(input, operator.operands.name());
        }
        if !left.shared(operator.operands).meets(right) {
            return expected(behind, left.shared(operator.operands).name());
        }
        left = operator.result;
        rest = end;
    }
    Ok((rest, left))
}

fn unary(input: Input<'_>, wanted: Kind, depth: usize) -> Parsed<'_, Kind> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(nom::Err::Failure(Fault::new(input, crate::error::ParseErrorKind::TooDeep)));
    };
    match input {
        [b'"', ..] => string(input).map(|(rest, _)| (rest, Kind::DATA)),
        [b'(', ..] => {
            let mut kind = Kind::ANY;
            let (rest, ()) = parenthesized(input, |inner| {
                let (rest, found) = binary(inner, wanted, LOOSEST, depth)?;
                kind = found;
                Ok((rest, ()))
            })?;
            Ok((rest, kind))
        }
        _ => match word(input) {
            Ok((rest, name)) => named(input, rest, name, wanted, depth),
            Err(nom::Err::Error(fault))
                if fault.kind == crate::error::ParseErrorKind::Unexpected =>
            {
                expected(input, wanted.name())
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
    wanted: Kind,
    depth: usize,
) -> Parsed<'a, Kind> {
    use Argument::{Any, Data, Number, Text, Width};
    let call = |list: &[Argument], more| arguments(rest, list, more, depth);
    match WordClass::of(name) {
        WordClass::Number if at(rest, b':') => return octets(input).map(|(r, ())| (r, Kind::DATA)),
        WordClass::Number => {
            if crate::value::number(input, 32).is_ok() {
                return Ok((rest, Kind::DATA_OR_NUMBER));
            }
            return octets(input).map(|(rest, ())| (rest, Kind::DATA));
        }
        WordClass::NumberOrName => {
            let hexadecimal = name.len() > 2 && name[1].eq_ignore_ascii_case(&b'x');
            if hexadecimal && wanted.meets(Kind::NUMBER) {
                return Ok((rest, Kind::NUMBER));
            }
            return octets(input).map(|(rest, ())| (rest, Kind::DATA));
        }
        WordClass::Name => {}
    }
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
            let (end, found) = unary(rest, Kind::CONDITION, depth)?;
            if !found.meets(Kind::CONDITION) {
                return expected(rest, Expected::Condition);
            }
            (end, Kind::CONDITION)
        }
        b"exists" => (option_name(rest)?.0, Kind::CONDITION),
        b"known" | b"static" => (rest, Kind::CONDITION),
        b"check" => (string(rest)?.0, Kind::CONDITION),
        b"defined" => {
            (parenthesized(rest, |i| identifier(i).map(|(r, _)| (r, ())))?.0, Kind::CONDITION)
        }
        b"option" | b"config-option" => (option_name(rest)?.0, Kind::DATA),
        b"hardware" | b"leased-address" | b"host-decl-name" | b"filename" | b"server-name"
        | b"null" => (rest, Kind::DATA),
        b"substring" => (call(&[Data, Number, Number], false)?, Kind::DATA),
        b"suffix" => (call(&[Data, Number], false)?, Kind::DATA),
        b"lcase" | b"ucase" => (call(&[Data], false)?, Kind::DATA),
        b"concat" => (call(&[Data, Data], true)?, Kind::DATA),
        b"pick-first-value" | b"pick" => (call(&[Data], true)?, Kind::DATA),
        b"binary-to-ascii" => (call(&[Number, Number, Data, Data], false)?, Kind::DATA),
        b"reverse" | b"v6relay" => (call(&[Number, Data], false)?, Kind::DATA),
        b"packet" => (call(&[Number, Number], false)?, Kind::DATA),
        b"encode-int" => (call(&[Number, Width], false)?, Kind::DATA),
        b"extract-int" => (call(&[Data, Width], false)?, Kind::NUMBER),
        b"gethostname" => (call(&[], false)?, Kind::DATA),
        b"gethostbyname" => (call(&[Text], false)?, Kind::DATA),
        b"lease-time" | b"client-state" => (rest, Kind::NUMBER),
        _ if is_constant(lower) => (rest, Kind::NUMBER),
        _ if is_operator_word(lower) => return expected(input, wanted.name()),
        _ if at(rest, b'(') => (call(&[Any], true)?, Kind::ANY),
        _ => (rest, Kind::ANY),
    })
}

/// DNS result codes and client states, which stand for numbers.
fn is_constant(word: &[u8]) -> bool {
    const WORDS: [&str; 25] = [
        "noerror",
        "formerr",
        "servfail",
        "nxdomain",
        "notimp",
        "refused",
        "yxdomain",
        "yxrrset",
        "nxrrset",
        "notauth",
        "notzone",
        "booting",
        "reboot",
        "select",
        "request",
        "bound",
        "renew",
        "rebind",
        "init",
        "ns-formerr",
        "ns-noerror",
        "ns-notauth",
        "ns-notimp",
        "ns-notzone",
        "ns-nxdomain",
    ];
    WORDS.iter().any(|known| known.as_bytes() == word)
}

fn is_operator_word(word: &[u8]) -> bool {
    matches!(word, b"and" | b"or" | b"of" | b"if" | b"else" | b"elsif")
}

fn width(input: Input<'_>) -> Parsed<'_, ()> {
    match word(input) {
        Ok((rest, b"8" | b"16" | b"32")) => Ok((rest, ())),
        _ => expected(input, Expected::OneOf("`8`, `16` and `32`")),
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
        Argument::Data => expression(input, Kind::DATA, depth),
        Argument::Number => expression(input, Kind::NUMBER, depth),
        Argument::Any => expression(input, Kind::ANY, depth),
        Argument::Width => width(input),
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

fn parenthesized<'a>(
    input: Input<'a>,
    inner: impl FnOnce(Input<'a>) -> Parsed<'a, ()>,
) -> Parsed<'a, ()> {
    let (rest, ()) = punctuation(b'(', Expected::OpenParenthesis)(input)?;
    let (rest, ()) = inner(rest)?;
    punctuation(b')', Expected::CloseParenthesis)(rest)
}

/// `NAME` or `SPACE.NAME`: the result ends with the name's last byte.
pub(crate) fn option_name(input: Input<'_>) -> Parsed<'_, &[u8]> {
    let (mut rest, first) = identifier(input)?;
    let mut length = first.len();
    if at(rest, b'.') {
        let (name, ()) = trivia(&rest[1..])?;
        let (end, second) = identifier(name)?;
        length = input.len() - name.len() + second.len();
        rest = end;
    }
    Ok((rest, &input[..length]))
}

/// The arguments of `log`, `execute` or a function call.
pub(crate) fn call(input: Input<'_>, depth: usize) -> Parsed<'_, ()> {
    arguments(input, &[Argument::Any], true, depth).map(|rest| (rest, ()))
}

/// `log ( [PRIORITY,] DATA )`
pub(crate) fn log(input: Input<'_>, depth: usize) -> Parsed<'_, ()> {
    parenthesized(input, |input| {
        let rest = match word(input) {
            Ok((rest, word)) if is_priority(word) => punctuation(b',', Expected::Comma)(rest)?.0,
            _ => input,
        };
        expression(rest, Kind::DATA, depth)
    })
}

fn is_priority(word: &[u8]) -> bool {
    ["fatal", "error", "debug", "info"].iter().any(|p| word.eq_ignore_ascii_case(p.as_bytes()))
}

/// `execute ( STRING {, DATA} )`
pub(crate) fn execute(input: Input<'_>, depth: usize) -> Parsed<'_, ()> {
    parenthesized(input, |input| {
        let (mut rest, _) = string(input)?;
        while at(rest, b',') {
            (rest, ()) = trivia(&rest[1..])?;
            (rest, ()) = expression(rest, Kind::DATA, depth)?;
        }
        Ok((rest, ()))
    })
}
