//! The quick reader and the full one give the same trees.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::config::place::Source;
use crate::config::yaml::plain;
use crate::config::yaml::reader::read_in_full;

fn agree(text: &str) -> bool {
    let source = Arc::new(Source { name: "f".to_owned() });
    let Some(quick) = plain::read(&source, text) else { return false };
    let full = read_in_full(Arc::clone(&source), text);
    let full = full.unwrap_or_else(|error| panic!("only the quick one reads {text:?}: {error}"));
    assert_eq!(quick, full, "{text:?}");
    true
}

#[test]
fn what_inventories_are_written_in_is_read_by_the_quick_reader() {
    for text in [
        "",
        "# nothing – at all\n",
        "---\n# c\n---\na: 1\n---\nb: 2\n",
        "a: 1\nb: x y\nc: \"x: y\"\nd: 'x'\n",
        "spec:\n  nodes:\n    - nodes: exe[0001-0010]\n      rack: R01\n      macs: [aa:bb:cc:11:21:67]\n",
        "spec:\n  nodes:\n  - {nodes: \"exe[1-2]\", rack: R01, attributes: {class: gpu}}\n  more: 1\n",
        "a:   # why\n  b:\n  - 1   # one\n  - two\n  c: ~\n",
        "- a: 1\n  b:\n    c: 2\n- a: 3\n",
        "a: []\nb: {}\nc: -3\nd: 0x1f\ne: /srv/x\nf: 10.0.0.1\n",
    ] {
        assert!(agree(text), "left to the full reader: {text:?}");
    }
}

#[test]
fn what_is_more_than_plain_is_left_to_the_full_reader() {
    for text in [
        "a: 1\na: 2\n",
        "a: &x 1\n",
        "a: x\n  y\n",
        "a: |\n  x\n",
        "a: \"x\\n\"\n",
        "a: 'it''s'\n",
        "a: \"x\" # y\n",
        "a:\n",
        "a:\t1\n",
        "a: 1\n b: 2\n",
        "- - x\n",
        "a: [x,\n  y]\n",
        "a: !!str 1\n",
        "a: x: y\n",
        "%YAML 1.2\n---\na: 1\n",
        "a: ü\n",
        "a: .inf\n",
        "\"a\": 1\n",
        "a: 1\r\n",
    ] {
        assert!(!agree(text), "{text:?}");
    }
}

/// Pieces that texts are made of; together they are plain, nearly plain, or broken.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a: ", "b:", "key: ", "- ", "-", "\n", "\n  ", "\n    ", "\n- ", "\n  - ", "\n# c\n",
        " # c", "1", "x", "exe[1-2]", "\"q\"", "'q'", "[", "]", "{", "}", ", ", ",", ": ", ":",
        "~", "null", "true", "0x1", "-3", "1.5", "---", "\n---\n", "...", "&a", "*a", "!t", "|",
        ">", "%", "@", "`", "?", "? ", "\\", "\t", "ü", "#", " ", "  ", "\"", "'", "<<: ", "a:b",
        "x y", "/p", "\r\n", "\u{a0}", "\u{2028}", "$", "^", "+1", ".5", "aa:bb:cc",
    ])
}

fn word() -> impl Strategy<Value = String> {
    prop::string::string_regex("[a-z0-9/.~+$^_-][a-z0-9:/.#,\\[\\]{}\"' -]{0,8}").unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn on_any_text_made_of_yamls_pieces(pieces in vec(piece(), 0..14)) {
        agree(&pieces.concat());
    }

    #[test]
    fn on_mappings_of_odd_keys_and_values(
        entries in vec((word(), word(), 0..3_usize), 1..5),
    ) {
        let line = |(key, value, form): &(String, String, usize)| match form {
            0 => format!("{key}: {value}\n"),
            1 => format!("{key}:\n  - {value}\n  - {{ {key}: {value}, y: [{value}] }}\n"),
            _ => format!("{key}:\n  {key}: {value}\n"),
        };
        agree(&entries.iter().map(line).collect::<String>());
    }
}
