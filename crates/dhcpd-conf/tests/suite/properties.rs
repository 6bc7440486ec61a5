//! What holds for every input: the invariants, tried on generated inputs.

use dhcpd_conf::{Document, Severity};
use proptest::prelude::*;

use crate::invariants::{
    edits_leave_the_rest, includes_end, layout_changes_blanks_only, parses_without_loss,
};
use crate::judge;

/// Pieces that configurations are made of, right and wrong.
const PIECES: &[&str] = &[
    "host a {",
    "host b.c {",
    "group {",
    "group g {",
    "}",
    "}",
    "}",
    ";",
    "{",
    "subnet 10.0.0.0 netmask 255.0.0.0 {",
    "pool {",
    "range 10.0.0.1 10.0.0.9;",
    "class \"c\" {",
    "match if known;",
    "hardware ethernet 0:1:2:3:4:5;",
    "hardware infiniband 1:2;",
    "fixed-address 10.0.0.1, a.b;",
    "fixed-address ",
    "filename \"x\";",
    "filename x;",
    "next-server 10.0.0.2;",
    "option routers 10.0.0.1, 10.0.0.2;",
    "option host-name \"a;}#\";",
    "option host-name code;",
    "option x code 200 = array of { integer 8, ip-address };",
    "option x 1 10.0.0.1;",
    "if known {",
    "if (known) {",
    "if option host-name = \"a\" {",
    "} else {",
    "} elsif static {",
    "} else if 1 = 1 {",
    "on commit {",
    "set v = \"1\";",
    "switch (option host-name) {",
    "case \"a\":",
    "default:",
    "log(info, concat(\"a\", \"b\"));",
    "include \"/1\";",
    "include \"/0\";",
    "allow booting;",
    "deny unknown-clients;",
    "authoritative;",
    "uid 1:2;",
    "uid \"a\";",
    "option dhcp-client-identifier = ff:00:01;",
    "supersede server.filename = \"y\";",
    "# comment\n",
    "#\n",
    "\n",
    " ",
    "\t",
    "\r\n",
    "\"",
    "\\",
    "\0",
    "ä",
    ".",
    ",",
    ":",
    "=",
    "(",
    ")",
    "%",
    "% x ;",
    "1",
    "ab",
    "10.0.0.1",
    "::1",
    "\"s\"",
    "key k {",
    "algorithm hmac-md5;",
    "secret aaaa;",
    "zone z. {",
    "primary 10.0.0.1;",
    "dynamic;",
    "shared-network n {",
    "subclass \"c\" 1:2;",
];

fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec((prop::sample::select(PIECES), any::<bool>()), 0..24).prop_map(|pieces| {
        pieces
            .into_iter()
            .flat_map(|(piece, blank)| [piece, if blank { " " } else { "" }])
            .collect()
    })
}

/// Statements that are right in most places, in blocks that are closed.
fn nested() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(PIECES)
        .prop_filter("statements", |piece| piece.ends_with(';') && piece.len() > 1)
        .prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 5, |inner| {
        let heads = prop::sample::select(PIECES).prop_filter("heads", |piece| {
            piece.ends_with('{') && piece.len() > 1 && !piece.starts_with('}')
        });
        (heads, prop::collection::vec(inner, 0..5))
            .prop_map(|(head, inner)| format!("{head} {} }}\n", inner.join("\n")))
    })
}

/// Failures are not written to files: the cause goes into a test of its own.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn any_bytes_parse_without_loss(source in prop::collection::vec(any::<u8>(), 0..300)) {
        parses_without_loss(&source);
    }

    #[test]
    fn any_pieces_parse_without_loss(source in pieces()) {
        parses_without_loss(source.as_bytes());
    }

    #[test]
    fn any_blocks_parse_without_loss(source in nested()) {
        parses_without_loss(source.as_bytes());
    }

    #[test]
    fn any_edit_leaves_the_rest(source in prop_oneof![nested(), pieces()], which: usize) {
        edits_leave_the_rest(source.as_bytes(), which);
    }

    #[test]
    fn any_layout_changes_blanks_only(source in prop_oneof![nested(), pieces()]) {
        layout_changes_blanks_only(source.as_bytes());
    }

    #[test]
    fn any_files_that_include_each_other_end(one in pieces(), two in pieces()) {
        includes_end(&[one.as_bytes(), two.as_bytes()]);
    }
}

/// Messages by which dhcpd refuses what is written well: names nobody declares, addresses outside
/// their subnet, blocks that lack something.
const SEMANTIC: &[&str] = &[
    "already exists",
    "no class named",
    "no option named",
    "no option space named",
    "unknown option",
    "unknown group",
    "not in subnet",
    "not in net",
    "no such class",
    "empty shared-network",
    "has no range",
    "unknown key",
    "already has",
    "already exist",
    "overlap",
    "lacks",
    "missing",
    "not contained",
    "already in use",
    "with no address range",
    "declared twice",
];

proptest! {
    #![proptest_config(config(judged_cases()))]

    #[test]
    fn dhcpd_accepts_and_refuses_the_same(source in prop_oneof![nested(), pieces()]) {
        if judge::is_present("dhcpd_accepts_and_refuses_the_same") {
            judged_alike(&source);
        }
    }
}

/// How many inputs dhcpd is asked about: more by `DHCPD_CONF_JUDGED`.
fn judged_cases() -> u32 {
    std::env::var("DHCPD_CONF_JUDGED").ok().and_then(|cases| cases.parse().ok()).unwrap_or(150)
}

fn judged_alike(source: &str) {
    // The documented differences: `dynamic;` at the end of a group, where `%` may end, NUL.
    let differs = ["include", "dynamic;", "%", "\0"];
    if !judge::is_harmless(source.as_bytes()) || differs.iter().any(|word| source.contains(word)) {
        return;
    }
    let ours = Document::parse(source);
    let theirs = judge::messages(source.as_bytes());
    let accepted = theirs.iter().any(|judgement| judgement.accepted);
    if accepted {
        assert!(
            ours.is_ok(),
            "dhcpd accepts {source:?}, we say {}",
            ours.unwrap_err().report("it")
        );
        let findings = ours.unwrap().lint();
        let refused = findings.iter().find(|finding| finding.severity() == Severity::Error);
        assert!(refused.is_none(), "dhcpd accepts {source:?}, we find {refused:?}");
    } else if ours.is_ok() {
        // One of its two modes may refuse for what the other one does not even read, and after
        // a first mistake it no longer knows what it reads: only that one counts.
        let syntax = |message: &String| {
            message.contains("dhcpd.conf line")
                && !SEMANTIC.iter().any(|word| message.contains(word))
        };
        let reasons: Vec<_> = theirs
            .iter()
            .filter(|judgement| !judgement.crashed)
            .map(|j| j.messages.clone())
            .collect();
        let refused =
            !reasons.is_empty() && reasons.iter().all(|list| list.first().is_some_and(syntax));
        assert!(!refused, "dhcpd refuses {source:?}: {reasons:?}");
    }
}
