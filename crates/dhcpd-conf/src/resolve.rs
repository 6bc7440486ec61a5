//! Checks option values against definitions in other files.
//!
//! A file on its own is read without what other files define. Once all files of a configuration are
//! there, the options whose type was unknown are read again, in the order the server reads them.

use crate::error::ParseError;
use crate::expected::Expected;
use crate::fault::Fault;
use crate::format;
use crate::index::in_order;
use crate::lex::{Input, Parsed, at, expected};
use crate::option_statement::{Definitions, option_key};
use crate::place::Place;
use crate::report::parse_error;
use crate::setting::Setting;
use crate::statement_view::Statement;
use crate::tree::StatementKind;
use crate::world::{Id, World};

/// The errors of all files, by the number of the file.
pub(crate) fn unresolved(world: World<'_>) -> Vec<(u32, ParseError)> {
    let mut definitions = Definitions::default();
    let mut errors = Vec::new();
    in_order(world, |id| match world.node(id).kind {
        StatementKind::OptionDefinition => {
            let statement = Statement::new(world, id);
            if let Ok((_, format)) = format::definition(statement.value()) {
                definitions.insert(option_key(statement.name()), format);
            }
        }
        StatementKind::Option => {
            if let Err(fault) = value(world, id, &definitions) {
                errors.push((id.file, error(world, id, fault)));
            }
        }
        _ => {}
    });
    errors
}

/// Reads the value of the option statement `id` by the type that `definitions` give.
fn value<'d>(world: World<'d>, id: Id, definitions: &Definitions) -> Result<(), Fault<'d>> {
    let statement = Statement::new(world, id);
    let Some(format) = definitions.find(statement.name()) else { return Ok(()) };
    if Setting(statement).is_expression() {
        return Ok(());
    }
    // From the value to the end of the file, so that faults know their place.
    let rest = &world.document(id.file).source()[world.node(id).value as usize..];
    match format::value(rest, format).and_then(|(rest, ())| end(rest)) {
        Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => Err(fault),
        Ok(_) | Err(nom::Err::Incomplete(_)) => Ok(()),
    }
}

fn end(rest: Input<'_>) -> Parsed<'_, ()> {
    if at(rest, b';') { Ok((rest, ())) } else { expected(rest, Expected::Semicolon) }
}

fn error(world: World<'_>, id: Id, fault: Fault<'_>) -> ParseError {
    let document = world.document(id.file);
    let start = document.source().len() - fault.at.len();
    let line = document.position(crate::span::Span::new(start, start)).line();
    // Options stand anywhere, so the place is in none of these messages.
    parse_error(document.source(), fault, Place::Root, line as usize)
}
