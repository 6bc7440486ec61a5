//! Groups and wildcards.

use std::cell::RefCell;

use nodeset::{BoxError, ErrorKind, Expression, GroupSource, Limits, Members, NodeSet};

/// The error of a source, to be found again behind the refusal.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
struct Failure(&'static str);

/// Groups from a table; remembers what it was asked.
#[derive(Default)]
struct Table {
    asked: RefCell<Vec<String>>,
}

impl Table {
    fn look_up(&self, key: String) -> Result<Members, BoxError> {
        let members = match key.as_str() {
            "R01" | "rack:R01" => "exe[01-04]",
            "rack:R02" => "exe[05-08] exe09\n",
            "rack:both" => "@R01,@R02",
            "rack:far" => "@slurm:idle&@both",
            "rack:gpu/a100" => "gpu[1-2]",
            "slurm:idle" => "exe[03-06]",
            "slurm:user:bob" => "exe01",
            "none" => "",
            "rack:loop" => "exe01,@rack:turn",
            "rack:turn" => "@loop",
            "broken" => "exe01,exe[1-",
            "*" | "rack:*" => "@rack:both,login,gpu[1-2]",
            "wild:*" => "exe*",
            "deep" => "@deeper",
            "gone" => return Err(Failure("unreachable").into()),
            "set" => return Ok("exe[1-2]".parse::<NodeSet>()?.into()),
            _ => return Err(Failure("no such group").into()),
        };
        self.asked.borrow_mut().push(key);
        Ok(members.to_owned().into())
    }
}

impl GroupSource for Table {
    fn group(&self, source: Option<&str>, group: &str) -> Result<Members, BoxError> {
        self.look_up(source.map_or(group.to_owned(), |source| format!("{source}:{group}")))
    }

    fn all(&self, source: Option<&str>) -> Result<Members, BoxError> {
        self.group(source, "*")
    }
}

fn evaluate(text: &str) -> Result<NodeSet, nodeset::Error> {
    Expression::parse(text)?.evaluate(&Table::default(), Limits::default())
}

#[track_caller]
fn folds(text: &str, expected: &str) {
    assert_eq!(evaluate(text).unwrap().to_string(), expected, "{text}");
}

#[track_caller]
fn refuses(text: &str, kind: ErrorKind) -> nodeset::Error {
    let refusal = evaluate(text).unwrap_err();
    assert_eq!(refusal.kind(), kind, "{text}: {refusal}");
    refusal
}

#[test]
fn groups_are_operands() {
    folds("@R01", "exe[01-04]");
    folds("@rack:R01!exe02", "exe[01,03-04]");
    folds("exe02&@rack:R01", "exe02");
    folds("@rack:R0[1-2]", "exe[01-09]");
    folds("@rack:gpu/a100", "gpu[1-2]");
    folds("@slurm:user:bob", "exe01");
    folds("@set", "exe[1-2]");
    folds("@none", "");
}

#[test]
fn a_group_within_a_group_is_looked_up_where_that_came_from() {
    folds("@rack:both", "exe[01-09]");
    folds("@rack:far", "exe[03-06]");
}

#[test]
fn all_nodes_are_a_group() {
    folds("@*", "exe[01-09],gpu[1-2],login");
    folds("@rack:*!@rack:both", "gpu[1-2],login");
}

#[test]
fn wildcards_are_matched_with_all_nodes() {
    folds("exe*", "exe[01-09]");
    folds("exe0?&@rack:R01", "exe[01-04]");
    folds("*!exe*", "gpu[1-2],login");
    folds("?[x-y]".replace("[x-y]", "xe0[1-2]*").as_str(), "exe[01-02]");
    refuses("exe1*", ErrorKind::NoMatch);
}

#[test]
fn the_error_of_the_source_passes_through() {
    let refusal = refuses("exe1,@gone", ErrorKind::GroupSource);
    assert_eq!(refusal.cause(), Some(&Failure("unreachable")));
    assert_eq!(refusal.to_string(), "`@gone` could not be resolved");
    assert_eq!(refusal.span(), 5..10);

    let refusal = refuses("@deep", ErrorKind::GroupMembers);
    assert_eq!(refusal.cause(), Some(&Failure("no such group")));
    assert_eq!(refusal.span(), 0..5);
}

#[test]
fn what_is_wrong_inside_a_group_is_shown_in_its_own_text() {
    let refusal = refuses("login,@broken", ErrorKind::GroupMembers);
    assert_eq!(refusal.text(), "login,@broken");
    let inner = refusal.cause::<nodeset::Error>().unwrap();
    assert_eq!((inner.kind(), inner.text()), (ErrorKind::UnclosedBracket, "exe01,exe[1-"));
}

#[test]
fn groups_that_contain_themselves_are_refused() {
    for text in ["@rack:loop", "@wild:*"] {
        let mut refusal = &evaluate(text).unwrap_err();
        while let Some(inner) = refusal.cause() {
            refusal = inner;
        }
        assert_eq!(refusal.kind(), ErrorKind::GroupCycle, "{text}");
    }
}

#[test]
fn groups_nest_sixteen_levels_deep_and_no_deeper() {
    struct Chain;
    impl GroupSource for Chain {
        fn group(&self, _source: Option<&str>, group: &str) -> Result<Members, BoxError> {
            let left: usize = group.parse()?;
            Ok(if left == 1 { "exe1".to_owned() } else { format!("@{}", left - 1) }.into())
        }

        fn all(&self, _source: Option<&str>) -> Result<Members, BoxError> {
            Err("not asked".into())
        }
    }
    let deep = |levels: usize| {
        let text = format!("@{levels}");
        Expression::parse(&text).unwrap().evaluate(&Chain, Limits::default())
    };
    assert_eq!(deep(16).unwrap().to_string(), "exe1");
    assert!(deep(17).is_err());
}

#[test]
fn parsing_asks_nobody() {
    let table = Table::default();
    let expression = Expression::parse("@rack:R01,exe*!@*").unwrap();
    assert!(expression.needs_groups());
    assert!(table.asked.borrow().is_empty());
    expression.evaluate(&table, Limits::default()).unwrap();
    assert!(!table.asked.borrow().is_empty());
    assert!(!Expression::parse("exe[1-3]!exe2").unwrap().needs_groups());
}

#[test]
fn without_a_source_every_group_is_refused() {
    for text in ["@R01", "@*", "exe*"] {
        let refusal = text.parse::<NodeSet>().unwrap_err();
        assert_eq!(refusal.kind(), ErrorKind::GroupSource, "{text}");
    }
}
