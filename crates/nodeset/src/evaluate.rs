//! From an expression to the set it names.

use crate::error::{Error, ErrorKind};
use crate::expression::{Expression, Group, Operand, Operator, Term};
use crate::group::{BoxError, GroupSource, Members};
use crate::name::{self, MAX_LENGTH, Name};
use crate::pattern::Pattern;
use crate::set::NodeSet;
use crate::wildcard;

/// Groups may name groups this many levels deep.
const MAX_DEPTH: usize = 16;

/// What an evaluation may cost.
///
/// Time and memory grow with the names an expression *expands*, however few of them are left in the
/// end: `exe[1-1000000]!exe[1-1000000]` is the empty set and two million names of work. Both limits
/// are 2^20 unless set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most names the result may have.
    pub names: usize,
    /// The most names all operands together may expand to, those of groups included. An operand
    /// counts as one name at least, one with wildcards as the number of comparisons it takes.
    pub work: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { names: 1 << 20, work: 1 << 20 }
    }
}

impl Expression<'_> {
    /// The set that the expression names, in natural order.
    ///
    /// Fails where the group source does, where a wildcard matches nothing, and beyond the limits.
    pub fn evaluate(&self, groups: &dyn GroupSource, limits: Limits) -> Result<NodeSet, Error> {
        let mut evaluation = Evaluation { groups, limits, spent: 0, within: Vec::new() };
        let set = evaluation.expression(self, None)?;
        if set.len() > limits.names {
            let reason = format!("the set has {} names", set.len());
            return Err(Error::new(ErrorKind::TooManyNames, 0..self.text.len(), reason)
                .expected(format!("at most {}", limits.names))
                .within(self.text));
        }
        Ok(set)
    }
}

struct Evaluation<'g> {
    groups: &'g dyn GroupSource,
    limits: Limits,
    spent: usize,
    /// The groups whose text is being evaluated, outermost first.
    within: Vec<GroupName>,
}

/// `name` is `None` for all nodes of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GroupName {
    source: Option<String>,
    name: Option<String>,
}

/// Every name that an operand yields, with the operand's number.
type Occurrences = Vec<(Name, usize)>;

impl Evaluation<'_> {
    /// `source` is where groups without one of their own are looked up.
    fn expression(
        &mut self,
        expression: &Expression<'_>,
        source: Option<&str>,
    ) -> Result<NodeSet, Error> {
        let mut occurrences = Occurrences::new();
        for (number, term) in expression.terms.iter().enumerate() {
            self.term(term, source, &mut |name| occurrences.push((name, number)))
                .map_err(|refusal| refusal.at(term.span.clone()).within(expression.text))?;
        }
        Ok(combine(occurrences, &expression.terms))
    }

    fn term(
        &mut self,
        term: &Term<'_>,
        source: Option<&str>,
        yields: &mut dyn FnMut(Name),
    ) -> Result<(), Error> {
        match &term.operand {
            Operand::Node(name) => {
                self.spend(1)?;
                yields(Name::checked(name));
                Ok(())
            }
            Operand::Nodes(pattern) => {
                self.spend(pattern.count())?;
                pattern.expand(&mut |name| {
                    fits(name)?;
                    yields(Name::checked(name));
                    Ok(())
                })
            }
            Operand::Wildcard(mask) => self.wildcard(mask, source, yields),
            Operand::Group { source: None, group } => self.group(source, group, yields),
            Operand::Group { source: Some(sources), group } => sources.expand(&mut |source| {
                fits(source)?;
                self.group(Some(source), group, yields)
            }),
        }
    }

    fn group(
        &mut self,
        source: Option<&str>,
        group: &Group<'_>,
        yields: &mut dyn FnMut(Name),
    ) -> Result<(), Error> {
        match group {
            Group::All => {
                self.members(source, None)?.into_iter().for_each(yields);
                Ok(())
            }
            Group::Named(pattern) => pattern.expand(&mut |name| {
                fits(name)?;
                self.members(source, Some(name))?.into_iter().for_each(&mut *yields);
                Ok(())
            }),
        }
    }

    fn wildcard(
        &mut self,
        mask: &Pattern<'_>,
        source: Option<&str>,
        yields: &mut dyn FnMut(Name),
    ) -> Result<(), Error> {
        let all = self.members(source, None)?;
        self.spend(mask.count().saturating_mul(all.len().max(1)))?;
        let mut matched = false;
        mask.expand(&mut |mask| {
            for name in all.iter().filter(|name| wildcard::matches(mask, name.as_str())) {
                matched = true;
                yields(name.clone());
            }
            Ok(())
        })?;
        if matched {
            return Ok(());
        }
        Err(Error::new(ErrorKind::NoMatch, 0..0, "the wildcard matches no node")
            .expected("one that matches a name of `@*`"))
    }

    /// The nodes of a group, or of a whole source.
    fn members(&mut self, source: Option<&str>, name: Option<&str>) -> Result<NodeSet, Error> {
        let group = GroupName { source: source.map(str::to_owned), name: name.map(str::to_owned) };
        let answer = match name {
            Some(name) => self.groups.group(source, name),
            None => self.groups.all(source),
        };
        let text = match answer {
            Ok(Members::Nodes(set)) => {
                self.spend(set.len().max(1))?;
                return Ok(set);
            }
            Ok(Members::Expression(text)) => text,
            Err(error) => {
                return Err(group.refuse(ErrorKind::GroupSource, "could not be resolved", error));
            }
        };
        if self.within.contains(&group) {
            return Err(Error::new(
                ErrorKind::GroupCycle,
                0..0,
                format!("{} contains itself", group.label()),
            ));
        }
        if self.within.len() == MAX_DEPTH {
            let reason = format!("{} is nested too deep", group.label());
            return Err(Error::new(ErrorKind::GroupDepth, 0..0, reason)
                .expected(format!("groups at most {MAX_DEPTH} levels deep")));
        }
        let before = self.spent;
        self.within.push(group.clone());
        let set = Expression::parse(&text).and_then(|inner| self.expression(&inner, source));
        self.within.pop();
        let set = set.map_err(|inner| {
            group.refuse(ErrorKind::GroupMembers, "has members that are refused", inner.into())
        })?;
        // Empty groups cost something too, or groups of groups of nothing would cost nothing.
        self.spend(usize::from(self.spent == before))?;
        Ok(set)
    }

    fn spend(&mut self, names: usize) -> Result<(), Error> {
        self.spent = self.spent.saturating_add(names);
        if self.spent <= self.limits.work {
            return Ok(());
        }
        Err(Error::new(ErrorKind::TooManyNames, 0..0, "the expression expands to too many names")
            .expected(format!("at most {}, groups included", self.limits.work)))
    }
}

