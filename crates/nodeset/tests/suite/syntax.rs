//! What is accepted, and what it names.

use crate::expand;

#[track_caller]
fn names(text: &str, expected: &str) {
    assert_eq!(expand(text).join(" "), expected, "{text}");
}

#[test]
fn ranges_are_expanded_with_their_padding_and_step() {
    names("exe[0001-0003]", "exe0001 exe0002 exe0003");
    names("exe[8-11]", "exe8 exe9 exe10 exe11");
    names("exe[08-11]", "exe08 exe09 exe10 exe11");
    names("exe[0-10/5,3]", "exe0 exe3 exe5 exe10");
    names("exe[01-09/3]", "exe01 exe04 exe07");
    names("exe[1-4/9]", "exe1");
    names("exe[7/1]", "exe7");
    names("exe[3,1,2,2,1-2]", "exe1 exe2 exe3");
    names("[1-3]", "1 2 3");
    names(
        "exe[18446744073709551614-18446744073709551615]",
        "exe18446744073709551614 exe18446744073709551615",
    );
}

#[test]
fn widths_mix_within_one_bracket_and_stay_apart() {
    names("node[1-3,05-07]", "node1 node2 node3 node05 node06 node07");
    names("node1,node01,node001", "node1 node01 node001");
    names("node[99-101,099-101]", "node99 node099 node100 node101");
}

#[test]
fn brackets_stand_anywhere_and_several_times() {
    names("exe[1-2]-ib.hpc2", "exe1-ib.hpc2 exe2-ib.hpc2");
    names("n[1-2]x[08-09]", "n1x08 n1x09 n2x08 n2x09");
    names("r[1-2]c[1-2]n[1]", "r1c1n1 r1c2n1 r2c1n1 r2c2n1");
    names("10.0.2.[9-10]", "10.0.2.9 10.0.2.10");
}

#[test]
fn digits_beside_a_bracket_belong_to_the_number() {
    names("exe00[01-02]", "exe0001 exe0002");
    names("exe[8-10]0", "exe80 exe90 exe100");
    names("exe0[1,2]0", "exe010 exe020");
    names("exe[0-4/2]0", "exe00 exe20 exe40");
}

#[test]
fn operators_are_applied_from_left_to_right() {
    names("a[1-5]!a2", "a1 a3 a4 a5");
    names("a[1-5]&a[4-9]", "a4 a5");
    names("a[1-3]^a[3-5]", "a1 a2 a4 a5");
    names("a[1-5]!a2,a2", "a1 a2 a3 a4 a5");
    names("a1,a2&a2,a3", "a2 a3");
    names("a1^a1^a1", "a1");
    names("a[1-9]&a[1-3]!a1^a[3-4]", "a2 a4");
    names("a!a", "");
}

#[test]
fn a_union_may_miss_operands_and_whitespace_is_one() {
    for text in ["a,b", "a,,b", "a,b,", ",a,b", " a , b ", "a b", "a\tb\n", ", a ,, b ,"] {
        names(text, "a b");
    }
    for text in ["", " ", ",", " , ,"] {
        names(text, "");
    }
}

#[test]
fn whitespace_around_operators_and_within_brackets_means_nothing() {
    names(" exe[1-3] ! exe2\n", "exe1 exe3");
    names("exe[ 1 - 5 / 2 , 7 ]", "exe1 exe3 exe5 exe7");
    names("a b !a", "b");
}

#[test]
fn numbers_outside_of_ranges_may_be_of_any_length() {
    names("n[99999999999999999999999]", "n99999999999999999999999");
    names("n99999999999999999999999", "n99999999999999999999999");
}
