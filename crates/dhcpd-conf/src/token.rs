//! A source as its tokens with the blanks and comments between them: laid end to end, they are the
//! source.

use crate::lex::{is_blank, is_name_byte};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Blanks,
    /// From `#` up to its line feed.
    Comment,
    /// A string, a word, or one byte of punctuation.
    Solid,
}

/// A token and its bytes in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// All tokens of a source that parses.
pub(crate) fn tokens(source: &[u8]) -> impl Iterator<Item = Token> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = &source[start..];
        let run = |taken: fn(u8) -> bool| rest.iter().take_while(|byte| taken(**byte)).count();
        let (kind, length) = match rest.first()? {
            byte if is_blank(*byte) => (TokenKind::Blanks, run(is_blank)),
            b'#' => (TokenKind::Comment, run(|byte| byte != b'\n')),
            b'"' => (TokenKind::Solid, string_length(rest)),
            byte if is_name_byte(*byte) => (TokenKind::Solid, run(is_name_byte)),
            _ => (TokenKind::Solid, 1),
        };
        let token = Token { kind, start, end: start + length };
        start = token.end;
        Some(token)
    })
}

/// The length of the quoted string at the start of `rest`, with its quotes.
fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    rest.len()
}
