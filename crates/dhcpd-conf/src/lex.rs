//! Lexemes of dhcpd.conf as nom parsers on bytes.
//!
//! Every lexeme also takes the blanks and comments behind it, so a parser always stands on the first
//! byte of the next token: the place an error has to point at. What counts as a token follows the
//! lexer of ISC dhcpd 4.4.3, observed through `dhcpd -t`.

use nom::branch::alt;
use nom::bytes::complete::{take_till, take_while, take_while1};
use nom::combinator::{recognize, verify};
use nom::multi::many0_count;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use crate::expected::Expected;
use crate::fault::Fault;

/// What is left of the source.
pub(crate) type Input<'a> = &'a [u8];
pub(crate) type Parsed<'a, T> = IResult<Input<'a>, T, Fault<'a>>;

/// The longest name or string dhcpd reads: its token buffer holds 1,500 bytes with the final NUL.
const LONGEST_TOKEN: usize = 1_499;

/// Fails at `at`, saying what would have been right there.
pub(crate) fn expected<T>(at: Input<'_>, expected: Expected) -> Parsed<'_, T> {
    Err(nom::Err::Error(Fault::expected(at, expected)))
}

/// Blanks and comments. A comment runs from `#` to the next line feed.
pub(crate) fn trivia(input: Input<'_>) -> Parsed<'_, ()> {
    // Most tokens are followed by one blank or none.
    match input {
        [b' ', next, ..] if !is_trivia_start(*next) => return Ok((&input[1..], ())),
        [next, ..] if !is_trivia_start(*next) => return Ok((input, ())),
        _ => {}
    }
    let comment = recognize((nom::character::complete::char('#'), take_till(|byte| byte == b'\n')));
    many0_count(alt((take_while1(is_blank), comment))).map(|_| ()).parse(input)
}

fn is_trivia_start(byte: u8) -> bool {
    byte == b'#' || is_blank(byte)
}

/// A parser and the trivia behind it.
pub(crate) fn lexeme<'a, T>(
    parser: impl Parser<Input<'a>, Output = T, Error = Fault<'a>>,
) -> impl Parser<Input<'a>, Output = T, Error = Fault<'a>> {
    terminated(parser, trivia)
}

/// One byte of punctuation, named in the error as `expected`.
pub(crate) fn punctuation(byte: u8, name: Expected) -> impl Fn(Input<'_>) -> Parsed<'_, ()> {
    move |input| match input {
        [first, rest @ ..] if *first == byte => trivia(rest),
        _ => expected(input, name),
    }
}

/// Whether the next byte is `byte`.
pub(crate) fn at(input: Input<'_>, byte: u8) -> bool {
    input.first() == Some(&byte)
}

/// A name, number or keyword, as written, without the trivia behind it.
pub(crate) fn bare_word(input: Input<'_>) -> Parsed<'_, &[u8]> {
    let (rest, word) = verify(take_while(is_name_byte), |word: &[u8]| {
        word.first().is_some_and(|first| *first != b'_')
    })
    .parse(input)?;
    if word.len() > LONGEST_TOKEN {
        return Err(nom::Err::Error(Fault::too_long(input)));
    }
    Ok((rest, word))
}

/// A name, number or keyword.
pub(crate) fn word(input: Input<'_>) -> Parsed<'_, &[u8]> {
    lexeme(bare_word).parse(input)
}

/// The word that comes next, if one does.
pub(crate) fn peek_word(input: Input<'_>) -> Option<&[u8]> {
    bare_word(input).ok().map(|(_, word)| word)
}

/// Whether the next word is `keyword`, in any case.
pub(crate) fn at_keyword(input: Input<'_>, keyword: &str) -> bool {
    input.len() >= keyword.len()
        && input[..keyword.len()].eq_ignore_ascii_case(keyword.as_bytes())
        && !input.get(keyword.len()).is_some_and(|next| is_name_byte(*next))
}

/// The word `keyword`, in any case: dhcpd knows its keywords in upper and lower case alike.
pub(crate) fn keyword(keyword: &'static str) -> impl Fn(Input<'_>) -> Parsed<'_, ()> {
    move |input| {
        if at_keyword(input, keyword) {
            trivia(&input[keyword.len()..])
        } else {
            expected(input, Expected::Keyword(keyword))
        }
    }
}

/// What dhcpd's lexer makes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordClass {
    /// Digits, with or without a sign.
    Number,
    /// Hexadecimal digits behind the first character: in an expression this is data, not a name.
    NumberOrName,
    Name,
}

impl WordClass {
    pub(crate) fn of(word: &[u8]) -> Self {
        let Some((&first, rest)) = word.split_first() else { return Self::Name };
        let digits = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
        let hexadecimal = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_hexdigit);
        if first.is_ascii_alphabetic() {
            // `add` is a keyword before it can be a number.
            let number = hexadecimal(rest) && !word.eq_ignore_ascii_case(b"add");
            return if number { Self::NumberOrName } else { Self::Name };
        }
        match rest {
            _ if digits(rest) => Self::Number,
            [b'x' | b'X', value @ ..]
                if first == b'0' && !value.is_empty() && hexadecimal(value) =>
            {
                Self::NumberOrName
            }
            _ if hexadecimal(rest) => Self::NumberOrName,
            _ => Self::Name,
        }
    }
}

/// An identifier: any word that is not a plain number. Keywords are identifiers too.
pub(crate) fn identifier(input: Input<'_>) -> Parsed<'_, &[u8]> {
    verify(word, |word: &[u8]| WordClass::of(word) != WordClass::Number)
        .parse(input)
        .or_else(|_: nom::Err<Fault<'_>>| expected(input, Expected::Name))
}

/// A dotted name (`exe1.hpc.example.org`), with or without a final dot; blanks and comments may
/// stand around its dots. The result ends with the name's last byte.
pub(crate) fn dotted_name(input: Input<'_>) -> Parsed<'_, &[u8]> {
    let Ok((mut end, _)) = bare_word(input) else {
        return expected(input, Expected::Name);
    };
    loop {
        let (next, ()) = trivia(end)?;
        if !at(next, b'.') {
            return Ok((next, &input[..input.len() - end.len()]));
        }
        end = &next[1..];
        let (next, ()) = trivia(end)?;
        match bare_word(next) {
            Ok((after, _)) => end = after,
            Err(_) => return Ok((next, &input[..input.len() - end.len()])),
        }
    }
}

/// The inside of a quoted string, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quoted<'a>(pub(crate) &'a [u8]);

/// A quoted string. It may span lines; its escapes are checked here and decoded by
/// [`unescape`](crate::text::unescape).
pub(crate) fn string(input: Input<'_>) -> Parsed<'_, Quoted<'_>> {
    let Some(body) = input.strip_prefix(b"\"") else {
        return expected(input, Expected::String);
    };
    let (at, escapes) = string_end(body).map_err(|at| {
        nom::Err::Error(match body[at..].first() {
            None => Fault::unterminated(input),
            Some(0xff) => Fault::byte(&body[at..]),
            Some(_) => Fault::escape(&body[at..]),
        })
    })?;
    if at - escapes > LONGEST_TOKEN {
        return Err(nom::Err::Error(Fault::too_long(input)));
    }
    let (rest, ()) = trivia(&body[at + 1..])?;
    Ok((rest, Quoted(&body[..at])))
}

/// Where the string that begins at `body` has its closing quote, and how many bytes its escapes
/// are longer than what they stand for; as an error where the string breaks off: at its end, at
/// the byte 0xFF, or at an escape that is none.
pub(crate) fn string_end(body: &[u8]) -> Result<(usize, usize), usize> {
    let (mut at, mut escapes) = (0, 0);
    loop {
        let step = body[at..].iter().position(|byte| matches!(byte, b'"' | b'\\' | 0xff));
        at += step.ok_or(body.len())?;
        match body[at] {
            b'"' => return Ok((at, escapes)),
            0xff => return Err(at),
            _ => {}
        }
        let length = escape_length(&body[at + 1..]).ok_or(at)?;
        at += 1 + length;
        escapes += length;
    }
}

/// How many bytes of `rest`, which follows a backslash, belong to the escape.
fn escape_length(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'x', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => Some(3),
        [b'0'..=b'3', b'0'..=b'7', b'0'..=b'7', ..] => Some(3),
        [] | [b'x' | b'0'..=b'3', ..] => None,
        _ => Some(1),
    }
}

/// `:` or another separator between values.
pub(crate) fn after<'a, T>(
    byte: u8,
    name: Expected,
    parser: impl Parser<Input<'a>, Output = T, Error = Fault<'a>>,
) -> impl Parser<Input<'a>, Output = T, Error = Fault<'a>> {
    preceded(punctuation(byte, name), parser)
}

/// One or more, separated by commas.
pub(crate) fn comma_list<'a, T>(
    mut parser: impl Parser<Input<'a>, Output = T, Error = Fault<'a>>,
) -> impl FnMut(Input<'a>) -> Parsed<'a, ()> {
    move |input| {
        let (mut rest, _) = parser.parse(input)?;
        while at(rest, b',') {
            (rest, _) = after(b',', Expected::Comma, |i| parser.parse(i)).parse(rest)?;
        }
        Ok((rest, ()))
    }
}

pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Whether `byte` can stand inside a word.
pub(crate) fn is_name_byte(byte: u8) -> bool {
    NAME_BYTES[byte as usize]
}

static NAME_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0u8;
    while byte < 0x80 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        byte += 1;
    }
    table
};
