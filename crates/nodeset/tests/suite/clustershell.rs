//! ClusterShell as the judge: the same expression must name the same nodes in the same order, or be
//! refused by both. What differs is listed, and nothing else may.
//!
//! Needs a Python that imports ClusterShell: `NODESET_PYTHON`, `/usr/bin/python3` or `python3`.
//! `NODESET_CASES` and `NODESET_SEED` change the generated expressions.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use nodeset::{BoxError, ErrorKind, Expression, GroupSource, Limits, Members};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::{generate, names};

/// The groups of both engines: (source, name, members). The first source is the default one.
const GROUPS: &[(&str, &str, &str)] = &[
    ("rack", "R01", "n[1-9]"),
    ("rack", "R02", "n[10-20],exe[001-004]"),
    ("rack", "both", "@R0[1-2]!n4"),
    ("rack", "none", ""),
    ("rack", "*", "n[1-30],exe[001-010],a-b[1-3],login"),
    ("slurm", "idle", "n[5-15]&@rack:both"),
    ("slurm", "R01", "login"),
    ("slurm", "here", "@R01,exe001"),
    ("slurm", "*", "@here,@idle"),
];

/// Answers as ClusterShell does of a table: a group that is not in it is empty.
struct Table;

impl GroupSource for Table {
    fn group(&self, source: Option<&str>, group: &str) -> Result<Members, BoxError> {
        let source = source.unwrap_or(GROUPS[0].0);
        if !GROUPS.iter().any(|known| known.0 == source) {
            return Err("no such source".into());
        }
        let found = GROUPS.iter().find(|known| (known.0, known.1) == (source, group));
        Ok(found.map_or("", |known| known.2).to_owned().into())
    }

