//! The grammar: operands and operators, from left to right.

use std::ops::Range;

use crate::error::{Error, ErrorKind};
use crate::name;
use crate::pattern::{Alphabet, Pattern};
use crate::scan::Scan;

/// A node set expression whose grammar has been checked; its groups have not been asked for.
///
/// ```
/// use nodeset::Expression;
///
/// assert!(Expression::parse("@rack:R01!exe[1-3]")?.needs_groups());
/// assert!(Expression::parse("@rack:").is_err());
/// # Ok::<(), nodeset::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Expression<'a> {
    pub(crate) text: &'a str,
    pub(crate) terms: Vec<Term<'a>>,
}

/// One operand and how it is joined with what stands before it. The first is a union.
#[derive(Debug, Clone)]
pub(crate) struct Term<'a> {
    pub(crate) operator: Operator,
    pub(crate) operand: Operand<'a>,
    pub(crate) span: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Union,
    Difference,
    Intersection,
    SymmetricDifference,
}

#[derive(Debug, Clone)]
pub(crate) enum Operand<'a> {
    Node(&'a str),
    Nodes(Pattern<'a>),
    Wildcard(Pattern<'a>),
    Group { source: Option<Pattern<'a>>, group: Group<'a> },
}

#[derive(Debug, Clone)]
pub(crate) enum Group<'a> {
    All,
    Named(Pattern<'a>),
}

impl<'a> Expression<'a> {
    /// Checks the grammar.
    ///
    /// The empty text is the empty set; so are the missing operands of a union (`a,`, `a,,b`).
    /// `!`, `&` and `^` need a set on both sides.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        terms(&mut Scan::new(text))
            .map(|terms| Self { text, terms })
            .map_err(|refusal| refusal.within(text))
    }

    /// Whether evaluating it asks the group source: it names a group or holds a wildcard.
    pub fn needs_groups(&self) -> bool {
        let asks =
            |term: &Term<'_>| matches!(term.operand, Operand::Group { .. } | Operand::Wildcard(_));
        self.terms.iter().any(asks)
    }
}

/// What stands to the left of the cursor.
enum Left {
    /// Nothing, or a comma: the next operand is joined to the set so far.
    Open,
    Operand,
    Operator(Operator, Range<usize>),
}

fn terms<'a>(scan: &mut Scan<'a>) -> Result<Vec<Term<'a>>, Error> {
    let mut terms = Vec::new();
    let mut left = Left::Open;
    loop {
        scan.skip_whitespace();
        let here = scan.here();
        let Some(char) = scan.peek() else { break };
        let operator = match char {
            ',' => Some(Operator::Union),
            '!' => Some(Operator::Difference),
            '&' => Some(Operator::Intersection),
            '^' => Some(Operator::SymmetricDifference),
            _ => None,
        };
        left = match (operator, left) {
            (Some(_), Left::Operator(_, before)) => return Err(nothing_after(scan, before)),
            (Some(Operator::Union), _) => {
                scan.bump();
                Left::Open
            }
            (Some(operator), Left::Operand) => {
                scan.bump();
                Left::Operator(operator, here)
            }
            (Some(_), Left::Open) => {
                let reason = format!("`{char}` has no set before it");
                return Err(Error::new(ErrorKind::MissingOperand, here, reason)
                    .expected("a node or a group"));
            }
            (None, left) => {
                let operator = match left {
                    Left::Operator(operator, _) => operator,
                    Left::Open | Left::Operand => Operator::Union,
                };
                let operand = operand(scan)?;
                terms.push(Term { operator, operand, span: here.start..scan.at() });
                Left::Operand
            }
        };
    }
    match left {
        Left::Operator(_, before) => Err(nothing_after(scan, before)),
        Left::Open | Left::Operand => Ok(terms),
    }
}

fn nothing_after(scan: &Scan<'_>, operator: Range<usize>) -> Error {
    let symbol = scan.between(operator.start, operator.end);
    let reason = format!("`{symbol}` has no set after it");
    Error::new(ErrorKind::MissingOperand, operator.start..scan.here().end, reason)
        .expected("a node or a group")
}

fn operand<'a>(scan: &mut Scan<'a>) -> Result<Operand<'a>, Error> {
    match scan.peek() {
        Some('@') => group(scan),
        Some('-') => Err(name::leading_hyphen(scan.at())),
        _ => {
            let pattern = Pattern::scan(scan, Alphabet::Node)?;
            Ok(if pattern.is_wildcard() {
                Operand::Wildcard(pattern)
            } else if let Some(name) = pattern.as_single() {
                Operand::Node(name)
            } else {
                Operand::Nodes(pattern)
            })
        }
    }
}

fn group<'a>(scan: &mut Scan<'a>) -> Result<Operand<'a>, Error> {
    let start = scan.at();
    scan.bump();
    if scan.peek() == Some('@') {
        let reason = "the names of groups are not a set of nodes";
        return Err(Error::new(ErrorKind::UnsupportedGroup, start..scan.here().end, reason)
            .expected("`@group`, or `@source:*` for the nodes of all groups"));
    }
    if all(scan) {
        return Ok(Operand::Group { source: None, group: Group::All });
    }
    let first = Pattern::scan(scan, Alphabet::Source)?;
    let end = scan.at();
    let in_source = scan.eat(':');
    let empty = |end: usize, reason: &str| {
        Error::new(ErrorKind::EmptyGroup, start..end, reason)
            .expected("`@group` or `@source:group`")
    };
    if !in_source {
        return if first.is_empty() {
            Err(empty(end, "`@` names no group"))
        } else {
            Ok(Operand::Group { source: None, group: Group::Named(first) })
        };
    }
    if first.is_empty() {
        return Err(empty(scan.at(), "the group's source is empty"));
    }
    if all(scan) {
        return Ok(Operand::Group { source: Some(first), group: Group::All });
    }
    let group = Pattern::scan(scan, Alphabet::Group)?;
    if group.is_empty() {
        return Err(empty(scan.at(), "the group's name is empty"));
    }
    Ok(Operand::Group { source: Some(first), group: Group::Named(group) })
}

/// Steps over a `*` that is all of a group's name.
fn all(scan: &mut Scan<'_>) -> bool {
    let mut ahead = scan.clone();
    if !ahead.eat('*') || !ahead.at_boundary() {
        return false;
    }
    *scan = ahead;
    true
}
