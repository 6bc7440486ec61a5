//! docs/testing.md lists every property that a test is named after, and no test that there is not.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

use crate::check::sources;
use crate::program::{Failure, root};

const LIST: &str = "docs/testing.md";

pub(crate) fn violations() -> Result<Vec<String>, Failure> {
    let Ok(list) = std::fs::read_to_string(root().join(LIST)) else {
        return Ok(vec![format!("{LIST} is not there")]);
    };
    let sources = sources::below(&["crates", "fuzz", "tests"])?;
    let texts = sources.iter().map(|source| source.text.as_str());
    let functions: BTreeSet<&str> = texts.flat_map(str::lines).filter_map(function).collect();
    let paths = sources.iter().map(|source| source.path.with_extension(""));
    let modules: BTreeSet<OsString> =
        paths.flat_map(|path| path.iter().map(OsStr::to_owned).collect::<Vec<_>>()).collect();
    let unlisted = functions
        .iter()
        .flat_map(|name| properties(name).map(move |property| (name, property)))
        .filter(|(_, property)| !list.contains(property.as_str()))
        .map(|(name, property)| format!("{LIST} does not list {property}, which {name} tests"));
    let is_there = |test: &str| {
        if test.contains('/') {
            return root().join(test).exists();
        }
        let name = test.rsplit("::").next().unwrap_or(test);
        match name.strip_suffix('…') {
            Some(start) => functions.iter().any(|function| function.starts_with(start)),
            None => functions.contains(name) || modules.contains(OsStr::new(name)),
        }
    };
    let gone = tests(&list).filter(|test| !is_there(test));
    let gone = gone.map(|test| format!("{LIST} lists {test}, which is no test"));
    Ok(unlisted.chain(gone).collect())
}

/// The name of the function that a line begins.
fn function(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("fn ")?.split(['(', '<']).next()
}

/// The properties at the head of a test's name: `sg06_sg07_…` names SG-06 and SG-07.
fn properties(name: &str) -> impl Iterator<Item = String> {
    name.split('_').map_while(|word| {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &word[letters.len()..];
        let is_property = (1..=2).contains(&letters.len())
            && number.len() == 2
            && letters.chars().all(|c| c.is_ascii_lowercase());
        is_property.then(|| format!("{}-{number}", letters.to_ascii_uppercase()))
    })
}

/// What the last cell of each row names in backticks.
fn tests(list: &str) -> impl Iterator<Item = &str> {
    let rows = list.split("## Properties").nth(1).unwrap_or_default().lines();
    rows.filter_map(|row| row.strip_suffix(" |")?.rsplit(" | ").next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
}
