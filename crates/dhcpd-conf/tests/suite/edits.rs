//! Changes touch what they name and nothing else.

use dhcpd_conf::{Document, Edit, EditError};
use proptest::prelude::*;

fn edited(source: &str, change: impl for<'d> FnOnce(&'d Document, &mut Edit<'d>)) -> String {
    let document = Document::parse(source).unwrap();
    let mut edit = Edit::new(&document);
    change(&document, &mut edit);
    String::from_utf8(edit.finish().unwrap()).unwrap()
}

fn without(source: &str, name: &str) -> String {
    edited(source, |document, edit| {
        edit.remove_host(document.hosts_named(name).next().unwrap());
    })
}

#[test]
fn a_removed_host_takes_its_comments_and_its_lines() {
    let source = "# file\n\n# about a\nhost a {\n} # behind a\n\n# about b\nhost b { }\n";
    assert_eq!(without(source, "a"), "# file\n\n\n# about b\nhost b { }\n");
    assert_eq!(without(source, "b"), "# file\n\n# about a\nhost a {\n} # behind a\n\n");
    assert_eq!(without("group {\r\n  host a { }\r\n}\r\n", "a"), "group {\r\n}\r\n");
}

#[test]
fn a_host_that_shares_its_line_leaves_the_others() {
    assert_eq!(without("host a { } host b { }\n", "a"), " host b { }\n");
    assert_eq!(without("group { host a { } }", "a"), "group {  }");
    assert_eq!(without("# c\nhost b { } host a { }\n", "a"), "# c\nhost b { } \n");
}

#[test]
fn a_parameter_is_replaced_where_it_stands_or_added_at_the_end() {
    let set = |source: &str| {
        edited(source, |document, edit| {
            edit.set_parameter(document.hosts().next().unwrap(), "filename", "\"new\"");
        })
    };
    assert_eq!(set("host a { filename  \"old\" ; }"), "host a { filename  \"new\" ; }");
    assert_eq!(
        set("host a {\n\tuid 1; # x\n}\n"),
        "host a {\n\tuid 1; # x\n\tfilename \"new\";\n}\n"
    );
    assert_eq!(
        set("host a {\r\n  uid 1;\r\n}\r\n"),
        "host a {\r\n  uid 1;\r\n  filename \"new\";\r\n}\r\n"
    );
    assert_eq!(set("host a { uid 1; }"), "host a { uid 1; filename \"new\"; }");
    assert_eq!(set("host a { }"), "host a { filename \"new\"; }");
    assert_eq!(set("host a {}"), "host a { filename \"new\"; }");
}

#[test]
fn a_value_under_a_condition_is_not_the_one_that_is_replaced() {
    let source = "host a {\n  if known {\n    filename \"c\";\n  }\n}\n";
    let changed = edited(source, |document, edit| {
        edit.set_parameter(document.hosts().next().unwrap(), "filename", "\"new\"");
    });
    assert_eq!(
        changed,
        "host a {\n  if known {\n    filename \"c\";\n  }\n  filename \"new\";\n}\n"
    );
}

#[test]
fn options_statements_and_names_change() {
    let changed =
        edited("host a { option host-name \"x\"; # y\n  uid 1;\n}\n", |document, edit| {
            let host = document.hosts().next().unwrap();
            let uid = host.statement().children().last().unwrap();
            edit.rename_host(host, "b.example.org")
                .set_option(host, "host-name", "\"z\"")
                .remove(uid);
        });
    assert_eq!(changed, "host b.example.org { option host-name \"z\"; # y\n}\n");
}

#[test]
fn a_new_host_looks_like_its_neighbour() {
    let changed = edited("group {\n    host a { } # x\n}\n", |document, edit| {
        let host = document.hosts().next().unwrap();
        edit.add_host(host.statement(), "b", &["uid 1;", "filename \"x\";"]);
    });
    assert_eq!(
        changed,
        "group {\n    host a { } # x\n    host b {\n      uid 1;\n      filename \"x\";\n    }\n}\n"
    );
}

#[test]
fn a_change_that_breaks_the_syntax_is_refused() {
    let document = Document::parse("host a { }").unwrap();
    let host = document.hosts().next().unwrap();
    let refused = |edit: &Edit<'_>| matches!(edit.finish(), Err(EditError::Syntax(_)));
    assert!(refused(Edit::new(&document).rename_host(host, "two words")));
    assert!(refused(Edit::new(&document).set_parameter(host, "filename", "\"open")));
    assert!(refused(Edit::new(&document).set_parameter(host, "nosuch", "1")));
    let mut twice = Edit::new(&document);
    twice.remove_host(host).rename_host(host, "b");
    assert!(matches!(twice.finish(), Err(EditError::Overlap)));
    let other = Document::parse("host b { }").unwrap();
    let mut foreign = Edit::new(&document);
    foreign.remove_host(other.hosts().next().unwrap());
    assert!(matches!(foreign.finish(), Err(EditError::ForeignStatement)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn removing_one_host_leaves_every_other_declaration_as_it_was(
        parts in prop::collection::vec((0..4usize, any::<bool>()), 1..12),
        chosen in any::<prop::sample::Index>(),
    ) {
        let mut source = String::new();
        for (index, (kind, newline)) in parts.iter().enumerate() {
            source += match kind {
                0 => "# comment\n",
                1 => "group { ",
                2 => "\n",
                _ => "",
            };
            source.extend(format!("host n{index} {{ uid {index}; }}").chars());
            source += if *kind == 1 { " }" } else { "" };
            source += if *newline { "\n" } else { " " };
        }
        let document = Document::parse(source.as_str()).unwrap();
        let name = format!("n{}", chosen.index(parts.len()));
        let rest = Document::parse(without(&source, &name)).unwrap();
        let left: Vec<_> = rest.hosts().map(|host| host.statement().source().to_vec()).collect();
        let others = document.hosts().filter(|host| host.name() != name);
        prop_assert_eq!(left, others.map(|host| host.statement().source().to_vec()).collect::<Vec<_>>());
    }
}
