//! Changes touch what they name and nothing else.

use std::path::Path;

use dhcpd_conf::{ConfigSet, Document, Edit, EditError, HardwareAddress, HardwareType};
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
fn a_value_that_only_adds_is_not_the_one_that_is_replaced() {
    let set = |source: &str| {
        edited(source, |document, edit| {
            edit.set_option(document.hosts().next().unwrap(), "domain-name", "\"new\"");
        })
    };
    for operator in ["append", "prepend", "default"] {
        let source = format!("host a {{ {operator} domain-name \"x\"; }}");
        let changed =
            format!("host a {{ {operator} domain-name \"x\"; option domain-name \"new\"; }}");
        assert_eq!(set(&source), changed);
    }
    assert_eq!(
        set("host a { supersede domain-name x; }"),
        "host a { supersede domain-name \"new\"; }"
    );
}

#[test]
fn an_expression_gives_way_to_a_value_and_a_value_to_an_expression() {
    let set = |source: &str, value: &str| {
        edited(source, |document, edit| {
            edit.set_parameter(document.hosts().next().unwrap(), "next-server", value);
        })
    };
    let expression = "host a { next-server # c\n = 0a:00:00:01 ; }";
    assert_eq!(set(expression, "10.0.0.2"), "host a { next-server # c\n 10.0.0.2 ; }");
    assert_eq!(set(expression, "= 0a:00:00:02"), "host a { next-server # c\n = 0a:00:00:02 ; }");
    assert_eq!(
        set("host a { next-server b; }", "= 0a:00:00:02"),
        "host a { next-server = 0a:00:00:02; }"
    );
    // The `=` of a comment is none.
    let comment = "host a { next-server # = \n b; }";
    assert_eq!(set(comment, "c"), "host a { next-server # = \n c; }");
    let document = Document::parse(comment).unwrap();
    assert!(!document.hosts().next().unwrap().settings().next().unwrap().is_expression());
}

#[test]
fn addresses_of_either_family_take_the_place_of_the_other() {
    let set = |source: &str, addresses: &[&str]| {
        edited(source, |document, edit| {
            edit.set_fixed_addresses(document.hosts().next().unwrap(), addresses);
        })
    };
    assert_eq!(set("host a { }", &["::1", "::2"]), "host a { fixed-address6 ::1, ::2; }");
    assert_eq!(set("host a { fixed-address6 ::1; }", &["::2"]), "host a { fixed-address6 ::2; }");
    assert_eq!(set("host a { fixed-address6 ::1; }", &["b"]), "host a { fixed-address b; }");
    assert_eq!(set("host a { fixed-address b ; }", &["::2"]), "host a { fixed-address6 ::2 ; }");
}

#[test]
fn a_host_is_added_to_the_file_that_is_named() {
    let read = |path: &Path| match path.to_str() {
        Some("/main") => Ok("group {\n\tinclude \"/hosts\";\n}\n"),
        Some("/hosts") => Ok("# hosts of rack 7\r\n"),
        _ => Err("no such file"),
    };
    let set = ConfigSet::load("/main", |path| read(path).map(Vec::from)).unwrap();
    let mut edit = Edit::new(&set);
    let files = edit.add_host_to_file("/hosts", "a", &["uid 1;"]).finish().unwrap();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].source(), b"# hosts of rack 7\r\nhost a {\r\n  uid 1;\r\n}\r\n");
    let mut edit = Edit::new(&set);
    edit.add_host_to_file("/none", "a", &[]);
    assert!(matches!(edit.finish(), Err(EditError::NoFile(_))));
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
        edit.add_host_behind(host.statement(), "b", &["uid 1;", "filename \"x\";"]);
    });
    assert_eq!(
        changed,
        "group {\n    host a { } # x\n    host b {\n        uid 1;\n        filename \"x\";\n    }\n}\n"
    );
}

