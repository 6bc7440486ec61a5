//! Option statements: values, definitions, spaces.

use std::collections::HashMap;

use crate::expected::Expected;
use crate::expression::{Kind, expression, option_name};
use crate::fault::Fault;
use crate::format::{self, Format};
use crate::lex::{
    Input, Parsed, at, at_keyword, expected, identifier, keyword, punctuation, trivia, word,
};
use crate::place::Place;
use crate::statement::{Context, Ends, Head, Text, not_allowed, one_of, plain};
use crate::tree::{Operator, StatementKind};
use crate::value::{decimal, joined};
use crate::words;

/// Options defined so far in the file, by `SPACE.NAME` or `NAME` in lower case.
#[derive(Debug, Default)]
pub(crate) struct Definitions(HashMap<Vec<u8>, Format>);

impl Definitions {
    pub(crate) fn insert(&mut self, name: Vec<u8>, format: Format) {
        self.0.insert(name, format);
    }

    pub(crate) fn find(&self, name: &[u8]) -> Option<&Format> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&option_key(name))
    }
}

/// An option's name without blanks, in lower case and without the default space.
pub(crate) fn option_key(name: &[u8]) -> Vec<u8> {
    let mut key = joined(name).to_ascii_lowercase().into_bytes();
    if key.starts_with(b"dhcp.") {
        key.drain(..5);
    }
    key
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
    let format = match context.definitions.find(name) {
        Some(format) => Some(format),
        None if name.iter().any(u8::is_ascii_whitespace) => words::option(&option_key(name)),
        None => words::option(name),
    };
    let format = format.unwrap_or(&format::ANY);
    let (value, end) = assigned(rest, format, context.depth)?;
    let ends = if format.may_continue() && !at(rest, b'=') {
        Ends::ListSemicolon(Expected::Comma)
    } else {
        Ends::Semicolon
    };
    Ok((end, Head { operator, ..plain(StatementKind::Option, text, value, ends) }))
}

/// `code NUMBER = TYPE`
fn option_definition<'a>(
    input: Input<'a>,
    name: Text<'a>,
    context: Context<'_>,
) -> Parsed<'a, Head<'a>> {
    let (rest, ()) = keyword("code")(input)?;
    let (rest, _) = decimal(rest, u64::from(u32::MAX))?;
    if context.place != Place::Root {
        return not_allowed(name.at);
    }
    let (value, ()) = punctuation(b'=', Expected::Equals)(rest)?;
    let (end, format) = format::definition(value)?;
    let head = plain(StatementKind::OptionDefinition, name, value, Ends::Semicolon);
    Ok((end, Head { definition: Some((option_key(name.bytes()), format)), ..head }))
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
            one_of(size, &["1", "2", "4"], "`1`, `2` and `4`")?.0
        } else if at_keyword(end, "length") {
            let (size, ()) = keyword("width")(word(end)?.0)?;
            one_of(size, &["0", "1", "2"], "`1` and `2`")?.0
        } else if at_keyword(end, "hash") {
            let (size, ()) = keyword("size")(word(end)?.0)?;
            decimal(size, u64::from(u32::MAX))?.0
        } else {
            return Ok((end, head(end)));
        };
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
    let format =
        context.definitions.find(name).or_else(|| words::option(name)).unwrap_or(&format::ANY);
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
        return Ok((value, expression(value, Kind::DATA, depth)?.0));
    }
    Ok((input, format::value(input, format)?.0))
}
