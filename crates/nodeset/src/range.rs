//! What stands in one pair of brackets: `1-3,0010,2-8/2`.

use std::fmt::Write as _;

use crate::error::{Error, ErrorKind};
use crate::scan::Scan;

/// The numbers of one pair of brackets, in the order they were written.
#[derive(Debug, Clone)]
pub(crate) struct Ranges<'a>(Vec<Item<'a>>);

#[derive(Debug, Clone)]
enum Item<'a> {
    One(&'a str),
    /// `width` is 0 without padding. `first` is not above `last`, `step` is not 0.
    Span {
        first: u64,
        last: u64,
        step: u64,
        width: usize,
    },
}

impl<'a> Ranges<'a> {
    /// Reads from `[` to `]`.
    pub(crate) fn scan(scan: &mut Scan<'a>) -> Result<Self, Error> {
        let open = scan.here();
        scan.bump();
        let mut items = Vec::new();
        loop {
            items.push(item(scan)?);
            if scan.eat(']') {
                return Ok(Self(items));
            }
            if !scan.eat(',') {
                return Err(match scan.peek() {
                    None => Error::new(ErrorKind::UnclosedBracket, open, "`[` is not closed")
                        .expected("`]`"),
                    Some(_) => unexpected(scan, "`,`, `-`, `/` or `]`"),
                });
            }
        }
    }

    /// How many numbers these are, doubles included.
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(Item::count).fold(0, usize::saturating_add)
    }

    /// Whether one of the ranges runs over numbers of different width, as `8-12` does.
    pub(crate) fn varies_in_width(&self) -> bool {
        self.0.iter().any(|item| {
            matches!(item, Item::Span { first, last, width: 0, .. }
                if first.checked_ilog10() != last.checked_ilog10() && *last > 9)
        })
    }

    /// Calls `each` with `name` extended by every number in turn.
    pub(crate) fn append(
        &self,
        name: &mut String,
        each: &mut dyn FnMut(&mut String) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let length = name.len();
        for item in &self.0 {
            match *item {
                Item::One(digits) => {
                    name.push_str(digits);
                    each(name)?;
                    name.truncate(length);
                }
                Item::Span { first, last, step, width } => {
                    let mut next = Some(first);
                    while let Some(number) = next.filter(|number| *number <= last) {
                        let _ = write!(name, "{number:0width$}"); // a String takes everything
                        each(name)?;
                        name.truncate(length);
                        next = number.checked_add(step);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Item<'_> {
    fn count(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Span { first, last, step, .. } => {
                usize::try_from((last - first) / step).unwrap_or(usize::MAX).saturating_add(1)
            }
        }
    }
}

fn item<'a>(scan: &mut Scan<'a>) -> Result<Item<'a>, Error> {
    scan.skip_whitespace();
    let start = scan.at();
    let first = number(scan, start, "a range has no number")?;
    scan.skip_whitespace();
    let last = if scan.eat('-') {
        scan.skip_whitespace();
        let reason = format!("the range `{}` has no end", scan.since(start));
        Some(number(scan, start, &reason)?)
    } else {
        None
    };
    scan.skip_whitespace();
    let step = if scan.eat('/') {
        scan.skip_whitespace();
        let reason = format!("the range `{}` has no step", scan.since(start));
        Some(number(scan, start, &reason)?)
    } else {
        None
    };
    let written = scan.since(start).trim_end();
    let refuse = |kind, reason: String| Error::new(kind, start..start + written.len(), reason);
    let value = |digits: &str| {
        digits.parse::<u64>().map_err(|_| {
            refuse(ErrorKind::NumberTooLarge, format!("{digits} is too large for a range"))
                .expected(format!("a number up to {}", u64::MAX))
        })
    };
    let step = step.map_or(Ok(1), value)?;
    scan.skip_whitespace();

    let Some(last) = last else {
        return if step == 1 {
            Ok(Item::One(first))
        } else {
            Err(refuse(ErrorKind::InvalidStep, format!("`{written}` has a step but no end"))
                .expected(format!("a range, as in `{first}-N/{step}`")))
        };
    };
    let padded = is_padded(first) || is_padded(last);
    if padded && first.len() != last.len() {
        let width = first.len().max(last.len());
        let reason = format!("the padding of `{written}` differs between its bounds");
        return Err(refuse(ErrorKind::PaddingMismatch, reason)
            .expected(format!("one width, as in `{first:0>width$}-{last:0>width$}`")));
    }
    let width = if padded { first.len() } else { 0 };
    let (from, to) = (value(first)?, value(last)?);
    if from > to {
        return Err(refuse(ErrorKind::ReversedRange, format!("`{written}` runs backwards"))
            .expected(format!("`{last}-{first}`")));
    }
    if step == 0 {
        return Err(refuse(ErrorKind::InvalidStep, format!("`{written}` has a step of zero"))
            .expected("a step of at least 1"));
    }
    Ok(Item::Span { first: from, last: to, step, width })
}

/// Digits, or the refusal of whatever stands in their place.
fn number<'a>(scan: &mut Scan<'a>, start: usize, reason: &str) -> Result<&'a str, Error> {
    let digits = scan.digits();
    if !digits.is_empty() {
        return Ok(digits);
    }
    Err(match scan.peek() {
        None => Error::new(ErrorKind::UnclosedBracket, scan.here(), "`[` is not closed")
            .expected("a number and `]`"),
        Some(',' | '-' | '/' | ']') => {
            Error::new(ErrorKind::MissingNumber, start..scan.at(), reason).expected("a number")
        }
        Some(_) => unexpected(scan, "a number"),
    })
}

fn unexpected(scan: &Scan<'_>, expected: &str) -> Error {
    let found = scan.peek().unwrap_or_default();
    let reason = format!("{found:?} cannot be part of a range");
    Error::new(ErrorKind::UnexpectedCharacter, scan.here(), reason).expected(expected)
}

/// Whether a number is written with more digits than it needs.
pub(crate) fn is_padded(digits: &str) -> bool {
    digits.len() > 1 && digits.starts_with('0')
}