#[test]
fn a_change_that_breaks_the_syntax_is_refused() {
    let document = Document::parse("host a { }").unwrap();
    let host = document.hosts().next().unwrap();
    let refused = |edit: &Edit<'_>| matches!(edit.finish(), Err(EditError::Syntax(_)));
    let not_one = |edit: &Edit<'_>| matches!(edit.finish(), Err(EditError::NotOne(..)));
    for name in ["two words", "b { } host c", "b #", "", " b", "\"b\""] {
        assert!(not_one(Edit::new(&document).rename_host(host, name)), "{name}");
        assert!(not_one(Edit::new(&document).add_host(document.outermost(), name, &[])), "{name}");
    }
    for value in ["\"x\"; next-server a", "\"x\"; #", "\"x\"; } host c { uid 1"] {
        let mut edit = Edit::new(&document);
        assert!(edit.set_parameter(host, "filename", value).finish().is_err(), "{value}");
        let statement = format!("filename {value};");
        let mut edit = Edit::new(&document);
        assert!(edit.add_host(document.outermost(), "b", &[&statement]).finish().is_err());
    }
    assert!(refused(Edit::new(&document).set_parameter(host, "filename", "\"open")));
    assert!(refused(Edit::new(&document).set_parameter(host, "nosuch", "1")));
    let mut twice = Edit::new(&document);
    twice.remove_host(host).rename_host(host, "b");
    assert!(matches!(twice.finish(), Err(EditError::Overlap)));
    let other = Document::parse("host b { }").unwrap();
    let mut foreign = Edit::new(&document);
    foreign.remove_host(other.hosts().next().unwrap());
    assert!(matches!(foreign.finish(), Err(EditError::Foreign)));
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

#[test]
fn a_host_in_the_style_of_the_file_is_added_to_any_scope() {
    let added = |source: &str, to_group: bool| {
        edited(source, |document, edit| {
            let scope = if to_group { document.groups()[0].into() } else { document.outermost() };
            edit.add_host(scope, "b", &["uid 1;", "filename \"x\";"]);
        })
    };
    let lines = "host b {\n  uid 1;\n  filename \"x\";\n}\n";
    assert_eq!(added("", false), lines);
    assert_eq!(added("# only a comment", false), format!("# only a comment\n{lines}"));
    assert_eq!(
        added("host a { uid 2; } # a\n", false),
        "host a { uid 2; } # a\nhost b { uid 1; filename \"x\"; }\n"
    );
    assert_eq!(
        added("group {\r\n}\r\n", true),
        "group {\r\n  host b {\r\n    uid 1;\r\n    filename \"x\";\r\n  }\r\n}\r\n"
    );
    assert_eq!(
        added("group { # g\n\thost a {\n\t\tuid 2;\n\t}\n}\n", true),
        "group { # g\n\thost a {\n\t\tuid 2;\n\t}\n\thost b {\n\t\tuid 1;\n\t\tfilename \"x\";\n\t}\n}\n"
    );
    assert_eq!(added("group { }", true), "group { host b { uid 1; filename \"x\"; } }");
    assert_eq!(
        added("group { authoritative; }", true),
        "group { authoritative; host b { uid 1; filename \"x\"; } }"
    );
}

#[test]
fn settings_of_any_scope_are_set_and_removed() {
    let source = "filename \"r\";\ngroup {\n  filename \"g\"; # keep\n  if known { filename \"c\"; }\n  filename \"h\";\n}\n";
    let changed = edited(source, |document, edit| {
        edit.remove_parameter(document.groups()[0], "filename");
        edit.set_parameter(document.outermost(), "filename", "\"s\"");
        edit.set_option(document.outermost(), "domain-name", "\"d\"");
    });
    assert_eq!(
        changed,
        "filename \"s\";\ngroup {\n  if known { filename \"c\"; }\n}\noption domain-name \"d\";\n"
    );
    let changed = edited("host a {\n  option routers 10.0.0.1; uid 1;\n}\n", |document, edit| {
        edit.remove_option(document.hosts().next().unwrap(), "routers");
    });
    assert_eq!(changed, "host a {\n   uid 1;\n}\n");
}

#[test]
fn hardware_and_addresses_of_a_host_change_or_come_anew() {
    let hardware = HardwareAddress::new(HardwareType::InfiniBand, &[1, 2]).unwrap();
    let set = |source: &str| {
        edited(source, |document, edit| {
            let host = document.hosts().next().unwrap();
            edit.set_hardware(host, &hardware).set_fixed_addresses(host, &["10.0.0.1", "a.b"]);
        })
    };
    assert_eq!(
        set("host a {\n  fixed-address 10.0.0.9; # f\n  hardware ethernet 0:1:2:3:4:5;\n}\n"),
        "host a {\n  fixed-address 10.0.0.1, a.b; # f\n  hardware infiniband 01:02;\n}\n"
    );
    assert_eq!(
        set("host a {\n}\n"),
        "host a {\n  hardware infiniband 01:02;\n  fixed-address 10.0.0.1, a.b;\n}\n"
    );
}

#[test]
fn a_second_host_of_a_name_is_refused() {
    let document = Document::parse("host a { }\nhost b { }\n").unwrap();
    let host = document.hosts_named("a").next().unwrap();
    for edit in [
        Edit::new(&document).rename_host(host, "b"),
        Edit::new(&document).add_host(document.outermost(), "a", &[]),
        Edit::new(&document).add_host(document.outermost(), "c", &[]).add_host(
            document.outermost(),
            "c",
            &[],
        ),
    ] {
        assert!(matches!(edit.finish(), Err(EditError::DuplicateHost(_))));
    }
    let swapped = Edit::new(&document)
        .rename_host(host, "b")
        .rename_host(document.hosts_named("b").next().unwrap(), "a")
        .finish();
    assert_eq!(swapped.unwrap(), b"host b { }\nhost a { }\n");
}

#[test]
fn an_edit_across_includes_gives_the_files_that_change_and_no_other() {
    let files = [
        (
            "/main",
            "subnet 10.0.0.0 netmask 255.0.0.0 { include \"/pool\"; }\ninclude \"/hosts\";\n",
        ),
        ("/pool", "range 10.0.0.1 10.0.0.9;\r\nfilename \"p\";\r\n"),
        ("/hosts", "group { include \"/more\"; }\nhost a { }\n"),
        ("/more", "host b { }\n"),
    ];
    let read = |path: &Path| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, text)| text.as_bytes().to_vec()).ok_or("absent")
    };
    let set = ConfigSet::load("/main", read).unwrap();
    let named = |name: &str| set.hosts_named(name).next().unwrap();
    let mut edit = Edit::new(&set);
    edit.remove_host(named("b")).set_option(named("a"), "host-name", "\"a\"");
    // The value that counts stands in the included file, whose content belongs to the subnet.
    edit.set_parameter(set.subnets()[0], "filename", "\"q\"");
    let changed = edit.finish().unwrap();
    let changed: Vec<_> =
        changed.iter().map(|file| (file.path().to_str().unwrap(), file.source())).collect();
    assert_eq!(
        changed,
        [
            ("/pool", &b"range 10.0.0.1 10.0.0.9;\r\nfilename \"q\";\r\n"[..]),
            ("/hosts", b"group { include \"/more\"; }\nhost a { option host-name \"a\"; }\n"),
            ("/more", b""),
        ]
    );
    assert!(Edit::new(&set).finish().unwrap().is_empty());
    let twice = Edit::new(&set).rename_host(named("a"), "b").finish();
    assert!(matches!(twice, Err(EditError::DuplicateHost(name)) if name == "b"));
    let document = set.files().nth(2).unwrap().document();
    let foreign = Edit::new(&set).remove_host(document.hosts().next().unwrap()).finish();
    assert!(matches!(foreign, Err(EditError::Foreign)));
}

#[test]
fn a_file_that_is_included_twice_is_changed_once() {
    let read = |path: &Path| match path.to_str() {
        Some("/main") => Ok("group { include \"/g\"; } group { include \"/g\"; }"),
        Some("/g") => Ok("filename \"x\";\n"),
        _ => Err("absent"),
    };
    let set = ConfigSet::load("/main", |path| read(path).map(Vec::from)).unwrap();
    let mut edit = Edit::new(&set);
    for group in set.groups() {
        edit.set_parameter(group, "filename", "\"y\"");
    }
    let changed = edit.finish().unwrap();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].source(), b"filename \"y\";\n");
}
