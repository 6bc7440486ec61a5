//! Finds the place to read on after a syntax error.

use crate::lex::{Input, at, bare_word, peek_word, string, trivia};
use crate::place::Place;
use crate::tree::StatementKind;

/// What follows the token at `rest` and the trivia behind it; at least one byte less.
pub(crate) fn next_token(rest: Input<'_>) -> Input<'_> {
    let end = match rest {
        // A string that is not whole ends with its line: its closing quote was forgotten.
        [b'"', ..] => {
            if let Ok((rest, _)) = string(rest) {
                return rest;
            }
            let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            &rest[line.max(1)..]
        }
        _ => match bare_word(rest) {
            Ok((end, _)) => end,
            Err(_) => &rest[rest.len().min(1)..],
        },
    };
    trivia(end).map_or(end, |(rest, ())| rest)
}

/// Whether a `{` stands between `start` and `end`.
pub(crate) fn opens_brace(start: Input<'_>, end: Input<'_>) -> bool {
    let mut rest = start;
    while rest.len() > end.len() {
        if at(rest, b'{') {
            return true;
        }
        rest = next_token(rest);
    }
    false
}

/// What follows the `}`, and the trivia behind it, of the block whose inside begins at `rest`.
pub(crate) fn skip_block(mut rest: Input<'_>) -> Input<'_> {
    let mut depth = 1;
    while depth > 0 && !rest.is_empty() {
        match rest {
            [b'{', ..] => depth += 1,
            [b'}', after @ ..] => {
                depth -= 1;
                if depth == 0 {
                    return trivia(after).map_or(after, |(rest, ())| rest);
                }
            }
            _ => {}
        }
        rest = next_token(rest);
    }
    rest
}

/// What the block of the statement at `start` holds, by its keyword.
pub(crate) fn block_of(start: Input<'_>, place: Place) -> Option<(StatementKind, Place)> {
    let word = peek_word(start)?.to_ascii_lowercase();
    Some(match word.as_slice() {
        _ if crate::block_words::body(place).is_some() => return None,
        b"host" => (StatementKind::Host, Place::Host),
        b"group" => (StatementKind::Group, Place::Group),
        b"shared-network" => (StatementKind::SharedNetwork, Place::SharedNetwork),
        b"subnet" | b"subnet6" => (StatementKind::Subnet, Place::Subnet),
        b"pool" => (StatementKind::Pool, Place::Pool),
        b"pool6" => (StatementKind::Pool, Place::Pool6),
        b"class" => (StatementKind::Class, Place::Class),
        b"subclass" | b"vendor-class" | b"user-class" => (StatementKind::Subclass, Place::Subclass),
        b"if" | b"else" | b"elsif" | b"on" | b"define" => (StatementKind::On, Place::Body),
        b"switch" => (StatementKind::Switch, Place::Body),
        _ => return None,
    })
}
