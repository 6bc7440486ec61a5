//! Included files: what is read, what is refused, whose scope holds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use dhcpd_conf::{ConfigSet, Document, Limits, LoadErrorKind, LoadErrors, Loader, ParseErrorKind};

/// A reader of these files.
fn files<'f>(files: &[(&'f str, &'f str)]) -> impl Fn(&Path) -> Result<Vec<u8>, String> + use<'f> {
    let files: HashMap<_, _> = files.iter().copied().collect();
    move |path| {
        let text = path.to_str().and_then(|path| files.get(path));
        text.map(|text| text.as_bytes().to_vec()).ok_or(format!("no file {}", path.display()))
    }
}

fn load(list: &[(&str, &str)]) -> Result<ConfigSet, LoadErrors<String>> {
    ConfigSet::load("/main", files(list))
}

fn report(list: &[(&str, &str)]) -> String {
    let errors = load(list).unwrap_err();
    errors.iter().map(|error| error.report().to_string()).collect::<Vec<_>>().join("\n")
}

#[test]
fn hosts_come_in_the_order_the_server_reads_them() {
    let set = load(&[
        ("/main", "host a { } include \"/one\"; host d { }"),
        ("/one", "host b { } include \"/two\";"),
        ("/two", "host c { }"),
    ])
    .unwrap();
    let names: Vec<_> = set.hosts().into_iter().map(dhcpd_conf::Host::name).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
    assert_eq!(set.files().count(), 3);
}

#[test]
fn an_included_file_belongs_to_the_block_around_the_include() {
    let set = load(&[
        ("/main", "filename r; group { include \"/hosts\"; include \"/params\"; }"),
        ("/hosts", "host a { include \"/own\"; }"),
        ("/params", "filename g; next-server g;"),
        ("/own", "next-server h;"),
    ])
    .unwrap();
    let host = set.hosts_named("a").next().unwrap();
    let value = |name| host.effective_parameter(name).certain().unwrap().raw();
    assert_eq!((value("filename"), value("next-server")), (&b"g"[..], &b"h"[..]));
    assert_eq!(host.scopes().count(), 3);
    let setting = host.effective_parameter("filename").certain().unwrap();
    assert_eq!(setting.statement().file(), Some(Path::new("/params")));
    assert_eq!(set.chain(host.statement())[0].to_string(), "/main:1:21");
}

#[test]
fn lookups_reach_over_all_files() {
    let set = load(&[
        ("/main", "include \"/a\"; include \"/b\";"),
        ("/a", "host x { hardware ethernet 1:2; fixed-address 10.0.0.1; }"),
        ("/b", "host x { hardware ethernet 1:2; uid \"q\"; }"),
    ])
    .unwrap();
    let files = |hosts: Vec<dhcpd_conf::Host<'_>>| -> Vec<_> {
        hosts.iter().map(|host| host.file().unwrap().display().to_string()).collect()
    };
    assert_eq!(files(set.hosts_named("x").collect()), ["/a", "/b"]);
    assert_eq!(files(set.hosts_with_hardware(&[1, 2]).collect()), ["/a", "/b"]);
    assert_eq!(files(set.hosts_with_address([10, 0, 0, 1].into()).collect()), ["/a"]);
    assert_eq!(files(set.hosts_with_client_id(b"q").collect()), ["/b"]);
}

#[test]
fn the_includes_of_a_document_are_known_before_any_is_read() {
    let document = Document::parse(
        "group { include \"/a\"; } include\n\"/b\\x63\"; filename \"include\"; # include \"/d\";",
    );
    let document = document.unwrap();
    let paths: Vec<PathBuf> = document.includes().map(dhcpd_conf::Include::path).collect();
    assert_eq!(paths, [Path::new("/a"), Path::new("/bc")]);
}