    fn all(&self, source: Option<&str>) -> Result<Members, BoxError> {
        self.group(source, "*")
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Answer {
    folded: String,
    names: Vec<String>,
}

type Judged = Option<Answer>;

/// One expression and what became of it on both sides.
#[derive(Debug)]
struct Case {
    text: String,
    ours: Result<Answer, ErrorKind>,
    theirs: Judged,
}

impl Case {
    fn new(text: &str, theirs: Judged) -> Self {
        let evaluated = Expression::parse(text)
            .and_then(|expression| expression.evaluate(&Table, Limits::default()))
            .map(|set| Answer { folded: set.to_string(), names: names(&set) })
            .map_err(|refusal| refusal.kind());
        Self { text: text.to_owned(), ours: evaluated, theirs }
    }

    fn agrees(&self) -> bool {
        match (&self.ours, &self.theirs) {
            (Err(_), None) => true,
            // Several numbers: ClusterShell lists and folds by another rule where the names do not
            // make a full grid. The set must be the same.
            (Ok(ours), Some(theirs)) if ours.names.iter().any(|name| numbers(name).count() > 1) => {
                let set = |answer: &Answer| answer.names.iter().cloned().collect::<BTreeSet<_>>();
                set(ours) == set(theirs)
            }
            // Numbers above 2^64 - 1 are not folded into ranges here.
            (Ok(ours), Some(theirs))
                if ours.names.iter().flat_map(|name| numbers(name)).any(|it| it.len() > 19) =>
            {
                ours.names == theirs.names
            }
            // ClusterShell cuts a range at a change of width once it has met a padded number, as in
            // `n[9,05,10-99,100]`.
            (Ok(ours), Some(theirs)) => {
                let folded_alike = ours.folded == theirs.folded
                    || is_mixed(ours) && ours.folded.len() < theirs.folded.len();
                ours.names == theirs.names && folded_alike
            }
            _ => false,
        }
    }

    fn refused_here_only(&self, kind: ErrorKind) -> bool {
        self.ours == Err(kind) && self.theirs.is_some()
    }

    fn accepted_here_only(&self) -> bool {
        self.ours.is_ok() && self.theirs.is_none()
    }
}

fn numbers(name: &str) -> impl Iterator<Item = &str> {
    name.split(|char: char| !char.is_ascii_digit()).filter(|digits| !digits.is_empty())
}

/// Whether a padded number is among the names, with others.
fn is_mixed(answer: &Answer) -> bool {
    let padded = |digits: &str| digits.len() > 1 && digits.starts_with('0');
    answer.names.iter().flat_map(|name| numbers(name)).any(padded)
}

/// A way in which the engines differ on purpose. The README has a line for each example.
struct Difference {
    example: &'static str,
    /// The example's fold here, `None` if it is refused.
    ours: Option<&'static str>,
    /// The example's fold in ClusterShell.
    theirs: Option<&'static str>,
    explains: fn(&Case) -> bool,
}

const DIFFERENCES: &[Difference] = &[
    Difference {
        example: "a,,b",
        ours: Some("a,b"),
        theirs: None,
        explains: |case| case.accepted_here_only() && misses_operand(&case.text),
    },
    Difference {
        example: "a b",
        ours: Some("a,b"),
        theirs: Some("a b"),
        explains: |case| has_inner_whitespace(&case.text),
    },
    Difference {
        example: "exe1:exe3",
        ours: None,
        theirs: Some("exe1:exe3"),
        explains: |case| case.refused_here_only(ErrorKind::UnexpectedCharacter),
    },
    Difference {
        example: "exe[+1]",
        ours: None,
        theirs: Some("exe1"),
        explains: |case| case.refused_here_only(ErrorKind::UnexpectedCharacter),
    },
    Difference {
        example: "exe[1-3],-exe2",
        ours: None,
        theirs: Some("-exe2,exe[1-3]"),
        explains: |case| case.refused_here_only(ErrorKind::LeadingHyphen),
    },
    Difference {
        example: "exe[-1-2]",
        ours: None,
        theirs: Some("exe[-1-2]"),
        explains: |case| case.refused_here_only(ErrorKind::MissingNumber),
    },
    Difference {
        example: "exe1[8-12]",
        ours: None,
        theirs: Some("exe[18-112]"),
        explains: |case| case.refused_here_only(ErrorKind::GluedDigits),
    },
    Difference {
        example: "exe1[9,10]",
        ours: None,
        theirs: Some("exe[19-110]"),
        explains: |case| case.refused_here_only(ErrorKind::GluedDigits),
    },
    Difference {
        example: "exe[0-00]",
        ours: None,
        theirs: Some("exe0"),
        explains: |case| {
            case.refused_here_only(ErrorKind::PaddingMismatch) && case.text.contains("-00")
        },
    },
    Difference {
        example: "exe[0-4/2]0",
        ours: Some("exe[00,20,40]"),
        theirs: None,
        explains: |case| case.accepted_here_only() && digits_follow_bracket(&case.text),
    },
    Difference {
        example: "exe[0-10]0",
        ours: Some("exe[00,10,20,30,40,50,60,70,80,90,100]"),
        theirs: None,
        explains: |case| case.accepted_here_only() && digits_follow_bracket(&case.text),
    },
    Difference {
        example: "exe[1-2/18446744073709551616]",
        ours: None,
        theirs: Some("exe1"),
        explains: |case| case.refused_here_only(ErrorKind::NumberTooLarge),
    },
    Difference {
        example: "@rack:",
        ours: None,
        theirs: Some(""),
        explains: |case| case.refused_here_only(ErrorKind::EmptyGroup),
    },
    Difference {
        example: "@@slurm",
        ours: None,
        theirs: Some("R01,here,idle"),
        explains: |case| case.refused_here_only(ErrorKind::UnsupportedGroup),
    },
    Difference {
        example: "@rack:R*",
        ours: None,
        theirs: Some(""),
        explains: |case| case.refused_here_only(ErrorKind::UnsupportedGroup),
    },
    Difference {
        example: "exe9*",
        ours: None,
        theirs: Some(""),
        explains: |case| case.refused_here_only(ErrorKind::NoMatch),
    },
];

/// A comma with nothing on one side.
fn misses_operand(text: &str) -> bool {
    let bare: String = text.chars().filter(|char| !char.is_whitespace()).collect();
    bare.starts_with(',') || bare.ends_with(',') || bare.contains(",,")
}

fn digits_follow_bracket(text: &str) -> bool {
    text.split(']').skip(1).any(|after| after.starts_with(|char: char| char.is_ascii_digit()))
}

/// Whitespace that no operator stands beside.
fn has_inner_whitespace(text: &str) -> bool {
    let operator = |char: char| matches!(char, ',' | '!' | '&' | '^');
    text.trim().match_indices(char::is_whitespace).any(|(at, _)| {
        let (before, after) = text.trim().split_at(at);
        !before.trim_end().ends_with(operator) && !after.trim_start().starts_with(operator)
    })
}

#[test]
fn every_listed_difference_is_still_there_and_in_the_readme() {
    let readme = include_str!("../../README.md");
    let examples: Vec<String> = DIFFERENCES.iter().map(|known| known.example.to_owned()).collect();
    let Some(cases) = judge(&examples) else { return };
    for (known, case) in DIFFERENCES.iter().zip(&cases) {
        let ours = case.ours.as_ref().ok().map(|answer| answer.folded.as_str());
        let theirs = case.theirs.as_ref().map(|answer| answer.folded.as_str());
        assert_eq!((ours, theirs), (known.ours, known.theirs), "{}", known.example);
        assert!(!case.agrees() && (known.explains)(case), "{}", known.example);
        assert!(
            readme.contains(&format!("| `{}` |", known.example)),
            "{} is not in the README",
            known.example
        );
    }
}

#[test]
fn generated_expressions_name_the_same_nodes() {
    let groups = prop::sample::select(vec![
        "@R01",
        "@rack:R02",
        "@rack:both",
        "@both",
        "@slurm:idle",
        "@slurm:here",
        "@slurm:*",
        "@*",
        "@none",
        "@rack:R0[1-2]",
        "n1*",
        "exe00?",
        "*",
        "n[1-2]?",
    ]);
    let operand = prop_oneof![5 => generate::nodes(), 1 => groups.prop_map(str::to_owned)];
    compare(&generate::expression(operand), 2000);
}

#[test]
fn expressions_with_a_slip_in_them_are_refused_alike() {
    const SLIPS: &str = "[],-!&^@*?:/ 0129an_.%+";
    let slip = prop::sample::select(SLIPS.chars().collect::<Vec<_>>());
    let slips = prop::collection::vec((any::<prop::sample::Index>(), slip, 0..3), 1..3);
    let mutated = (generate::expression(generate::nodes()), slips).prop_map(|(text, slips)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, char, kind) in slips {
            let at = at.index(chars.len().max(1));
            match kind {
                0 => chars.insert(at, char),
                1 if at < chars.len() => chars[at] = char,
                _ if at < chars.len() => drop(chars.remove(at)),
                _ => {}
            }
        }
        chars.into_iter().collect()
    });
    compare(&mutated, 2000);
}

