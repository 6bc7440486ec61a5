//! From names to folded names and back.

use nodeset::NodeSet;
use proptest::prelude::*;

use crate::{expand, generate, names};

#[track_caller]
fn folds(text: &str, expected: &str) {
    assert_eq!(text.parse::<NodeSet>().unwrap().to_string(), expected);
}

#[test]
fn ranges_keep_every_spelling() {
    folds("node1,node2,node3,node10,node010", "node[1-3,10,010]");
    folds("exe0001 exe0002 exe0003", "exe[0001-0003]");
    folds("n[08-11]", "n[08-11]");
    folds("n[8-11]", "n[8-11]");
    folds("n[01-99],n100", "n[01-99,100]");
    folds("n[8,9,09,10,010,11]", "n[8-9,09-11,010]");
    folds("n[0,00,000]", "n[0,00,000]");
    folds("n[1,3,5]", "n[1,3,5]");
    folds(
        "n[9999999999999999999998,9999999999999999999999]",
        "n[9999999999999999999998,9999999999999999999999]",
    );
    folds(
        "n[18446744073709551614,18446744073709551615]",
        "n[18446744073709551614-18446744073709551615]",
    );
    folds("login,7,8,a", "[7-8],a,login");
    folds("a!a", "");
}

#[test]
fn several_numbers_fold_together() {
    folds("n[1-2]x[08-11]", "n[1-2]x[08-11]");
    folds("n1x1,n1x2,n2x1,n2x2,n3x1", "n[1-2]x[1-2],n3x1");
    folds("r[1-2]c[1-4]n[1-9]-ib", "r[1-2]c[1-4]n[1-9]-ib");
    folds("exe[0001-4600].cluster2", "exe[0001-4600].cluster2");
    folds("10.0.2.1,10.0.2.2,10.1.2.1,10.1.2.2", "10.[0-1].2.[1-2]");
}

#[test]
fn brackets_can_be_limited() {
    let set: NodeSet = "r[1-2]n[01-02].x2,exe[1-3].x2,login".parse().unwrap();
    assert_eq!(set.folded(2).join(","), "exe[1-3].x2,login,r[1-2]n[01-02].x2");
    assert_eq!(set.folded(1).join(","), "exe[1-3].x2,login,r1n[01-02].x2,r2n[01-02].x2");
    assert_eq!(set.folded(0), names(&set));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// What an administrator reads in a preview is exactly what is meant.
    #[test]
    fn the_printed_fold_expands_to_the_same_list(text in generate::expression(generate::nodes())) {
        let Ok(set) = text.parse::<NodeSet>() else { return Ok(()) };
        let printed = set.to_string();
        prop_assert_eq!(expand(&printed), names(&set), "{} -> {}", text, printed);
        prop_assert_eq!(printed.parse::<NodeSet>().unwrap().to_string(), printed);
    }

    #[test]
    fn any_names_survive_folding(list in prop::collection::vec("[ab0-2][ab0-2.-]{0,6}", 0..40)) {
        let set: NodeSet = list.iter().map(|name| name.parse().unwrap()).collect();
        prop_assert_eq!(expand(&set.to_string()), names(&set));
    }

    #[test]
    fn no_folded_name_has_more_brackets_than_allowed(
        text in generate::expression(generate::nodes()), most in 0..4_usize
    ) {
        let Ok(set) = text.parse::<NodeSet>() else { return Ok(()) };
        let folded = set.folded(most);
        prop_assert!(folded.iter().all(|name| name.matches('[').count() <= most));
        prop_assert_eq!(expand(&folded.join(",")), names(&set));
    }

    #[test]
    fn no_text_at_all_makes_it_panic(text in "[n0-2,!&^@*?:/ \\[\\]é-]{0,20}") {
        if let Err(refusal) = text.parse::<NodeSet>() {
            prop_assert!(refusal.span().end <= text.len());
            prop_assert_eq!(refusal.excerpt().lines().count(), 2);
        }
    }
}