#[test]
fn all_known_files_are_asked_for_at_once_and_each_only_once() {
    let waves = RefCell::new(Vec::new());
    let read = files(&[
        ("/main", "include \"/a\"; group { include \"/b\"; include \"/a\"; }"),
        ("/a", "include \"/c\";"),
        ("/b", "include \"/c\";"),
        ("/c", ""),
    ]);
    let set = Loader::new().load_batches("/main", |paths| {
        waves
            .borrow_mut()
            .push(paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>());
        paths.iter().map(|path| read(path)).collect()
    });
    assert_eq!(set.unwrap().files().count(), 7);
    assert_eq!(waves.into_inner(), [vec!["/main"], vec!["/a", "/b"], vec!["/c"]]);
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_with_the_readers_own() {
    let errors = load(&[("/main", "\n  include \"/gone\";")]).unwrap_err();
    let error = errors.iter().next().unwrap();
    assert!(matches!(error.kind(), LoadErrorKind::Read(own) if own == "no file /gone"));
    assert_eq!(error.to_string(), "cannot read /gone (included at /main:2:3)");
}

#[test]
fn the_first_error_is_the_one_the_server_meets_first() {
    let list = [
        ("/main", "include \"/a\"; include \"/gone\"; host { }"),
        ("/a", "include \"/b\";"),
        ("/b", "filename 1;"),
    ];
    let paths: Vec<_> =
        load(&list).unwrap_err().iter().map(|error| error.path().display().to_string()).collect();
    assert_eq!(paths, ["/b", "/gone", "/main"]);
}

#[test]
fn a_syntax_error_names_the_chain_of_files() {
    let list = [
        ("/main", "group {\n  include \"/a\";\n}"),
        ("/a", "\ninclude \"/b\";"),
        ("/b", "host x {\n  filename 1;\n}"),
    ];
    insta::assert_snapshot!(report(&list), @r"
    /b:2:12: expected a quoted string or a name, found `1`
      |
    2 |   filename 1;
      |            ^
    included at /a:2:1
    included at /main:2:3
    ");
}

#[test]
fn relative_includes_are_refused_unless_the_caller_says_where() {
    let list = [("/main", "include \"sub/a\";"), ("/base/sub/a", "host a { }")];
    let errors = load(&list).unwrap_err();
    assert!(matches!(errors.iter().next().unwrap().kind(), LoadErrorKind::Relative));
    assert_eq!(
        errors.to_string(),
        "include of sub/a: relative paths are refused (included at /main:1:1)"
    );
    let set = Loader::new().relative_to("/base").load("/main", files(&list)).unwrap();
    assert_eq!(set.hosts().len(), 1);
}

#[test]
fn a_loop_is_an_error() {
    let direct = load(&[("/main", "include \"/main\";")]).unwrap_err();
    assert_eq!(direct.to_string(), "/main includes itself (included at /main:1:1)");
    let indirect = load(&[("/main", "include \"/a\";"), ("/a", "include \"/main\";")]).unwrap_err();
    assert_eq!(indirect.to_string(), "/main includes itself (included at /a:1:1)");
}

#[test]
fn the_same_file_twice_is_no_loop() {
    let set = load(&[("/main", "include \"/a\"; include \"/a\";"), ("/a", "# nothing")]).unwrap();
    assert_eq!(set.files().count(), 3);
}

#[test]
fn limits_on_files_depth_and_bytes_hold() {
    let mut limits = Limits::default();
    limits.files = 2;
    limits.include_depth = 2;
    limits.total_bytes = 70;
    let kind = |list: &[(&str, &str)]| {
        let errors = Loader::new().limits(limits).load("/main", files(list)).unwrap_err();
        errors.into_iter().next().unwrap().into_kind()
    };
    let deep = [
        ("/main", "include \"/a\";"),
        ("/a", "include \"/b\";"),
        ("/b", "include \"/c\";"),
        ("/c", ""),
    ];
    assert!(matches!(kind(&deep), LoadErrorKind::TooDeep));
    let many = [("/main", "include \"/a\"; include \"/a\"; include \"/a\";"), ("/a", "")];
    assert!(matches!(kind(&many), LoadErrorKind::TooManyFiles));
    let large = [
        ("/main", "include \"/a\";"),
        ("/a", "# 345678901234567890123456789012345678901234567890123456789"),
    ];
    assert!(matches!(kind(&large), LoadErrorKind::TooLarge));
}

#[test]
fn statements_of_all_files_are_counted_together() {
    let list = [("/main", "include \"/a\"; include \"/a\";"), ("/a", "group { } group { }")];
    let mut limits = Limits::default();
    limits.statements = 6;
    assert!(Loader::new().limits(limits).load("/main", files(&list)).is_ok());
    limits.statements = 5;
    let errors = Loader::new().limits(limits).load("/main", files(&list)).unwrap_err();
    assert_eq!(errors.iter().count(), 1);
    let LoadErrorKind::Syntax(errors) = errors.into_iter().next().unwrap().into_kind() else {
        panic!("no syntax error");
    };
    assert_eq!(errors.iter().next().unwrap().kind(), ParseErrorKind::TooManyStatements);
}

#[test]
fn a_batch_reader_that_gives_too_few_answers_is_an_error() {
    let errors = Loader::new().load_batches::<String>("/main", |_| Vec::new()).unwrap_err();
    assert!(matches!(errors.iter().next().unwrap().kind(), LoadErrorKind::Unread));
}

#[test]
fn what_belongs_to_a_block_itself_cannot_come_from_an_included_file() {
    let inside = |block: &str, text: &str| {
        load(&[("/main", &block.replace("FILE", "include \"/a\";")), ("/a", text)]).is_ok()
    };
    let host = "host x { FILE }";
    let subnet = "subnet 10.0.0.0 netmask 255.0.0.0 { FILE }";
    let pool = "subnet 10.0.0.0 netmask 255.0.0.0 { pool { range 10.0.0.1; FILE } }";
    for (block, text) in [
        (host, "filename \"x\"; option host-name \"y\";"),
        (subnet, "range 10.0.0.1 10.0.0.2; host y { hardware ethernet 1; }"),
        (pool, "allow unknown-clients;"),
        ("class \"c\" { FILE }", "filename \"x\";"),
        ("FILE", "option space a; option a.b code 1 = text;"),
    ] {
        assert!(inside(block, text), "{text} in {block}");
    }
    for (block, text) in [
        (host, "hardware ethernet 1;"),
        (host, "fixed-address 10.0.0.1;"),
        (host, "uid 1;"),
        (host, "host y { }"),
        (subnet, "interface \"eth0\";"),
        (pool, "range 10.0.0.2;"),
        (pool, "allow members of \"c\";"),
        ("class \"c\" { FILE }", "match if known;"),
        ("group { FILE }", "option space a;"),
    ] {
        assert!(!inside(block, text), "{text} in {block}");
    }
}

#[test]
fn an_include_cannot_close_or_open_a_block_of_its_parent() {
    assert!(load(&[("/main", "group { include \"/a\""), ("/a", "}")]).is_err());
    assert!(load(&[("/main", "include \"/a\"; }"), ("/a", "group {")]).is_err());
}

#[test]
fn an_option_defined_in_one_file_has_its_type_in_the_next() {
    let with = |value: &str| {
        let text = format!("include \"/defs\"; host a {{ option site-rack {value}; }}");
        load(&[("/main", &text), ("/defs", "option site-rack code 200 = unsigned integer 8;")])
    };
    assert!(with("7").is_ok());
    assert_eq!(with("300").unwrap_err().to_string(), "/main:1:44: `300` is out of range");
    assert_eq!(with("7 8").unwrap_err().to_string(), "/main:1:46: expected `;`, found `8`");
}
