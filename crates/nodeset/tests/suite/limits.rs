//! Expressions that would cost too much, and sets that are merely large.

use std::time::{Duration, Instant};

use nodeset::{
    BoxError, Error, ErrorKind, Expression, GroupSource, Limits, Members, NoGroups, NodeSet,
};

/// The largest set that the default limits allow.
const MOST: usize = 1 << 20;

fn refused(text: &str) -> bool {
    text.parse::<NodeSet>().is_err_and(|refusal| refusal.kind() == ErrorKind::TooManyNames)
}

#[test]
fn expansions_beyond_the_limit_are_refused_before_they_are_made() {
    for text in [
        "exe[0-18446744073709551615]",
        "a[0-99999]b[0-99999]c[0-99999]d[0-99999]e[0-99999]",
        "n[1-2000000]!n[1-2000000]",
    ] {
        assert!(refused(text), "{text}");
    }
}

fn within(text: &str, names: usize, work: usize) -> Result<NodeSet, Error> {
    Expression::parse(text).unwrap().evaluate(&NoGroups, Limits { names, work })
}

#[test]
fn work_counts_even_if_nothing_is_left_of_it() {
    let big = "n[1-400]";
    assert!(within(&format!("{big}!{big}"), 1000, 1000).unwrap().is_empty());
    assert!(within(&format!("{big}!{big},{big}!{big}"), 1000, 1000).is_err());
    assert!(within(&format!("{big}&{big}&{big}"), 1000, 1000).is_err());
}

#[test]
fn the_result_has_a_limit_of_its_own() {
    assert!(within("n[1-4]", 4, 4).is_ok());
    assert!(within("n[1-4]", 3, 4).is_err());
    assert!(within("n[1-4]!n1", 3, 5).is_ok());
    assert!(within("n[1-4]!n1", 3, 4).is_err());
}

/// Groups that hold many names, that many groups, or nothing but groups of nothing.
struct Greedy;

impl GroupSource for Greedy {
    fn group(&self, _source: Option<&str>, group: &str) -> Result<Members, BoxError> {
        Ok(match group {
            "big" => "n[1-600]".to_owned().into(),
            "set" => "n[1-600]".parse::<NodeSet>()?.into(),
            "0" => String::new().into(),
            level => {
                let below = format!("@{}", level.parse::<usize>()? - 1);
                vec![below; 100].join(",").into()
            }
        })
    }

    fn all(&self, _source: Option<&str>) -> Result<Members, BoxError> {
        Ok("n[1-200]".to_owned().into())
    }
}

#[test]
fn the_names_of_groups_count() {
    for text in ["@big!@big", "@set!@set", "@big!@set", "@9", "n1*,n1*,n1*", "n[1-9]*!n1"] {
        let limits = Limits { names: 1000, work: 1000 };
        let evaluated = Expression::parse(text).unwrap().evaluate(&Greedy, limits);
        let mut refusal = &evaluated.expect_err(text);
        while let Some(inner) = refusal.cause::<Error>() {
            refusal = inner;
        }
        assert_eq!(refusal.kind(), ErrorKind::TooManyNames, "{text}");
    }
}

/// Groups that all exist and hold nothing.
struct Nothing;

impl GroupSource for Nothing {
    fn group(&self, _source: Option<&str>, _group: &str) -> Result<Members, BoxError> {
        Ok(NodeSet::new().into())
    }

    fn all(&self, _source: Option<&str>) -> Result<Members, BoxError> {
        Ok(NodeSet::new().into())
    }
}

#[test]
fn masks_and_groups_without_end_are_refused_even_where_there_are_no_nodes() {
    let most = u64::MAX;
    for text in [format!("n[0-{most}]*"), format!("@g[0-{most}]"), format!("@s[0-{most}]:*")] {
        let evaluated = Expression::parse(&text).unwrap().evaluate(&Nothing, Limits::default());
        assert_eq!(evaluated.expect_err(&text).kind(), ErrorKind::TooManyNames, "{text}");
    }
}

/// Doubling what is named may not cost much more than double. Generous, as the machine is shared.
#[test]
fn cost_grows_with_the_names_and_not_with_operators_or_scatter() {
    let time = |text: &str| {
        let start = Instant::now();
        let set: NodeSet = text.parse().unwrap();
        assert_eq!(set.to_string().parse::<NodeSet>().unwrap(), set);
        start.elapsed().max(Duration::from_millis(1))
    };
    let alternating = |count: usize| {
        let tail: Vec<String> = (0..count).map(|at| format!("!n{at},n{at}^m{at}")).collect();
        format!("n[1-{count}]{}", tail.concat())
    };
    // Points on a coarse grid: hardly any two fold together.
    let scattered = |count: usize| {
        let points =
            (0..count).map(|at| format!("r{}c{}n{}", at * 7919 % 997, at * 104_729 % 991, at));
        points.collect::<Vec<_>>().join(",")
    };
    for text in [&alternating as &dyn Fn(usize) -> String, &scattered] {
        let (small, large) = (time(&text(1_000)), time(&text(16_000)));
        assert!(large < small * 16 * 8, "{small:?} for 1,000 and {large:?} for 16,000");
    }
}

/// Runs [`the_largest_set`] in a process of its own, whose memory is then that set's.
#[test]
fn the_largest_set_stays_within_its_stated_cost() {
    let program = std::env::current_exe().unwrap();
    let child = std::process::Command::new(program)
        .args(["--exact", "limits::the_largest_set", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && output.contains("1 passed"), "{output}");
    println!("{output}");
}

#[test]
#[ignore = "measures its own process; the_largest_set_stays_within_its_stated_cost runs it"]
fn the_largest_set() {
    let folded = format!("exe[0000001-{MOST}]");
    let set: NodeSet = folded.parse().unwrap();
    assert_eq!((set.len(), set.to_string()), (MOST, folded));
    let took = processor_time();
    assert!(refused(&format!("exe[1-{}]", MOST + 1)));

    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("2^20 names: {took:?}, {} MiB", peak >> 10);
    assert!(peak >> 10 < 260, "{peak} KiB");
    // Unoptimised code is some ten times slower.
    assert!(cfg!(debug_assertions) || took < Duration::from_secs(1), "{took:?}");
}

/// What this process has computed so far: `proc_pid_stat(5)`, utime and stime in hundredths.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    Duration::from_millis(10 * ticks.map(|ticks| ticks.parse::<u64>().unwrap()).sum::<u64>())
}