fn compare(expressions: &impl Strategy<Value = String>, cases: usize) {
    let number = |name| std::env::var(name).ok().map(|value| value.parse::<usize>().unwrap());
    let seed = u8::try_from(number("NODESET_SEED").unwrap_or(1)).unwrap();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let texts: Vec<String> = (0..number("NODESET_CASES").unwrap_or(cases))
        .map(|_| expressions.new_tree(&mut runner).unwrap().current())
        .collect();
    let Some(cases) = judge(&texts) else { return };

    let unlisted: Vec<&Case> = cases
        .iter()
        .filter(|case| !case.agrees())
        .filter(|case| !DIFFERENCES.iter().any(|known| (known.explains)(case)))
        .collect();
    assert!(
        unlisted.is_empty(),
        "{} of {}: {:#?}",
        unlisted.len(),
        cases.len(),
        &unlisted[..unlisted.len().min(5)]
    );
    // The judge is worth something only if it accepts a fair share.
    let accepted = cases.iter().filter(|case| case.ours.is_ok() && case.theirs.is_some()).count();
    assert!(accepted * 10 > cases.len(), "{accepted} of {} accepted", cases.len());
}

/// All expressions in one run of ClusterShell, or `None` where it is not installed.
fn judge(texts: &[String]) -> Option<Vec<Case>> {
    let Some(python) = python() else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "ClusterShell is not installed");
        println!("skipped: no Python here imports ClusterShell");
        return None;
    };
    let mut input = String::new();
    for (source, name, members) in GROUPS {
        let _ = writeln!(input, "group\t{source}\t{name}\t{members}");
    }
    for text in texts {
        assert!(!text.contains(['\t', '\n']), "{text:?} cannot be sent");
        let _ = writeln!(input, "set\t{text}");
    }
    let mut child = Command::new(python)
        .args(["-c", include_str!("clustershell.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "the judge failed");

    let output = String::from_utf8(output.stdout).unwrap();
    let mut lines = output.lines();
    println!("judged by ClusterShell, {}", lines.next().unwrap());
    let cases: Vec<Case> =
        texts.iter().zip(lines).map(|(text, line)| Case::new(text, answer(line))).collect();
    assert_eq!(cases.len(), texts.len(), "an answer is missing");
    Some(cases)
}

fn answer(line: &str) -> Judged {
    let mut fields = line.split('\t').map(str::to_owned);
    match fields.next().as_deref() {
        Some("set") => Some(Answer { folded: fields.next().unwrap(), names: fields.collect() }),
        Some("refused") => None,
        other => panic!("{other:?} is no answer"),
    }
}

fn python() -> Option<String> {
    let chosen = std::env::var("NODESET_PYTHON").ok();
    let candidates =
        chosen.into_iter().chain(["/usr/bin/python3".to_owned(), "python3".to_owned()]);
    candidates.into_iter().find(|python| {
        let mut probe = Command::new(python);
        probe.args(["-c", "import ClusterShell"]).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    })
}
