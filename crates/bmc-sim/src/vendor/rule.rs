//! Rows, and what follows from them for one BMC.

use super::{Make, answers, boot, power, tags};
use crate::{Error, Rules, Tree};

/// What the firmware of some makes is known for. No public recording holds a write: each row is a
/// report of somebody who met such a firmware.
#[derive(Clone, Copy, Debug)]
pub struct VendorRule {
    /// Its name, for `--rule` and `--without-rule`.
    pub name: &'static str,
    /// Who does so; empty: any whose resources show it.
    pub makes: &'static [Make],
    /// Whether every known firmware of these makes does; else only where it is asked for.
    pub always: bool,
    /// What was observed.
    pub observed: &'static str,
    /// Where that is reported.
    pub source: &'static str,
    pub(super) apply: fn(&Tree, &mut Rules),
}

/// Every row.
pub fn vendor_rules() -> impl Iterator<Item = &'static VendorRule> {
    [boot::ROWS, tags::ROWS, power::ROWS, answers::ROWS].into_iter().flatten()
}

/// Rows that are asked for, and rows that are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    pub(crate) with: Vec<String>,
    pub(crate) without: Vec<String>,
}

/// The behaviour of a tree's BMC: what it shows, what its make is known for, what was chosen.
pub(crate) fn rules_of(tree: &Tree, chosen: &Chosen) -> Result<Rules, Error> {
    for name in chosen.with.iter().chain(&chosen.without) {
        if !vendor_rules().any(|row| row.name == name) {
            return Err(Error::NoRule(name.clone()));
        }
    }
    let make = tree.make();
    let mut rules = Rules::default();
    if let Some(timeout) = tree.session_timeout() {
        rules.session_timeout = timeout;
    }
    let is_among = |names: &[String], row: &VendorRule| names.iter().any(|name| name == row.name);
    for row in vendor_rules() {
        let known = row.always && (row.makes.is_empty() || row.makes.contains(&make));
        if (known || is_among(&chosen.with, row)) && !is_among(&chosen.without, row) {
            (row.apply)(tree, &mut rules);
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_has_a_name_of_its_own_an_observation_and_a_source() {
        let names: BTreeSet<&str> = vendor_rules().map(|row| row.name).collect();
        assert_eq!(names.len(), vendor_rules().count());
        for row in vendor_rules() {
            assert!(row.observed.len() > 20 && row.source.len() > 8, "{}", row.name);
        }
    }

    #[test]
    fn every_row_changes_something_for_each_make_it_names() {
        for row in vendor_rules() {
            for make in row.makes {
                let tree = Tree::of_make(*make);
                let name = row.name.to_owned();
                let with = Chosen { with: vec![name.clone()], without: Vec::new() };
                let without = Chosen { with: Vec::new(), without: vec![name] };
                let rules = |chosen| rules_of(&tree, chosen).unwrap();
                assert_ne!(rules(&with), rules(&without), "{} {make:?}", row.name);
            }
        }
    }

    #[test]
    fn a_tree_dressed_as_a_make_is_taken_for_it() {
        for (make, word) in Make::ALL {
            assert_eq!(Tree::of_make(make).make(), make, "{word}");
            assert_eq!(Make::from_word(word), Some(make));
            assert_eq!(make.as_str(), word);
        }
    }
}
