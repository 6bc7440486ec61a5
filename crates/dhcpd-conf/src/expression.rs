//! Expressions of dhcp-eval(5): operators and what they join.
//!
//! Only their grammar and their kinds (condition, bytes, number) matter here: an expression is
//! never evaluated. Operators bind as dhcpd 4.4.3 has them, tightest first: `& | ^`, then the
//! comparisons, then `and` and `or` on one level, then `+`, then `* / %`. Once an operator binds
//! more tightly than the one before it, all that follows belongs to its right side.

use crate::error::ParseErrorKind;
use crate::expected::Expected;
use crate::fault::Fault;
use crate::lex::{
    Input, Parsed, at, at_keyword, expected, identifier, punctuation, string, trivia, word,
};
use crate::operand::operand;

/// What an expression gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Condition,
    Data,
    Number,
    /// A variable or the result of a function: it shows when the server runs it.
    Any,
}

impl Kind {
    /// Whether it can stand where `wanted` has to.
    fn meets(self, wanted: Self) -> bool {
        self == wanted || self == Self::Any || wanted == Self::Any
    }

    pub(crate) fn name(self) -> Expected {
        match self {
            Self::Condition => Expected::Condition,
            Self::Data => Expected::Data,
            Self::Number => Expected::NumericExpression,
            Self::Any => Expected::Expression,
        }
    }
}

/// What an expression stands for. A bare number is a number only where one is wanted, and one
/// octet of data elsewhere; behind an operator what stands before it decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    Of(Kind),
    DataOrNumber,
}

impl Context {
    pub(crate) fn takes_numbers(self) -> bool {
        matches!(self, Self::Of(Kind::Number) | Self::DataOrNumber)
    }

    pub(crate) fn name(self) -> Expected {
        match self {
            Self::Of(kind) => kind.name(),
            Self::DataOrNumber => Expected::Expression,
        }
    }
}

