//! Expressions for the properties: small name spaces, so that operands overlap.

use proptest::prelude::*;

/// A number, plain or padded.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..25_u32).prop_map(|number| number.to_string()),
        (0..25_u32, 1..4_usize).prop_map(|(number, width)| format!("{number:0width$}")),
        Just("9999999999999999999999".to_owned()),
    ]
}

/// What stands between commas in a bracket.
fn range() -> impl Strategy<Value = String> {
    let bounds = (0..25_u32, 0..15_u32);
    prop_oneof![
        2 => number(),
        2 => bounds.clone().prop_map(|(first, more)| format!("{first}-{}", first + more)),
        2 => bounds.clone().prop_map(|(first, more)| format!("{first:03}-{:03}", first + more)),
        1 => bounds.prop_map(|(first, more)| format!("{first:02}-{:02}", first + more)),
        1 => (0..25_u32, 0..15_u32, 1..5_u32)
            .prop_map(|(first, more, step)| format!("{first}-{}/{step}", first + more)),
    ]
}

fn index() -> impl Strategy<Value = String> {
    let bracket =
        prop::collection::vec(range(), 1..4).prop_map(|all| format!("[{}]", all.join(",")));
    prop_oneof![number(), bracket]
}

/// A name or a folded name without groups.
pub(crate) fn nodes() -> impl Strategy<Value = String> {
    let prefix = prop_oneof![Just("n"), Just("exe"), Just("a-b"), Just(""), Just("n0"), Just("n1")];
    let suffix = prop_oneof![3 => Just(""), 1 => Just("-ib"), 1 => Just(".x"), 1 => Just("0")];
    prop_oneof![
        6 => (prefix.clone(), index(), suffix.clone()).prop_map(|(a, b, c)| format!("{a}{b}{c}")),
        2 => (prefix.clone(), index(), index(), suffix)
            .prop_map(|(a, b, c, d)| format!("{a}{b}x{c}{d}")),
        1 => (prefix, index(), index(), index())
            .prop_map(|(a, b, c, d)| format!("{a}{b}c{c}n{d}")),
        1 => prop_oneof![Just("login"), Just("n"), Just("exe.hpc2")].prop_map(str::to_owned),
    ]
}

/// Operands joined by operators, whitespace around some of them.
pub(crate) fn expression(
    operand: impl Strategy<Value = String> + 'static,
) -> impl Strategy<Value = String> {
    let operator = prop_oneof![
        4 => Just(","), 2 => Just("!"), 2 => Just("&"), 2 => Just("^"), 1 => Just(" , "), 1 => Just(" !")
    ];
    let operand = operand.boxed();
    (operand.clone(), prop::collection::vec((operator, operand), 0..5)).prop_map(|(first, more)| {
        more.into_iter().fold(first, |text, (operator, operand)| text + operator + &operand)
    })
}
