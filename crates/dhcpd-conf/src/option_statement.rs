//! Option statements: values, definitions, spaces.

use std::collections::HashMap;

use crate::expected::Expected;
use crate::expression::{Kind, expression, option_name};
use crate::fault::Fault;
use crate::format::{self, Format};
use crate::lex::{
    Input, Parsed, at, at_keyword, expected, identifier, keyword, punctuation, trivia, word,
};
use crate::option_codes::name_of;
use crate::place::Place;
use crate::statement::{Context, Ends, Head, Text, not_allowed, plain};
use crate::tree::{Operator, StatementKind};
use crate::value::{decimal, joined};
use crate::words;

/// A defined option: what it is called, and its type.
pub(crate) struct Definition {
    /// Its name, and its number in its space.
    pub(crate) names: [Vec<u8>; 2],
    pub(crate) format: Format,
}

/// Options defined so far in the file, by `SPACE.NAME` or `NAME` in lower case.
#[derive(Debug, Default)]
pub(crate) struct Definitions(HashMap<Vec<u8>, Format>);

impl Definitions {
    pub(crate) fn insert(&mut self, name: Vec<u8>, format: Format) {
        self.0.insert(name, format);
    }

    pub(crate) fn define(&mut self, Definition { names: [name, number], format }: Definition) {
        self.insert(number, format.clone());
        self.insert(name, format);
    }

    pub(crate) fn find(&self, name: &[u8]) -> Option<&Format> {
        if self.0.is_empty() {
            return None;
        }
        let written = plain_key(name);
        // By its number an option has the type of the last definition of that number.
        match number(&written) {
            Some((space, code)) => {
                let defined = self.0.get(&numbered(&written[..space], code));
                defined.or_else(|| self.0.get(&option_key(name)))
            }
            None => self.0.get(&written),
        }
    }
}

/// An option's name without blanks, in lower case and without the default space. A built-in option
/// that is written by its number goes by its name.
pub(crate) fn option_key(name: &[u8]) -> Vec<u8> {
    let key = plain_key(name);
    let Some((space, code)) = number(&key) else { return key };
    let name = u16::try_from(code).ok().and_then(|code| name_of(&key[..space], code));
    name.map_or_else(|| numbered(&key[..space], code), |name| name.as_bytes().to_vec())
}

/// As [`option_key`], with a number left as it is written.
fn plain_key(name: &[u8]) -> Vec<u8> {
    let mut key = joined(name).to_ascii_lowercase().into_bytes();
    if key.starts_with(b"dhcp.") {
        key.drain(..5);
    }
    key
}

/// The key of an option that is written by its number: `agent.unknown-9`.
fn numbered(space: &[u8], code: u32) -> Vec<u8> {
    [space, format!("unknown-{code}").as_bytes()].concat()
}

/// For `SPACE.unknown-NUMBER` the length of `SPACE.` and the number. What follows the digits does
/// not count.
pub(crate) fn number(key: &[u8]) -> Option<(usize, u32)> {
    let space = key.iter().position(|byte| *byte == b'.').map_or(0, |dot| dot + 1);
    let (word, digits) = key[space..].split_at_checked(8)?;
    if !word.eq_ignore_ascii_case(b"unknown-") {
        return None;
    }
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    let code = digits
        .fold(0u32, |code, digit| code.saturating_mul(10).saturating_add(u32::from(*digit - b'0')));
    Some((space, code))
}

pub(crate) fn option<'a>(
    input: Input<'a>,
    operator: Operator,
    context: Context<'_>,
) -> Parsed<'a, Head<'a>> {
    if operator == Operator::Set && at_keyword(input, "space") {
        return option_space(input, context);
    }
    let (rest, name) = option_name(input)?;
    let text = Text { at: input, length: name.len() };
    if operator == Operator::Set && context.place != Place::Body && at_keyword(rest, "code") {
        return option_definition(rest, text, context);
    }
    let format = known(name, context.definitions)?.unwrap_or(&format::ANY);
    let (value, end) = assigned(rest, format, context.depth)?;
    let ends = if format.may_continue() && !at(rest, b'=') {
        Ends::ListSemicolon(Expected::Comma)
    } else {
        Ends::Semicolon
    };
    Ok((end, Head { operator, ..plain(StatementKind::Option, text, value, ends) }))
}

