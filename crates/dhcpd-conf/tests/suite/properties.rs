//! What holds for every input: the invariants, tried on generated inputs.

use dhcpd_conf::{Document, Expected, Limits, Severity, StatementKind};
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
    "pool6 {",
    "subnet6 2001:db8::/64 {",
    "range6 2001:db8::1 2001:db8::9;",
    "range6 2001:db8::/80 temporary;",
    "prefix6 2001:db8:1:: 2001:db8:2:: /64;",
    "fixed-address6 2001:db8::add;",
    "fixed-prefix6 2001:db8:1::/64;",
    "host-identifier option dhcp6.client-id 1:2;",
    "option dhcp6.name-servers ::1, 2001:db8::1;",
    "option dhcp6.domain-search \"a.b\", \"c\";",
    "option dhcp6.rapid-commit;",
    "failover peer \"f\" {",
    "failover peer \"f\";",
    "no failover peer",
    "peer address 10.0.0.2;",
    "peer port 647;",
    "split 128;",
    "mclt 60;",
    "secondary;",
    "load balance max seconds 3;",
    "key k;",
    "omapi-key k;",
    "primary6 ::1;",
    "secret \"aaaa\";",
    "option space s;",
    "option s.y code 1 = text;",
    "option s.y \"a\";",
    "option z code 201 = { array of integer 16, text };",
    "option z 1, 2 \"a\";",
    "option unknown-12 a-b;",
    "option unknown-222 1:2;",
    "option agent.circuit-id \"a\";",
    "option slp-service-scope true;",
    "vendor-class \"c\" {",
    "spawn with option host-name;",
    "match hardware;",
    "lease limit 4;",
    "allow known-clients;",
    "deny members of \"c\";",
    "allow after never;",
    "interface eth0;",
    "group g;",
    "define fun(aa, nn) {",
    "return nn;",
    "fun(1, \"a\");",
    "unset vv;",
    "parse-vendor-option;",
    "authoritative on;",
    "not authoritative;",
    "min-lease-time infinite;",
    "ping-check 1;",
    "ddns-update-style interim;",
    "server-duid llt ethernet 5 1:2;",
    "lease-id-format hex;",
    "foo;",
];

/// What expressions are made of: data, numbers, conditions, and what is none of them.
const OPERANDS: &[&str] = &[
    "\"a\"",
    "1",
    "300",
    "ab:1",
    "-1",
    "0x10",
    "nn",
    "n1",
    "known",
    "static",
    "null",
    "hardware",
    "lease-time",
    "client-state",
    "booting",
    "noerror",
    "option host-name",
    "exists agent.circuit-id",
    "config-option domain-name",
    "filename",
    "host-decl-name",
    "defined(nn)",
    "ethernet",
    "code",
    "fun(1)",
    "fun(lease-time + 1, \"a\")",
    "gethostname()",
];

const OPERATORS: &[&str] =
    &["=", "!=", "~=", "~~", "and", "or", "+", "*", "/", "%", "&", "|", "^", "-", "==", "! =", "~"];

/// Functions with holes for their arguments.
const FUNCTIONS: &[&str] = &[
    "substring(_, _, 1)",
    "suffix(_, 2)",
    "lcase(_)",
    "concat(_, _)",
    "concat(_)",
    "pick(_, _)",
    "binary-to-ascii(16, 8, _, _)",
    "reverse(1, _)",
    "encode-int(_, 8)",
    "extract-int(_, 16)",
    "packet(_, 1)",
    "v6relay(1, _)",
    "not _",
    "not (_)",
    "(_)",
    "fun(_, _)",
    "encode-int(_, 9)",
];

/// Statements with a hole for an expression.
const WITH_EXPRESSION: &[&str] = &[
    "if _ { }",
    "if (_) { } elsif _ { }",
    "set vv = _;",
    "eval _;",
    "return _;",
    "option host-name = _;",
    "filename = _;",
    "class \"c\" { match if _; }",
    "class \"c\" { match _; }",
    "log(info, _);",
    "switch (_) { case _: break; default: }",
    "on commit { fun(_, _); }",
    "_;",
    "define cc = _;",
    "class \"c\" { spawn with _; }",
    "min-secs = _;",
];

/// Each `_` in turn is one of `fillings`.
fn filled(template: &str, fillings: &[String]) -> String {
    let mut fillings = fillings.iter().map(String::as_str).cycle();
    let mut parts = template.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + fillings.next().unwrap_or("1") + part)
}