fn fits(name: &str) -> Result<(), Error> {
    if name.len() <= MAX_LENGTH { Ok(()) } else { Err(name::wrong_length(0..0)) }
}

impl GroupName {
    fn label(&self) -> String {
        let name = self.name.as_deref().unwrap_or("*");
        match &self.source {
            Some(source) => format!("`@{source}:{name}`"),
            None => format!("`@{name}`"),
        }
    }

    fn refuse(&self, kind: ErrorKind, reason: &str, source: BoxError) -> Error {
        Error::new(kind, 0..0, format!("{} {reason}", self.label())).caused_by(source)
    }
}

/// Applies the operators from left to right, for each name by itself.
///
/// A name changes only at the operands it occurs in, and at an intersection with one it does not.
/// So its fate follows from its own occurrences and the places of `&`, and the whole costs one sort
/// of what was expanded, however many operators there are.
fn combine(mut occurrences: Occurrences, terms: &[Term<'_>]) -> NodeSet {
    // Stable: the occurrences of one name stay in the order of the operands.
    occurrences.sort_by(|(left, _), (right, _)| left.cmp(right));
    // For each operand, how many of those before it are joined with `&`.
    let counted = terms.iter().scan(0, |so_far, term| {
        *so_far += usize::from(term.operator == Operator::Intersection);
        Some(*so_far)
    });
    let intersections: Vec<usize> = std::iter::once(0).chain(counted).collect();
    let dropped = |from: usize, to: usize| intersections[from] != intersections[to];
    let kept = |fate: Fate| (fate.is_in && !dropped(fate.next, terms.len())).then_some(fate.name);

    let mut names = Vec::new();
    let mut current: Option<Fate> = None;
    for (name, operand) in occurrences {
        let mut fate = match current.take() {
            Some(fate) if fate.name == name => fate,
            finished => {
                names.extend(finished.and_then(kept));
                Fate { name, is_in: false, next: 0 }
            }
        };
        // Doubles within one operand, as in `exe[1,1]`, count once.
        if fate.next <= operand {
            fate.is_in &= !dropped(fate.next, operand);
            fate.is_in = match terms[operand].operator {
                Operator::Union => true,
                Operator::Difference => false,
                Operator::Intersection => fate.is_in,
                Operator::SymmetricDifference => !fate.is_in,
            };
            fate.next = operand + 1;
        }
        current = Some(fate);
    }
    names.extend(current.and_then(kept));
    NodeSet::from_sorted(names)
}

/// What has become of a name before the operand `next`.
struct Fate {
    name: Name,
    is_in: bool,
    next: usize,
}