/// The type of an option that the file defines or the server knows.
fn known<'a, 'd>(
    name: &'a [u8],
    definitions: &'d Definitions,
) -> Result<Option<&'d Format>, nom::Err<Fault<'a>>> {
    if let Some(format) = definitions.find(name).or_else(|| words::option(name)) {
        return Ok(Some(format));
    }
    let key = option_key(name);
    match number(&key) {
        Some((space, code)) if code == 0 || space == 0 && code == 255 => {
            Err(nom::Err::Error(Fault::out_of_range(name)))
        }
        Some(_) => Ok(Some(&format::OCTETS)),
        None => Ok(words::option(&key)),
    }
}

/// `code NUMBER = TYPE`
fn option_definition<'a>(
    input: Input<'a>,
    name: Text<'a>,
    context: Context<'_>,
) -> Parsed<'a, Head<'a>> {
    let (rest, ()) = keyword("code")(input)?;
    let (rest, code) = decimal(rest, u64::from(u32::MAX))?;
    if context.place != Place::Root {
        return not_allowed(name.at);
    }
    let (value, ()) = punctuation(b'=', Expected::Equals)(rest)?;
    let (end, format) = format::definition(value)?;
    let head = plain(StatementKind::OptionDefinition, name, value, Ends::Semicolon);
    let key = option_key(name.bytes());
    let space = key.iter().position(|byte| *byte == b'.').map_or(0, |dot| dot + 1);
    let number = numbered(&key[..space], u32::try_from(code).unwrap_or(u32::MAX));
    Ok((end, Head { definition: Some(Definition { names: [key, number], format }), ..head }))
}

/// `space NAME [code width N] [length width N] [hash size N]`
fn option_space<'a>(input: Input<'a>, context: Context<'_>) -> Parsed<'a, Head<'a>> {
    let (rest, ()) = keyword("space")(input)?;
    if context.place != Place::Root {
        return not_allowed(input);
    }
    let (mut end, name) = identifier(rest)?;
    let head = |end| {
        plain(
            StatementKind::OptionSpace,
            Text { at: rest, length: name.len() },
            end,
            Ends::Semicolon,
        )
    };
    loop {
        end = if at_keyword(end, "code") {
            let (size, ()) = keyword("width")(word(end)?.0)?;
            width_of(size, &[1, 2, 4], "`1`, `2` and `4`")?
        } else if at_keyword(end, "length") {
            let (size, ()) = keyword("width")(word(end)?.0)?;
            width_of(size, &[1, 2], "`1` and `2`")?
        } else if at_keyword(end, "hash") {
            let (size, ()) = keyword("size")(word(end)?.0)?;
            decimal(size, u64::from(u32::MAX))?.0
        } else {
            return Ok((end, head(end)));
        };
    }
}

fn width_of<'a>(
    input: Input<'a>,
    widths: &[u64],
    list: &'static str,
) -> Result<Input<'a>, nom::Err<Fault<'a>>> {
    match decimal(input, u64::MAX) {
        Ok((rest, width)) if widths.contains(&width) => Ok(rest),
        _ => Err(nom::Err::Error(Fault::expected(input, Expected::OneOf(list)))),
    }
}

/// `option NAME VALUE` or `v6relopt NUMBER NAME VALUE`
pub(crate) fn host_identifier<'a>(input: Input<'a>, context: Context<'_>) -> Parsed<'a, ()> {
    let name = if at_keyword(input, "option") {
        word(input)?.0
    } else if at_keyword(input, "v6relopt") {
        decimal(word(input)?.0, u64::from(u32::MAX))?.0
    } else {
        return expected(input, Expected::OneOf("`option` and `v6relopt`"));
    };
    let (rest, name) = option_name(name)?;
    let format = known(name, context.definitions)?.unwrap_or(&format::ANY);
    format::value(rest, format)
}

/// `= EXPRESSION`, or a value of `format`: where it begins and what follows it.
pub(crate) fn assigned<'a>(
    input: Input<'a>,
    format: &Format,
    depth: usize,
) -> Result<(Input<'a>, Input<'a>), nom::Err<Fault<'a>>> {
    if at(input, b'=') {
        let (value, ()) = trivia(&input[1..])?;
        return Ok((value, expression(value, Kind::Data, depth)?.0));
    }
    Ok((input, format::value(input, format)?.0))
}
