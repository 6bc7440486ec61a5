//! Messages: where, what was found, what would have been right; all of a file in one run.

use dhcpd_conf::{Document, Limits, ParseErrorKind, StatementKind};

fn report(source: &str) -> String {
    Document::parse(source).unwrap_err().report("dhcpd.conf").to_string()
}

fn kinds(source: &[u8]) -> Vec<ParseErrorKind> {
    Document::parse(source).unwrap_err().iter().map(dhcpd_conf::ParseError::kind).collect()
}

#[test]
fn every_error_of_a_file_is_reported_and_each_once() {
    let source = "\
group {
  host exe1 { hardware ethernet 00-11-22-33-44-55; }
  host \"exe2\" { fixed-address 10.0.0.1; }
  host exe3 { filename 'x'; }
  host exe4 {
    filename \"a\"
    next-server 10.0.0.256;
  }
  host exe5 { range 10.0.0.1; fixed-address 10.0.0.1 10.0.0.2; }
  nosuch 1;
};
";
    insta::assert_snapshot!(report(source));
}

#[test]
fn the_place_is_that_of_the_culprit() {
    insta::assert_snapshot!(report("host a {\n\tfilename \"x\" # here\n\n}\n"), @r"
    dhcpd.conf:4:1: expected `;`, found `}`
      |
    4 | }
      | ^
    ");
    insta::assert_snapshot!(report("filename \"ä\" \"b\";"), @r#"
    dhcpd.conf:1:14: expected `;`, found `"b"`
      |
    1 | filename "ä" "b";
      |              ^^^
    "#);
}

#[test]
fn an_unclosed_block_names_its_opening() {
    insta::assert_snapshot!(report("host a { }\ngroup {\n  filename \"x\";\n"), @r"
    dhcpd.conf:2:1: the block is not closed
      |
    2 | group {
      | ^^^^^
    ");
}

#[test]
fn a_list_says_that_it_could_go_on() {
    insta::assert_snapshot!(report("host a { fixed-address 10.0.0.1 10.0.0.2; }"), @r"
    dhcpd.conf:1:33: expected `;` or `,`, found `10`
      |
    1 | host a { fixed-address 10.0.0.1 10.0.0.2; }
      |                                 ^^
    ");
}

#[test]
fn wrong_places_and_repetitions_are_named() {
    insta::assert_snapshot!(report("subnet 10.0.0.0 netmask 255.0.0.0 { hardware ethernet 1; }"), @r"
    dhcpd.conf:1:37: `hardware` is not allowed in a subnet
      |
    1 | subnet 10.0.0.0 netmask 255.0.0.0 { hardware ethernet 1; }
      |                                     ^^^^^^^^
      = write it inside a `host`
    ");
    insta::assert_snapshot!(report("host a { fixed-address 10.0.0.1; fixed-address 10.0.0.2; }"), @r"
    dhcpd.conf:1:34: a second `fixed-address` in a host
      |
    1 | host a { fixed-address 10.0.0.1; fixed-address 10.0.0.2; }
      |                                  ^^^^^^^^^^^^^
    ");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let text = report("filename \x1b[31m;");
    assert!(!text.contains('\x1b'), "{text}");
    assert!(text.contains("\\u{1b}"), "{text}");
}

#[test]
fn long_lines_are_cut_around_the_error() {
    let source = format!("{} filename 1; {}", "host a { } ".repeat(500), "host b { } ".repeat(500));
    assert!(report(&source).lines().all(|line| line.len() < 160));
}

#[test]
fn bytes_dhcpd_stumbles_over_are_errors() {
    assert_eq!(kinds(b"host a { }\0"), [ParseErrorKind::ForbiddenByte]);
    assert_eq!(kinds(b"host a { } \xff host b { }"), [ParseErrorKind::ForbiddenByte]);
    assert_eq!(kinds(b"# caf\xff\nhost b { }"), [ParseErrorKind::ForbiddenByte]);
    assert_eq!(kinds(b"filename \"\xff\";"), [ParseErrorKind::ForbiddenByte]);
    assert_eq!(kinds(b"\xef\xbb\xbfhost a { }"), [ParseErrorKind::ByteOrderMark]);
}

#[test]
fn strings_and_numbers_say_what_is_wrong_with_them() {
    assert_eq!(kinds(b"filename \"x;\n"), [ParseErrorKind::UnterminatedString]);
    assert_eq!(kinds(br#"filename "\x4";"#), [ParseErrorKind::BadEscape]);
    assert_eq!(kinds(br#"filename "\08";"#), [ParseErrorKind::BadEscape]);
    assert_eq!(kinds(b"min-secs 256;"), [ParseErrorKind::OutOfRange]);
    assert_eq!(kinds(b"host a { hardware ethernet 1:2:100; }"), [ParseErrorKind::OutOfRange]);
    let long = format!("filename \"{}\";", "x".repeat(1500));
    assert_eq!(kinds(long.as_bytes()), [ParseErrorKind::TokenTooLong]);
    assert!(Document::parse(format!("filename \"{}\";", "x".repeat(1499))).is_ok());
}

#[test]
fn what_can_be_read_in_spite_of_errors_is_there() {
    let source = "host a { filename 1; next-server b; } bogus { x; } host c { }";
    let (document, errors) = Document::parse_recovering(source, &Limits::default());
    assert_eq!(errors.unwrap().iter().count(), 2);
    let names: Vec<_> = document.hosts().map(dhcpd_conf::Host::name).collect();
    assert_eq!(names, ["a", "c"]);
    let invalid =
        document.all_statements().filter(|statement| statement.kind() == StatementKind::Invalid);
    assert_eq!(invalid.map(|statement| statement.source().len()).collect::<Vec<_>>(), [11, 12]);
}
