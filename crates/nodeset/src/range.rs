//! What stands in one pair of brackets: `1-3,0010,2-8/2`.

use std::fmt::Write as _;
use std::ops::Range;

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
            items.push(Written::scan(scan, &open)?.check()?);
            if scan.eat(']') {
                return Ok(Self(items));
            }
            scan.bump(); // the comma, as nothing else ends an item
        }
    }

    /// How many numbers these are, doubles included.
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(Item::count).fold(0, usize::saturating_add)
    }

    /// Whether the numbers are written with one and the same count of digits.
    pub(crate) fn is_of_one_width(&self) -> bool {
        let mut widths = self.0.iter().flat_map(Item::widths);
        widths.next().is_none_or(|first| widths.all(|width| width == first))
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
    /// The digits of the smallest and of the largest number.
    fn widths(&self) -> [usize; 2] {
        let digits = |number: u64| number.checked_ilog10().map_or(1, |log| log as usize + 1);
        match *self {
            Self::One(number) => [number.len(); 2],
            Self::Span { first, last, width, .. } => [first, last].map(|it| digits(it).max(width)),
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Span { first, last, step, .. } => {
                usize::try_from((last - first) / step).unwrap_or(usize::MAX).saturating_add(1)
            }
        }
    }
}

/// One item as it was written: `first`, `first-last` or `first-last/step`.
struct Written<'a> {
    text: &'a str,
    start: usize,
    first: &'a str,
    last: Option<&'a str>,
    step: Option<&'a str>,
}

impl<'a> Written<'a> {
    /// Reads up to the comma or bracket that ends the item. Whitespace means nothing.
    fn scan(scan: &mut Scan<'a>, open: &Range<usize>) -> Result<Self, Error> {
        scan.skip_whitespace();
        let start = scan.at();
        let number = |scan: &mut Scan<'a>, missing: &str| {
            scan.skip_whitespace();
            let digits = scan.digits();
            if digits.is_empty() {
                return Err(no_number(scan, start, open, missing));
            }
            Ok((digits, scan.at()))
        };
        let ((first, mut end), mut last, mut step) = (number(scan, "number")?, None, None);
        scan.skip_whitespace();
        if scan.eat('-') {
            (last, end) = number(scan, "end").map(|(last, end)| (Some(last), end))?;
            scan.skip_whitespace();
        }
        if scan.eat('/') {
            (step, end) = number(scan, "step").map(|(step, end)| (Some(step), end))?;
            scan.skip_whitespace();
        }
        match scan.peek() {
            Some(',' | ']') => {}
            None => return Err(unclosed(open)),
            Some(_) => return Err(unexpected(scan, "`,`, `-`, `/` or `]`")),
        }
        Ok(Self { text: scan.between(start, end), start, first, last, step })
    }

    fn check(&self) -> Result<Item<'a>, Error> {
        let Self { text, first, .. } = self;
        let step = self.step.map_or(Ok(1), |step| self.value(step))?;
        let Some(last) = self.last else {
            return if step == 1 {
                Ok(Item::One(first))
            } else {
                Err(self
                    .refuse(ErrorKind::InvalidStep, format!("`{text}` has a step but no end"))
                    .expected(format!("a range, as in `{first}-N/{step}`")))
            };
        };
        let padded = is_padded(first) || is_padded(last);
        if padded && first.len() != last.len() {
            let width = first.len().max(last.len());
            let reason = format!("the padding of `{text}` differs between its bounds");
            return Err(self
                .refuse(ErrorKind::PaddingMismatch, reason)
                .expected(format!("one width, as in `{first:0>width$}-{last:0>width$}`")));
        }
        let width = if padded { first.len() } else { 0 };
        let (from, to) = (self.value(first)?, self.value(last)?);
        if from > to {
            return Err(self
                .refuse(ErrorKind::ReversedRange, format!("`{text}` runs backwards"))
                .expected(format!("`{last}-{first}`")));
        }
        if step == 0 {
            return Err(self
                .refuse(ErrorKind::InvalidStep, format!("`{text}` has a step of zero"))
                .expected("a step of at least 1"));
        }
        Ok(Item::Span { first: from, last: to, step, width })
    }

    fn value(&self, digits: &str) -> Result<u64, Error> {
        digits.parse().map_err(|_| {
            self.refuse(ErrorKind::NumberTooLarge, format!("{digits} is too large for a range"))
                .expected(format!("a number up to {}", u64::MAX))
        })
    }

    fn refuse(&self, kind: ErrorKind, reason: String) -> Error {
        Error::new(kind, self.start..self.start + self.text.len(), reason)
    }
}

/// The refusal of what stands in the place of a number.
fn no_number(scan: &Scan<'_>, start: usize, open: &Range<usize>, missing: &str) -> Error {
    match scan.peek() {
        None => unclosed(open),
        Some(',' | '-' | '/' | ']') => {
            let reason = match scan.since(start).trim_end() {
                "" => format!("a range has no {missing}"),
                text => format!("the range `{text}` has no {missing}"),
            };
            Error::new(ErrorKind::MissingNumber, start..scan.at(), reason).expected("a number")
        }
        Some(_) => unexpected(scan, "a number"),
    }
}

fn unclosed(open: &Range<usize>) -> Error {
    Error::new(ErrorKind::UnclosedBracket, open.clone(), "`[` is not closed").expected("`]`")
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
