//! Reports about included files.

use std::path::{Path, PathBuf};

use dhcpd_conf::{ConfigSet, FindingKind, FixedAddress, Host, LoadErrorKind, Loader, Severity};

use super::parsed;

/// A reader of these files.
fn files<'f>(files: &'f [(&str, &str)]) -> impl Fn(&Path) -> Result<Vec<u8>, PathBuf> + use<'f> {
    move |path| {
        let found = files.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| path.to_owned())
    }
}

/// theforeman/smart-proxy 22: an include was seen only alone on its line.
#[test]
fn an_include_is_a_statement_anywhere_on_a_line() {
    let document = parsed("group { include \"/a\"; include \"/b\"; } host a { } include \"/c\";");
    let paths: Vec<_> = document.includes().map(dhcpd_conf::Include::path).collect();
    assert_eq!(paths, [Path::new("/a"), Path::new("/b"), Path::new("/c")]);
}

/// theforeman 23353: a relative path was looked for in a folder that somebody guessed.
#[test]
fn a_relative_include_counts_from_where_the_caller_says_and_from_nowhere_else() {
    let list = [
        ("/etc/dhcp/dhcpd.conf", "include \"conf.d/hosts\";"),
        ("/srv/conf.d/hosts", "include \"more\"; host a { }"),
        ("/srv/more", "host b { }"),
    ];
    let errors = Loader::new().load(list[0].0, files(&list)).unwrap_err();
    assert!(matches!(errors.iter().next().unwrap().kind(), LoadErrorKind::Relative));
    let set = Loader::new().relative_to("/srv").load(list[0].0, files(&list)).unwrap();
    assert_eq!(set.hosts().into_iter().map(Host::name).collect::<Vec<_>>(), ["b", "a"]);
    let errors = Loader::new().relative_to("/etc/dhcp").load(list[0].0, files(&list)).unwrap_err();
    let LoadErrorKind::Read(asked) = errors.iter().next().unwrap().kind() else { panic!() };
    assert_eq!(asked, Path::new("/etc/dhcp/conf.d/hosts"));
}

/// jhthorsen/net-isc-dhcpd 7: a copy of a server's files stands elsewhere than its includes say.
#[test]
fn a_copy_of_a_servers_files_is_read_by_the_callers_own_paths() {
    let copy = [
        ("/copy/etc/dhcp/dhcpd.conf", "include \"/etc/dhcp/a\";"),
        ("/copy/etc/dhcp/a", "host a { }"),
    ];
    let read = files(&copy);
    let set = ConfigSet::load("/etc/dhcp/dhcpd.conf", |path| {
        read(&Path::new("/copy").join(path.strip_prefix("/").unwrap()))
    });
    let set = set.unwrap();
    let host = set.hosts_named("a").next().unwrap();
    assert_eq!(host.file(), Some(Path::new("/etc/dhcp/a")));
}

/// sous-chefs/dhcp 76: parameters and permits written as options, in an included file.
#[test]
fn a_parameter_as_an_option_in_an_included_file_is_found_with_the_way_to_it() {
    let list = [
        ("/main", "subnet 10.0.0.0 netmask 255.0.0.0 {\n  include \"/params\";\n}\n"),
        (
            "/params",
            "option routers 10.0.0.1;\noption default-lease-time 600;\noption deny unknown-clients;\n",
        ),
    ];
    let set = ConfigSet::load("/main", files(&list)).unwrap();
    let findings = set.lint();
    let found: Vec<_> = findings.iter().map(|it| (it.kind(), it.sites()[0].to_string())).collect();
    assert_eq!(
        found,
        [
            (FindingKind::ParameterAsOption, "/params:2:1".to_owned()),
            (FindingKind::UnknownOption, "/params:3:1".to_owned()),
        ]
    );
    assert!(findings.iter().all(|finding| finding.severity() == Severity::Error));
    let statement =
        set.all_statements().into_iter().find(|it| it.name() == b"default-lease-time").unwrap();
    let chain: Vec<_> = set.chain(statement).iter().map(ToString::to_string).collect();
    assert_eq!(chain, ["/main:2:3"]);
}

/// linuxmuster/linuxmuster-base7 80: hosts in files that subnets include, names without quotes.
#[test]
fn hosts_in_files_that_a_subnet_includes_are_followed_and_stand_in_it() {
    let list = [
        (
            "/main",
            "subnet 10.0.0.0 netmask 255.255.0.0 { option routers 10.0.0.254; include \"/devices\"; }",
        ),
        (
            "/devices",
            "host pc1 {\n  hardware ethernet 02:00:00:00:00:01;\n  fixed-address 10.0.0.1;\n  \
                      option host-name pxeclient;\n}\n",
        ),
    ];
    let set = ConfigSet::load("/main", files(&list)).unwrap();
    let host = set.hosts_with_hardware(&[2, 0, 0, 0, 0, 1]).next().unwrap();
    assert_eq!((host.name(), host.position().to_string().as_str()), ("pc1", "line 1, column 1"));
    assert_eq!(host.option("host-name").next().unwrap().text().unwrap(), &b"pxeclient"[..]);
    let routers = host.effective_option("routers").certain().unwrap();
    assert_eq!(routers.statement().file(), Some(Path::new("/main")));
    assert!(set.lint().is_empty());
}

/// Akkadius/glass-isc-dhcp 30 and 55: the fixed addresses of all files, those included too.
#[test]
fn fixed_addresses_of_all_files_are_listed_with_their_files() {
    let list = [
        ("/main", "host a { fixed-address 10.0.0.1; }\ninclude \"/b\";\ninclude \"/c\";\n"),
        ("/b", "group { host b { fixed-address 10.0.0.2, b.example.org; } }\n"),
        ("/c", "host c { }\n"),
    ];
    let set = ConfigSet::load("/main", files(&list)).unwrap();
    let listed: Vec<_> = set
        .hosts()
        .into_iter()
        .map(|host| (host.file().unwrap().to_str().unwrap(), host.name(), host.fixed_addresses()))
        .collect();
    let ip = |last| FixedAddress::Ip([10, 0, 0, last].into());
    assert_eq!(
        listed,
        [
            ("/main", "a", vec![ip(1)]),
            ("/b", "b", vec![ip(2), FixedAddress::Name("b.example.org".into())]),
            ("/c", "c", vec![]),
        ]
    );
}
