//! The operations of the set, and the operators of the language, against sets of strings.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use nodeset::NodeSet;
use proptest::prelude::*;

use crate::{generate, names};

type Model = BTreeSet<String>;

fn model(set: &NodeSet) -> Model {
    names(set).into_iter().collect()
}

proptest! {
    #[test]
    fn the_operations_are_those_of_sets(a in generate::nodes(), b in generate::nodes()) {
        let (Ok(a), Ok(b)) = (a.parse::<NodeSet>(), b.parse::<NodeSet>()) else { return Ok(()) };
        let (left, right) = (model(&a), model(&b));
        for (ours, theirs) in [
            (a.union(&b), &left | &right),
            (a.difference(&b), &left - &right),
            (a.intersection(&b), &left & &right),
            (a.symmetric_difference(&b), &left ^ &right),
        ] {
            prop_assert_eq!(model(&ours), theirs);
            prop_assert!(ours.iter().is_sorted_by(|left, right| left < right));
        }
        prop_assert_eq!(a.is_subset(&b), left.is_subset(&right));
        prop_assert_eq!(a.is_disjoint(&b), left.is_disjoint(&right));
        prop_assert!(a.iter().all(|name| a.contains(name.as_str())));
    }

    /// Each name is judged by itself in one pass; this applies whole sets one after the other.
    #[test]
    fn an_expression_is_its_operations_one_by_one(
        first in generate::nodes(),
        rest in prop::collection::vec((prop::sample::select(vec![',', '!', '&', '^']), generate::nodes()), 0..8)
    ) {
        let mut text = first.clone();
        let Ok(mut set) = first.parse::<NodeSet>() else { return Ok(()) };
        for (operator, operand) in rest {
            let Ok(operand_set) = operand.parse::<NodeSet>() else { return Ok(()) };
            set = match operator {
                ',' => set.union(&operand_set),
                '!' => set.difference(&operand_set),
                '&' => set.intersection(&operand_set),
                _ => set.symmetric_difference(&operand_set),
            };
            text = format!("{text}{operator}{operand}");
        }
        prop_assert_eq!(text.parse::<NodeSet>().unwrap(), set);
    }

    #[test]
    fn splitting_keeps_every_name_and_evens_out(text in generate::nodes(), parts in 1..12_usize) {
        let Ok(set) = text.parse::<NodeSet>() else { return Ok(()) };
        let split = set.split(NonZeroUsize::new(parts).unwrap());
        prop_assert_eq!(split.len(), parts.min(set.len()));
        prop_assert_eq!(split.iter().flat_map(names).collect::<Vec<_>>(), names(&set));
        let sizes = split.iter().map(NodeSet::len);
        prop_assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
    }
}

#[test]
fn ten_names_in_two_parts_are_five_and_five() {
    let parts = "exe[1-10]".parse::<NodeSet>().unwrap().split(NonZeroUsize::new(2).unwrap());
    assert_eq!(parts.iter().map(NodeSet::to_string).collect::<Vec<_>>(), ["exe[1-5]", "exe[6-10]"]);
    assert!(NodeSet::new().split(NonZeroUsize::MIN).is_empty());
}
