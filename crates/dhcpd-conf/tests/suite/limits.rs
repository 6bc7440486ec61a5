//! Hostile input meets limits, not the end of the stack.

use dhcpd_conf::{Document, Limits, ParseErrorKind};

fn kinds(source: &str, limits: &Limits) -> Vec<ParseErrorKind> {
    let parsed = Document::parse_with(source, limits);
    parsed.map_or_else(
        |errors| errors.iter().map(dhcpd_conf::ParseError::kind).collect(),
        |_| Vec::new(),
    )
}

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

fn nested(depth: usize) -> String {
    format!("{}{}", "group { ".repeat(depth), "} ".repeat(depth))
}

#[test]
fn blocks_nest_exactly_as_deep_as_the_limit() {
    let limits = limits(|limits| limits.depth = 5);
    assert_eq!(kinds(&nested(5), &limits), []);
    assert_eq!(kinds(&nested(6), &limits), [ParseErrorKind::TooDeep]);
    let branches =
        |depth: usize| format!("{}{}", "if known { ".repeat(depth), "} else { }".repeat(depth));
    assert_eq!(kinds(&branches(5), &limits), []);
    assert_eq!(kinds(&branches(6), &limits), [ParseErrorKind::TooDeep]);
}

#[test]
fn the_default_depth_is_read_in_a_small_stack() {
    let depth = Limits::default().depth;
    let parse = move || {
        let parentheses = depth - 1;
        let expression =
            format!("eval {}known{};", "(".repeat(parentheses), ")".repeat(parentheses));
        assert_eq!(kinds(&expression, &Limits::default()), []);
        assert_eq!(kinds(&nested(depth), &Limits::default()), []);
        assert_eq!(kinds(&nested(depth + 1), &Limits::default()), [ParseErrorKind::TooDeep]);
        for opening in ["(", "not ", "lcase(", "fn-x(", "concat(\"a\",", "1*1+1 and 1=1&("] {
            let deep = format!("eval {}known;", opening.repeat(100_000));
            assert_eq!(kinds(&deep, &Limits::default()), [ParseErrorKind::TooDeep], "{opening}");
        }
    };
    // Half of what a thread has by default.
    std::thread::Builder::new().stack_size(1 << 20).spawn(parse).unwrap().join().unwrap();
}

#[test]
fn a_million_open_blocks_are_given_up_at_once() {
    assert_eq!(kinds(&"group {".repeat(1_000_000), &Limits::default()), [ParseErrorKind::TooDeep]);
}

#[test]
fn long_chains_and_lists_are_no_nesting() {
    let chain = format!("if known {{ }}{}", " else if known { }".repeat(20_000));
    assert_eq!(kinds(&chain, &Limits::default()), []);
    let condition = format!("if known{} {{ }}", " and known".repeat(20_000));
    assert_eq!(kinds(&condition, &Limits::default()), []);
    let list = format!("option routers a{};", ", a".repeat(100_000));
    assert_eq!(kinds(&list, &Limits::default()), []);
}

#[test]
fn size_count_and_errors_are_limited() {
    let four = "filename a; filename b; filename c; filename d;";
    assert_eq!(
        kinds(four, &limits(|limits| limits.source_bytes = 10)),
        [ParseErrorKind::SourceTooLong]
    );
    assert_eq!(kinds(four, &limits(|limits| limits.statements = 4)), []);
    assert_eq!(
        kinds(four, &limits(|limits| limits.statements = 3)),
        [ParseErrorKind::TooManyStatements]
    );
    let found = kinds(&";".repeat(1000), &limits(|limits| limits.errors = 3));
    assert_eq!(found.len(), 4);
    assert_eq!(found[3], ParseErrorKind::TooManyErrors);
}
