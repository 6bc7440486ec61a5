//! Finds the place to read on after a syntax error.

use crate::lex::{Input, at, is_name_byte, peek_word, string_end, trivia};
use crate::place::Place;
use crate::tree::StatementKind;

/// Walks over tokens that make no statement.
#[derive(Debug, Default)]
pub(crate) struct Recovery {
    /// A stretch without a closing quote, by how much is left of the source where it begins and
    /// where the string that began there breaks off. No string that begins inside has its quote
    /// before that, for all quotes inside are escaped.
    broken: Option<(usize, usize)>,
}

impl Recovery {
    /// What follows the token at `rest` and the trivia behind it; at least one byte less.
    pub(crate) fn next_token<'s>(&mut self, rest: Input<'s>) -> Input<'s> {
        let end = match rest {
            [b'"', body @ ..] => match self.string_end(body) {
                Some(at) => &body[at + 1..],
                // A string that is not whole ends with its line: its closing quote was forgotten.
                None => {
                    let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                    &rest[line.max(1)..]
                }
            },
            // However long the word is.
            _ => {
                let length = rest.iter().take_while(|byte| is_name_byte(**byte)).count();
                &rest[length.max(1).min(rest.len())..]
            }
        };
        trivia(end).map_or(end, |(rest, ())| rest)
    }

    fn string_end(&mut self, body: Input<'_>) -> Option<usize> {
        if self.broken.is_some_and(|(begin, end)| begin >= body.len() && body.len() > end) {
            return None;
        }
        match string_end(body) {
            Ok((at, _)) => Some(at),
            Err(at) => {
                self.broken = Some((body.len(), body.len() - at));
                None
            }
        }
    }

    /// Whether a `{` stands between `start` and `end`.
    pub(crate) fn opens_brace(&mut self, start: Input<'_>, end: Input<'_>) -> bool {
        let mut rest = start;
        while rest.len() > end.len() {
            if at(rest, b'{') {
                return true;
            }
            rest = self.next_token(rest);
        }
        false
    }

    /// What follows the `}`, and the trivia behind it, of the block whose inside begins at `rest`.
    pub(crate) fn skip_block<'s>(&mut self, mut rest: Input<'s>) -> Input<'s> {
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
            rest = self.next_token(rest);
        }
        rest
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Quotes that are all escaped but the first: from each of them, every scan reaches the end.
    #[test]
    fn a_string_without_its_quote_is_looked_for_once() {
        let text = b"\"a\\\"\nb\\\"\nc".as_slice();
        let mut recovery = Recovery::default();
        assert!(recovery.next_token(text).starts_with(b"b"));
        assert_eq!(recovery.broken, Some((text.len() - 1, 0)));
        let second = &text[text.len() - 3..];
        assert_eq!(recovery.next_token(second), b"c");
        // A string behind the place where the first broke off is looked at anew.
        let text = b"\"a\\x \"b\" c".as_slice();
        let mut recovery = Recovery::default();
        assert_eq!(recovery.next_token(text), b"");
        assert_eq!(recovery.next_token(&text[5..]), b"c");
    }
}
