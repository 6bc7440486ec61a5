//! A name with brackets in it: `r[1-2]n[01-18]-ib`.

use std::ops::Range;

use crate::error::{Error, ErrorKind};
use crate::name::{self, MAX_LENGTH};
use crate::range::Ranges;
use crate::scan::Scan;

/// Text and ranges in turn.
#[derive(Debug, Clone)]
pub(crate) struct Pattern<'a>(Vec<Part<'a>>);

#[derive(Debug, Clone)]
enum Part<'a> {
    Text(&'a str),
    Ranges(Ranges<'a>),
}

/// Which characters stand outside of brackets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Alphabet {
    /// Names of nodes, with the wildcards `*` and `?`.
    Node,
    /// Names of group sources.
    Source,
    /// Names of groups, which may hold what sites put there: `gpu/a100`, `user:bob`.
    Group,
}

impl<'a> Pattern<'a> {
    /// Reads up to whitespace, an operator, the end, or a `:` behind a group source. The pattern
    /// is empty if nothing stands there.
    pub(crate) fn scan(scan: &mut Scan<'a>, alphabet: Alphabet) -> Result<Self, Error> {
        let start = scan.at();
        let mut parts = Vec::new();
        // The shortest name: a range is at least one digit. This also bounds the brackets.
        let mut shortest = 0;
        while !scan.at_boundary() {
            let here = scan.here();
            if scan.peek() == Some('[') {
                let ranges = Ranges::scan(scan)?;
                fits(&parts, &ranges, here.start..scan.at())?;
                parts.push(Part::Ranges(ranges));
                shortest += 1;
                continue;
            }
            let text = scan.take_while(|char| alphabet.holds(char));
            if text.is_empty() {
                match scan.peek() {
                    Some(':') if matches!(alphabet, Alphabet::Source) => break,
                    _ => return Err(alphabet.refusal(scan)),
                }
            }
            shortest += text.len();
            parts.push(Part::Text(text));
        }
        if shortest > MAX_LENGTH {
            return Err(name::wrong_length(start..scan.at()));
        }
        Ok(Self(parts))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The name, if there is no bracket.
    pub(crate) fn as_single(&self) -> Option<&'a str> {
        match self.0[..] {
            [Part::Text(name)] => Some(name),
            _ => None,
        }
    }

    pub(crate) fn is_wildcard(&self) -> bool {
        self.0.iter().any(|part| matches!(part, Part::Text(text) if text.contains(['*', '?'])))
    }

    /// How many names this is, doubles included.
    pub(crate) fn count(&self) -> usize {
        let counts = self.0.iter().map(|part| match part {
            Part::Text(_) => 1,
            Part::Ranges(ranges) => ranges.count(),
        });
        counts.fold(1, usize::saturating_mul)
    }

    /// Calls `each` with every name, the last bracket running fastest.
    pub(crate) fn expand(
        &self,
        each: &mut dyn FnMut(&str) -> Result<(), Error>,
    ) -> Result<(), Error> {
        append(&self.0, &mut String::new(), each)
    }
}

fn append(
    parts: &[Part<'_>],
    name: &mut String,
    each: &mut dyn FnMut(&str) -> Result<(), Error>,
) -> Result<(), Error> {
    match parts {
        [] => each(name),
        [Part::Text(text), rest @ ..] => {
            name.push_str(text);
            append(rest, name, each)?;
            name.truncate(name.len() - text.len());
            Ok(())
        }
        [Part::Ranges(ranges), rest @ ..] => {
            ranges.append(name, &mut |name| append(rest, name, each))
        }
    }
}

/// Refuses ranges whose digits would run together with other digits in a way that has more than
/// one reading.
fn fits(before: &[Part<'_>], ranges: &Ranges<'_>, span: Range<usize>) -> Result<(), Error> {
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match before {
        [.., Part::Ranges(_)] => Err(adjacent(span)),
        [.., Part::Ranges(_), Part::Text(text)] if all_digits(text) => Err(adjacent(span)),
        [.., Part::Text(text)]
            if text.ends_with(|last: char| last.is_ascii_digit()) && !ranges.is_of_one_width() =>
        {
            let reason = "digits stand before numbers of different width";
            Err(Error::new(ErrorKind::GluedDigits, span, reason)
                .expected("the whole numbers inside the brackets, as in `exe[08-12]`"))
        }
        _ => Ok(()),
    }
}

fn adjacent(span: Range<usize>) -> Error {
    Error::new(ErrorKind::AdjacentBrackets, span, "only digits stand between two brackets")
        .expected("one bracket for one number, or text in between as in `r[1-2]n[1-9]`")
}

impl Alphabet {
    fn holds(self, char: char) -> bool {
        match self {
            Self::Node => name::is_name_char(char) || matches!(char, '*' | '?'),
            Self::Source => char != ':' && Self::Group.holds(char),
            Self::Group => {
                !char.is_whitespace()
                    && !char.is_control()
                    && !matches!(char, ',' | '!' | '&' | '^' | '[' | ']' | '@' | '*' | '?')
            }
        }
    }

    fn refusal(self, scan: &Scan<'_>) -> Error {
        let char = scan.peek().unwrap_or_default();
        match (self, char) {
            (_, ']') => {
                Error::new(ErrorKind::StrayBracket, scan.here(), "`]` has no `[` before it")
                    .expected("a range, as in `exe[1-3]`")
            }
            (Self::Node, _) => name::unexpected(scan.at(), char),
            (_, '*' | '?') => {
                let reason = "wildcards in the names of groups are not supported";
                Error::new(ErrorKind::UnsupportedGroup, scan.here(), reason)
                    .expected("`@*` or `@source:*` for every node")
            }
            _ => {
                let reason = format!("{char:?} cannot be part of a group's name");
                Error::new(ErrorKind::UnexpectedCharacter, scan.here(), reason)
                    .expected("`@group` or `@source:group`")
            }
        }
    }
}
