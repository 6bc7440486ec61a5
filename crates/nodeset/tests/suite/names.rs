//! Names, their order, and their padding.

use std::cmp::Ordering;

use nodeset::{Name, NodeSet, natural_cmp, padding_blind};
use proptest::prelude::*;

#[test]
fn two_comes_before_ten_whatever_the_order_of_writing() {
    let set: NodeSet = "exe10,exe2,exe1,login,exe1-ib,exe10-ib,exe2-ib,10,9,exe".parse().unwrap();
    assert_eq!(
        crate::names(&set).join(" "),
        "9 10 exe exe1 exe2 exe10 exe1-ib exe2-ib exe10-ib login"
    );
}

#[test]
fn a_name_is_checked_however_it_is_made() {
    for good in ["a", "1", "exe0001.hpc.example.org", "a_b-c.", &"n".repeat(255)] {
        assert_eq!(good.parse::<Name>().unwrap(), good);
    }
    for bad in ["", "-a", "a b", "a,b", "a[1]", "a@b", "a/b", "ä", "a\n", &"n".repeat(256)] {
        assert!(bad.parse::<Name>().is_err(), "{bad:?}");
    }
}

#[test]
fn membership_is_by_spelling_and_the_blind_key_is_not() {
    let set: NodeSet = "exe[1-3]".parse().unwrap();
    assert!(set.contains("exe1"));
    for other in ["exe01", "exe4", "EXE1", "exe", "exe1 ", ""] {
        assert!(!set.contains(other), "{other}");
    }
    let blind = |name| padding_blind(name);
    assert_eq!(blind("exe0001"), blind("exe1"));
    assert_eq!(blind("exe000"), "exe0");
    assert_eq!(blind("r01n0010-007"), "r1n10-7");
    assert_eq!(blind("exe100"), "exe100");
    assert_ne!(blind("exe10"), blind("exe1"));
}

proptest! {
    #[test]
    fn the_order_is_total_and_agrees_with_equality(
        a in "[a-b0-1.-]{0,5}", b in "[a-b0-1.-]{0,5}", c in "[a-b0-1.-]{0,5}"
    ) {
        prop_assert_eq!(natural_cmp(&a, &b), natural_cmp(&b, &a).reverse());
        prop_assert_eq!(natural_cmp(&a, &b) == Ordering::Equal, a == b);
        if natural_cmp(&a, &b).is_le() && natural_cmp(&b, &c).is_le() {
            prop_assert!(natural_cmp(&a, &c).is_le());
        }
    }

    #[test]
    fn numbers_of_one_width_or_none_are_in_order_of_value(a: u32, b: u32) {
        let plain = natural_cmp(&format!("n{a}"), &format!("n{b}"));
        let padded = natural_cmp(&format!("n{a:010}"), &format!("n{b:010}"));
        prop_assert_eq!((plain, padded), (a.cmp(&b), a.cmp(&b)));
    }

    #[test]
    fn the_blind_key_ignores_padding_and_nothing_else(a in 0..200_u32, b in 0..200_u32, width in 1..6_usize) {
        let same = padding_blind(&format!("r{a:0width$}n{b}")) == padding_blind(&format!("r{b}n{a:0width$}"));
        prop_assert_eq!(same, a == b);
    }
}