fn expressions() -> impl Strategy<Value = String> {
    let operand = prop::sample::select(OPERANDS).prop_map(str::to_owned);
    operand.prop_recursive(3, 12, 3, |inner| {
        let joined = prop::collection::vec((inner.clone(), prop::sample::select(OPERATORS)), 1..4);
        let joined = (joined, inner.clone()).prop_map(|(pairs, last)| {
            let pairs =
                pairs.into_iter().map(|(operand, operator)| format!("{operand} {operator} "));
            pairs.chain([last]).collect::<String>()
        });
        let called = (prop::sample::select(FUNCTIONS), prop::collection::vec(inner, 2))
            .prop_map(|(function, arguments)| filled(function, &arguments));
        prop_oneof![joined, called]
    })
}

fn with_expressions() -> impl Strategy<Value = String> {
    (prop::sample::select(WITH_EXPRESSION), prop::collection::vec(expressions(), 2))
        .prop_map(|(statement, expressions)| filled(statement, &expressions))
}

/// A line of the corpus with one token taken out, doubled, or replaced by another.
fn mutated() -> impl Strategy<Value = String> {
    let lines = include_str!("../corpus/accepted.txt").lines().skip(1);
    let lines: Vec<Vec<&'static str>> = lines.map(tokens).collect();
    let words: Vec<&str> =
        lines.iter().flatten().copied().filter(|it| !it.trim().is_empty()).collect();
    let change = (any::<prop::sample::Index>(), 0..4, prop::sample::select(words));
    (prop::sample::select(lines), change).prop_map(|(mut line, (at, how, word))| {
        let at = at.index(line.len());
        match how {
            0 => drop(line.remove(at)),
            1 => line.insert(at, line[at]),
            2 => line[at] = word,
            _ => line.insert(at, word),
        }
        line.concat().replace('⏎', "\n")
    })
}

/// The words, strings, blanks and single characters of a line.
fn tokens(line: &'static str) -> Vec<&'static str> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
        let run = |kind: fn(char) -> bool| rest.find(|it| !kind(it)).unwrap_or(rest.len());
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            ' ' => run(|it| it == ' '),
            _ if is_word(first) => run(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_')),
            _ => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

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
    fn any_blocks_parse_without_loss(source in prop_oneof![nested(), with_expressions(), mutated()]) {
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
    "not found",
    "unknown collection",
    "redeclaration",
    "unknown failover peer",
    "may not be omitted",
    "must have",
    "load balance settings",
    "dynamic-bootp flag",
    "overly large",
    "no memory",
    "mask length mismatch",
    "outside the subnet",
    "temporary mask",
    "mask smaller",
    "network mask too short",
    "only supported in",
];

proptest! {
    #![proptest_config(config(judged_cases()))]

    #[test]
    fn dhcpd_accepts_and_refuses_the_same(
        source in prop_oneof![nested(), pieces(), with_expressions(), mutated()],
    ) {
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
    if !judge::is_harmless(source.as_bytes()) || differs(source) {
        return;
    }
    let ours = Document::parse(source);
    let theirs = judge::messages(source.as_bytes());
    let accepted = theirs.iter().any(|judgement| judgement.accepted);
    if accepted && dropped(source) {
        return;
    }
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

/// Whether the first mistake is one of those that the server drops without a word: an expression
/// that is none, in a statement that sets an option or logs.
fn dropped(source: &str) -> bool {
    let (document, errors) = Document::parse_recovering(source, &Limits::default());
    let Some(error) = errors.as_ref().and_then(|errors| errors.iter().next()) else { return false };
    let operands = [Expected::Data, Expected::Expression, Expected::NumericExpression];
    let invalid = document.all_statements().find(|it| it.kind() == StatementKind::Invalid);
    let sets = invalid.is_some_and(|invalid| {
        let text = String::from_utf8_lossy(invalid.source()).to_ascii_lowercase();
        let word = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '-').next();
        !["if", "elsif", "else", "set", "eval", "return", "match", "spawn", "switch", "case"]
            .contains(&word.unwrap_or_default())
    });
    sets && error.expected().iter().any(|expected| operands.contains(expected))
}

/// Whether a source touches one of the documented differences: `dynamic;` last in a group, where
/// `%` may end, NUL, numbers of more than 32 bits, tokens that the server takes for what they are
/// not. Includes name files that are not there.
fn differs(source: &str) -> bool {
    const WORDS: [&str; 9] = [
        "include",
        "dynamic;",
        "deleted;",
        "static;",
        "%",
        "\0",
        "slp-service-scope",
        "interface",
        "ldap-",
    ];
    // An option space that no `;` ends keeps the server busy for ever.
    let space = source.to_ascii_lowercase().rfind("space");
    if space.is_some_and(|at| !source[at..].contains(';') || source.contains(['#', '"'])) {
        return true;
    }
    let long = |word: &str| word.len() > 9 && word.bytes().all(|digit| digit.is_ascii_hexdigit());
    WORDS.iter().any(|word| source.contains(word))
        || source.split(|it: char| !it.is_ascii_alphanumeric()).any(long)
}