/// An expression that gives `kind`, nested at most `depth` deep.
pub(crate) fn expression(input: Input<'_>, kind: Kind, depth: usize) -> Parsed<'_, ()> {
    let (rest, found) = untyped(input, Context::Of(kind), depth)?;
    if found.meets(kind) { Ok((rest, ())) } else { expected(input, kind.name()) }
}

/// A condition. A parenthesis right behind `if` wraps the whole of it, so
/// `if (A) or (B)` is an error while `if ((A) or (B))` is not.
pub(crate) fn if_condition(input: Input<'_>, depth: usize) -> Parsed<'_, ()> {
    if !at(input, b'(') {
        return expression(input, Kind::Condition, depth);
    }
    parenthesized(input, |inner| expression(inner, Kind::Condition, depth))
}

/// An expression of any kind, which it tells.
pub(crate) fn untyped(input: Input<'_>, context: Context, depth: usize) -> Parsed<'_, Kind> {
    // Left sides whose right side is still being read: each operator binds less tightly than the
    // next one's.
    let mut waiting = Vec::new();
    let mut left: Option<(Kind, Operator)> = None;
    let mut context = context;
    let mut start = input;
    loop {
        let (rest, mut right) = operand(start, context, depth)?;
        let next = operator(rest)?;
        if next.is_some() {
            context = Context::Of(right);
        }
        match (left, next) {
            (None, None) => return Ok((rest, right)),
            (None, Some((behind, operator))) => {
                left = Some((right, operator));
                start = behind;
            }
            (Some(outer), Some((behind, operator)))
                if operator.precedence() > outer.1.precedence() =>
            {
                waiting.push(outer);
                context = Context::Of(operator.context());
                left = Some((right, operator));
                start = behind;
            }
            (Some((kind, operator)), Some((behind, next))) => {
                right = joined(start, kind, operator, right)?;
                left = Some((right, next));
                start = behind;
            }
            (Some((kind, operator)), None) => {
                right = joined(start, kind, operator, right)?;
                while let Some((kind, operator)) = waiting.pop() {
                    right = joined(start, kind, operator, right)?;
                }
                return Ok((rest, right));
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Bits,
    Equality,
    /// `~=`, which wants data and no variable.
    Regex,
    /// `~~`, whose right side nobody looks at.
    RegexAnyCase,
    Logic,
    Sum,
    Product,
}

impl Operator {
    fn precedence(self) -> u8 {
        match self {
            Self::Bits => 4,
            Self::Equality | Self::Regex | Self::RegexAnyCase => 3,
            Self::Logic => 2,
            Self::Sum => 1,
            Self::Product => 0,
        }
    }

    /// What a right side of its own is read as.
    fn context(self) -> Kind {
        match self {
            Self::Equality | Self::Regex | Self::RegexAnyCase => Kind::Data,
            Self::Logic => Kind::Condition,
            Self::Bits | Self::Sum | Self::Product => Kind::Number,
        }
    }
}

/// The operator that comes next, if one does, and what follows it.
fn operator(input: Input<'_>) -> Result<Option<(Input<'_>, Operator)>, nom::Err<Fault<'_>>> {
    let spaced = |input| trivia(input).map_or(input, |(rest, ())| rest);
    // The second byte of an operator; blanks may stand before it.
    let second = |bytes: &[u8]| {
        let rest = spaced(&input[1..]);
        match rest.first() {
            Some(byte) if bytes.contains(byte) => Ok((&rest[1..], *byte)),
            _ => Err(nom::Err::Error(Fault::expected(rest, Expected::Equals))),
        }
    };
    let (rest, operator) = match input.first() {
        Some(b'&' | b'|' | b'^') => (&input[1..], Operator::Bits),
        Some(b'=') => (&input[1..], Operator::Equality),
        Some(b'!') => (second(b"=")?.0, Operator::Equality),
        Some(b'~') => match second(b"=~")? {
            (rest, b'=') => (rest, Operator::Regex),
            (rest, _) => (rest, Operator::RegexAnyCase),
        },
        Some(b'+') => (&input[1..], Operator::Sum),
        Some(b'*' | b'/' | b'%') => (&input[1..], Operator::Product),
        Some(_) if at_keyword(input, "and") => (&input[3..], Operator::Logic),
        Some(_) if at_keyword(input, "or") => (&input[2..], Operator::Logic),
        _ => return Ok(None),
    };
    Ok(Some((spaced(rest), operator)))
}

/// What `left OPERATOR right` gives. Both sides have to be of one kind, and the right one of a kind
/// the operator takes; `start` is where the right one begins.
fn joined(
    start: Input<'_>,
    left: Kind,
    operator: Operator,
    right: Kind,
) -> Result<Kind, nom::Err<Fault<'_>>> {
    let wrong = |wanted: Kind| Err(nom::Err::Error(Fault::expected(start, wanted.name())));
    if !left.meets(right) {
        return wrong(left);
    }
    match operator {
        Operator::Equality if right == Kind::Condition => wrong(Kind::Data),
        Operator::Regex if right != Kind::Data => wrong(Kind::Data),
        Operator::Logic if !right.meets(Kind::Condition) => wrong(Kind::Condition),
        Operator::Bits | Operator::Sum | Operator::Product if !right.meets(Kind::Number) => {
            wrong(Kind::Number)
        }
        Operator::Equality | Operator::Regex | Operator::RegexAnyCase | Operator::Logic => {
            Ok(Kind::Condition)
        }
        Operator::Bits | Operator::Sum | Operator::Product => Ok(Kind::Number),
    }
}

pub(crate) fn parenthesized<'a>(
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

/// An expression as a statement of its own; `input` begins with `name`.
pub(crate) fn alone<'a>(input: Input<'a>, name: &[u8], depth: usize) -> Parsed<'a, ()> {
    let end = match untyped(input, Context::Of(Kind::Data), depth) {
        Ok((end, _)) => end,
        Err(error) => {
            // The mistake is in a call's arguments, or the word is none the server knows.
            let behind = trivia(&input[name.len()..])?.0;
            return if at(behind, b'(') { Err(error) } else { unknown(input) };
        }
    };
    let called = trivia(&input[name.len()..]).is_ok_and(|(rest, ())| at(rest, b'('));
    if called || at(end, b';') { Ok((end, ())) } else { unknown(input) }
}

fn unknown<T>(input: Input<'_>) -> Parsed<'_, T> {
    Err(nom::Err::Error(Fault::new(input, ParseErrorKind::UnknownStatement)))
}

/// `log ( [PRIORITY,] DATA )`
pub(crate) fn log(input: Input<'_>, depth: usize) -> Parsed<'_, ()> {
    parenthesized(input, |input| {
        let rest = match word(input) {
            Ok((rest, word)) if is_priority(word) => punctuation(b',', Expected::Comma)(rest)?.0,
            _ => input,
        };
        expression(rest, Kind::Data, depth)
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
            (rest, ()) = expression(rest, Kind::Data, depth)?;
        }
        Ok((rest, ()))
    })
}
