//! One name: its spelling, its place in the natural order, and what it is without padding.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};

/// Names of nodes and groups are at most this long, in bytes: a host name of DNS fits.
pub(crate) const MAX_LENGTH: usize = 255;

/// The name of one node: ASCII letters, digits, `-`, `_` and `.`, not beginning with `-`, at most
/// 255 bytes.
///
/// This is what the language can carry, not what a host name may be: a caller that connects to
/// nodes checks labels itself. Equality is that of the spelling; the order is [`natural_cmp`].
///
/// ```
/// use nodeset::Name;
///
/// let two: Name = "exe2".parse()?;
/// assert!(two < "exe10".parse()?);
/// assert!("-oProxyCommand=x".parse::<Name>().is_err());
/// # Ok::<(), nodeset::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name(Box<str>);

impl Name {
    /// The spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name that the grammar has already checked.
    pub(crate) fn checked(name: &str) -> Self {
        debug_assert!(name.parse::<Self>().is_ok(), "{name:?} has not been checked");
        Self(name.into())
    }
}

impl FromStr for Name {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let refusal = if name.is_empty() || name.len() > MAX_LENGTH {
            wrong_length(0..name.len())
        } else if name.starts_with('-') {
            leading_hyphen(0)
        } else if let Some((at, char)) = name.char_indices().find(|(_, char)| !is_name_char(*char))
        {
            unexpected(at, char)
        } else {
            return Ok(Self(name.into()));
        };
        Err(refusal.within(name))
    }
}

pub(crate) fn is_name_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.')
}

pub(crate) fn wrong_length(span: Range<usize>) -> Error {
    Error::new(ErrorKind::NameLength, span, "the name is empty or too long")
        .expected(format!("1 to {MAX_LENGTH} bytes"))
}

pub(crate) fn leading_hyphen(at: usize) -> Error {
    Error::new(ErrorKind::LeadingHyphen, at..at + 1, "a name begins with `-`")
        .expected("a letter or a digit; nodes are left out with `!`, as in `exe[1-3]!exe2`")
}

/// The character that stopped a name, with the spelling that was meant where another tool's range
/// syntax is recognised.
pub(crate) fn unexpected(at: usize, char: char) -> Error {
    let expected = match char {
        ':' | '+' => "a range in brackets, as in `exe[1-3]`",
        '/' => "a name; a step stands in brackets, as in `exe[1-9/2]`",
        '@' => "a name without an account; a group begins with `@`",
        _ => "letters, digits, `-`, `_`, `.` or a range in brackets",
    };
    let span = at..at + char.len_utf8();
    Error::new(ErrorKind::UnexpectedCharacter, span, format!("{char:?} cannot be part of a name"))
        .expected(expected)
}

/// The natural order of names, which is also the order of every set: `exe2` before `exe10`.
///
/// Names are compared by their text first and by their numbers after that, so that all `exe1` to
/// `exe999` come before `exe1-ib`. A number sorts before every other character; shorter numbers sort
/// before longer ones, so that `exe9` comes before `exe01` and `exe10`. This is the order in which
/// ClusterShell lists a set.
///
/// ```
/// let mut names = ["exe10", "exe2-ib", "exe01", "exe2", "exe", "exe1-ib"];
/// names.sort_by(|a, b| nodeset::natural_cmp(a, b));
/// assert_eq!(names, ["exe", "exe2", "exe01", "exe10", "exe1-ib", "exe2-ib"]);
/// ```
pub fn natural_cmp(left: &str, right: &str) -> Ordering {
    let (text, numbers) = compare(left, right);
    text.then(numbers)
}

/// Whether two names differ in their numbers only.
pub(crate) fn same_shape(left: &str, right: &str) -> bool {
    compare(left, right).0.is_eq()
}

/// The order of the text, and that of the numbers if the text is the same.
fn compare(left: &str, right: &str) -> (Ordering, Ordering) {
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    let mut numbers = Ordering::Equal;
    loop {
        let (Some(a), Some(b)) = (left.first(), right.first()) else {
            return (left.len().cmp(&right.len()), numbers);
        };
        match (a.is_ascii_digit(), b.is_ascii_digit()) {
            (true, true) => {
                let (a, b) = (take_digits(&mut left), take_digits(&mut right));
                numbers = numbers.then_with(|| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
            }
            (true, false) => return (Ordering::Less, numbers),
            (false, true) => return (Ordering::Greater, numbers),
            (false, false) if a != b => return (a.cmp(b), numbers),
            (false, false) => (left, right) = (&left[1..], &right[1..]),
        }
    }
}

fn take_digits<'a>(bytes: &mut &'a [u8]) -> &'a [u8] {
    let end = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
    let (digits, rest) = bytes.split_at(end);
    *bytes = rest;
    digits
}

/// The name with every number stripped of leading zeros: two names with the same answer differ at
/// most in padding, and most likely mean one machine.
///
/// ```
/// use nodeset::padding_blind;
///
/// assert_eq!(padding_blind("exe0001"), padding_blind("exe1"));
/// assert_eq!(padding_blind("r00n010-ib"), "r0n10-ib");
/// assert_ne!(padding_blind("exe10"), padding_blind("exe1"));
/// ```
pub fn padding_blind(name: &str) -> String {
    let mut blind = String::with_capacity(name.len());
    let mut chars = name.chars().peekable();
    let mut in_number = false;
    while let Some(char) = chars.next() {
        let digit_follows = chars.peek().is_some_and(char::is_ascii_digit);
        if char == '0' && !in_number && digit_follows {
            continue;
        }
        in_number = char.is_ascii_digit();
        blind.push(char);
    }
    blind
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        natural_cmp(&self.0, &other.0)
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0.into()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
