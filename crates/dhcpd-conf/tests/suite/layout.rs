//! The layout: one line for each statement, blocks indented, what stood on one line stays there.

use dhcpd_conf::{Document, Layout};

fn laid_out(source: &str) -> String {
    let document = Document::parse(source).unwrap();
    String::from_utf8(Layout::default().apply(&document).unwrap()).unwrap()
}

#[test]
fn blocks_of_several_lines_are_indented_and_those_of_one_line_stay() {
    let source = "\n\nhost a{uid 1;filename  \"x  y\" ;}host b {\nuid 1; uid-x(1); \n\n\n # last\n\n}\n  group\n{ host c { }\n}";
    let source = source.replace("uid-x(1);", "min-secs 1;");
    assert_eq!(
        laid_out(&source),
        "host a { uid 1; filename \"x  y\"; }\nhost b {\n  uid 1;\n  min-secs 1;\n\n  # last\n}\ngroup {\n  host c { }\n}\n"
    );
}

#[test]
fn a_chain_of_branches_stands_together_unless_a_comment_parts_it() {
    assert_eq!(
        laid_out("if known{\nfilename \"a\";}\n\nelsif (static)  {filename \"b\";} else\n{\n}"),
        "if known {\n  filename \"a\";\n} elsif (static) { filename \"b\"; } else {\n}\n"
    );
    assert_eq!(laid_out("if known { } # why\nelse { }"), "if known { } # why\nelse { }\n");
}

#[test]
fn values_over_several_lines_are_indented_once_more() {
    assert_eq!(
        laid_out(
            "option routers 10.0.0.1,\n\n10.0.0.2 # two\n, 10.0.0.3\n;\noption o code 200 = { integer 8,\ntext };"
        ),
        "option routers 10.0.0.1,\n  10.0.0.2 # two\n  , 10.0.0.3;\noption o code 200 = { integer 8,\n  text };\n"
    );
}

#[test]
fn line_ends_and_indentation_are_those_of_the_file_or_of_the_caller() {
    let source = "group {\r\n\thost a { }\r\n}\r\n";
    assert_eq!(laid_out(source), "group {\r\n  host a { }\r\n}\r\n");
    let document = Document::parse(source).unwrap();
    assert_eq!(Layout::of(&document).apply(&document).unwrap(), source.as_bytes());
    assert_eq!(Layout::tabs().apply(&document).unwrap(), source.as_bytes());
    let four = Layout::blanks(4).apply(&document).unwrap();
    assert_eq!(four, b"group {\r\n    host a { }\r\n}\r\n");
}

#[test]
fn what_the_server_ignores_and_what_stands_in_quotes_stays() {
    let source =
        "% a   {  b ;\nfilename \"a\n   b\";\nkey k { algorithm  x; secret aa+b/c==; } ;\n";
    assert_eq!(
        laid_out(source),
        "% a   {  b ;\nfilename \"a\n   b\";\nkey k { algorithm x; secret aa+b/c==; };\n"
    );
}

#[test]
fn long_blanks_that_stop_the_server_are_gone() {
    let source = format!("host a {{ }}{}host b {{ }}\n", "\n".repeat(2_000));
    assert_eq!(laid_out(&source), "host a { }\n\nhost b { }\n");
    let document = Document::parse(laid_out(&source)).unwrap();
    assert!(document.lint().is_empty());
}
