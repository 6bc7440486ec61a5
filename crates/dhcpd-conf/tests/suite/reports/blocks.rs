//! Reports about blocks, conditions, options and comments.

use std::fmt::Write as _;

use dhcpd_conf::{Document, FindingKind, FixedAddress, Identifier, Statement, StatementKind};

use super::{names, parsed, refused_at};

/// xcat2/xcat-core 1994: an option that nobody defines, far down a chain of conditions.
#[test]
fn an_unknown_option_in_a_chain_of_conditions_is_a_finding_at_its_line() {
    let chain = |first: &str| {
        let mut text = format!("{first}if option user-class = \"xNBA\" {{ filename \"a\"; }}\n");
        for number in 0..20 {
            writeln!(
                text,
                "else if option vendor-class-identifier = \"c{number}\" {{ filename \"b\"; }}"
            )
            .unwrap();
        }
        text + "else if exists user-class {\n  option conf-file = \"http://10.0.0.1/yb\";\n}\n"
    };
    let findings = parsed(&chain("")).lint();
    let [finding] = &findings[..] else { panic!("{findings:?}") };
    assert_eq!(finding.kind(), FindingKind::UnknownOption);
    assert_eq!(finding.sites()[0].position().line(), 23);
    assert!(finding.message().contains("conf-file"), "{finding}");
    assert!(parsed(&chain("option conf-file code 209 = text;\n")).lint().is_empty());
}

/// xcat2/xcat-core 7372: a generated file with spaces, encapsulation, keys and no host.
#[test]
fn definitions_keys_and_spaces_without_a_host_are_a_configuration() {
    let document = parsed(
        "option space isan; option isan-encap-opts code 43 = encapsulate isan;
         option isan.iqn code 203 = string; option isan.root-path code 201 = text;
         option conf-file code 209 = text; option conf-file code 209 = text;
         omapi-port 7911; key xcat_key { algorithm hmac-md5; secret \"bm90aGluZ2hlcmUh\"; };
         omapi-key xcat_key; class \"pxe\" { match if substring(option vendor-class-identifier, 0, 9) = \"PXEClient\"; }",
    );
    assert!(names(&document).is_empty());
    assert!(document.lint().is_empty());
    let count = |kind| document.statements().filter(|it| it.kind() == kind).count();
    assert_eq!((count(StatementKind::OptionDefinition), count(StatementKind::Key)), (5, 1));
}

/// hercules-team/augeas 34: `if exists` was unknown.
#[test]
fn if_exists_is_a_condition() {
    let document = parsed("if exists agent.circuit-id { filename \"x\"; } host a { }");
    let effective = document.hosts().next().unwrap().effective_parameter("filename");
    assert!(effective.certain().is_none());
    assert_eq!(effective.changes()[0].condition().unwrap().name(), b"exists agent.circuit-id");
}

/// hercules-team/augeas 50: the variety of allow, deny and ignore.
#[test]
fn all_permits_are_read_where_they_belong() {
    for word in ["allow", "deny", "ignore"] {
        for what in [
            "bootp",
            "booting",
            "dynamic-bootp",
            "unknown-clients",
            "duplicates",
            "declines",
            "client-updates",
            "leasequery",
        ] {
            parsed(&format!("{word} {what}; host a {{ {word} {what}; }}"));
        }
        assert!(Document::parse(format!("{word} known-clients;")).is_err());
    }
    let pool = |permit: &str| {
        format!("subnet 10.0.0.0 netmask 255.0.0.0 {{ pool {{ {permit} range 10.0.0.1; }} }}")
    };
    for word in ["allow", "deny"] {
        for what in [
            "known-clients",
            "unknown-clients",
            "known clients",
            "unknown clients",
            "all clients",
            "authenticated clients",
            "unauthenticated clients",
            "dynamic bootp clients",
            "members of \"c\"",
            "after never",
            "after epoch 1893456000",
            "after 4 2026/12/31 23:59:59",
        ] {
            let document = parsed(&pool(&format!("{word} {what};")));
            let permits: Vec<_> = document.pools()[0].permits().map(Statement::source).collect();
            assert_eq!(permits, [format!("{word} {what};").as_bytes()]);
        }
    }
    assert!(Document::parse(pool("ignore known clients;")).is_err());
}

/// theforeman/smart-proxy 524: nested and conditional blocks, inherited options.
#[test]
fn values_are_inherited_through_every_level_of_nesting_and_tell_from_where() {
    let document = parsed(
        "option domain-name \"root\"; shared-network n {\n option routers 10.0.0.9;\n\
         subnet 10.0.0.0 netmask 255.0.0.0 {\n next-server 10.0.0.2; pool { range 10.0.0.5; }\n\
         group {\n filename \"g\"; if known { default-lease-time 60; } host a { } } } }",
    );
    let host = document.hosts().next().unwrap();
    let found = |effective: dhcpd_conf::Effective<'_>| {
        let setting = effective.certain().unwrap();
        let block = setting.scope().block().map(Statement::kind);
        (
            String::from_utf8(setting.raw().to_vec()).unwrap(),
            setting.statement().position().line(),
            block,
        )
    };
    let is = |text: &str, line, block| (text.to_owned(), line, block);
    assert_eq!(found(host.effective_option("domain-name")), is("\"root\"", 1, None));
    assert_eq!(
        found(host.effective_option("routers")),
        is("10.0.0.9", 2, Some(StatementKind::SharedNetwork))
    );
    assert_eq!(
        found(host.effective_parameter("next-server")),
        is("10.0.0.2", 4, Some(StatementKind::Subnet))
    );
    assert_eq!(
        found(host.effective_parameter("filename")),
        is("\"g\"", 6, Some(StatementKind::Group))
    );
    let lease_time = host.effective_parameter("default-lease-time");
    assert!(lease_time.certain().is_none());
    assert_eq!(lease_time.changes()[0].condition().unwrap().name(), b"known");
}

/// theforeman/smart-proxy 632: record types, a blank before the semicolon, `none` as a server.
#[test]
fn record_types_and_blanks_before_semicolons_are_read_and_none_is_a_host_name() {
    let document = parsed(
        "option voip code 150 = { ip-address } ; option voip 10.0.0.1 ; option ntp-servers none;",
    );
    let addresses = |name| {
        document.outermost().settings().find(|setting| setting.name() == name).unwrap().addresses()
    };
    assert_eq!(addresses("ntp-servers"), [FixedAddress::Name("none".into())]);
    assert_eq!(addresses("voip"), [FixedAddress::Ip([10, 0, 0, 1].into())]);
}

/// theforeman 16079: a pool inside a subnet was beyond a regular expression.
#[test]
fn a_pool_belongs_to_the_subnet_around_it_and_ends_before_it() {
    let document = parsed(
        "subnet 10.1.0.0 netmask 255.255.0.0 {\n  pool\n  {\n    range 10.1.0.10 10.1.0.20;\n  }\n\
         \x20 option routers 10.1.0.1;\n}\nsubnet 10.2.0.0 netmask 255.255.0.0 { range 10.2.0.9; }\n",
    );
    let [one, two] = &document.subnets()[..] else { panic!() };
    assert_eq!((one.pools().count(), two.pools().count()), (1, 0));
    let pool = one.pools().next().unwrap();
    assert_eq!(pool.subnet().unwrap().network(), one.network());
    let range = pool.ranges()[0];
    assert_eq!(range.first().to_string(), "10.1.0.10");
    assert_eq!(range.last().to_string(), "10.1.0.20");
    let own: Vec<_> = one.settings().map(|setting| setting.name().into_owned()).collect();
    assert_eq!(own, ["routers"]);
}

/// jhthorsen/net-isc-dhcpd 24 and 37: punctuation inside a quoted value.
#[test]
fn semicolons_and_commas_inside_quotes_are_text() {
    let document = parsed("host a { option root-path \"nfs:10.0.0.1:/x,rw;y={z}#\"; } host b { }");
    assert_eq!(names(&document), ["a", "b"]);
    let option = document.hosts().next().unwrap().effective_option("root-path");
    assert_eq!(option.certain().unwrap().text().unwrap(), &b"nfs:10.0.0.1:/x,rw;y={z}#"[..]);
}

/// jhthorsen/net-isc-dhcpd 16 and 17: comments behind statements and between operands.
#[test]
fn comments_stand_between_any_two_tokens_and_stay_there() {
    let text = "class \"c\" { # one\n  match if # two\n    option host-name = \"a\" # three\n    \
                or # four\n    substring( # five\n hardware, 1, 3) = 0:1:2; # six\n}\n";
    let document = parsed(text);
    assert_eq!(document.source(), text.as_bytes());
    let class = document.classes()[0];
    assert_eq!((&*class.name(), class.matches().count()), (&b"c"[..], 1));
    let matches = String::from_utf8(class.matches().next().unwrap().to_vec()).unwrap();
    assert!(matches.starts_with("if") && matches.ends_with("0:1:2"), "{matches}");
    assert_eq!(matches.matches('#').count(), 4);
}

/// jhthorsen/net-isc-dhcpd 28: a group and a condition inside a shared network lost a brace on the
/// way through the parser.
#[test]
fn groups_and_conditions_in_a_shared_network_print_as_they_were_written() {
    let text = "shared-network wire\n{\n  group {\n    if option arch = 00:07\n    { filename \"x\"; }\n\
                \x20   else { filename \"y\"; }\n    host a { uid 1; }\n  }\n  subnet 10.0.0.0 netmask 255.0.0.0 { }\n}\n";
    let document = parsed(&format!("option arch code 93 = string;\n{text}"));
    assert!(document.source().ends_with(text.as_bytes()));
    let wire = document.shared_networks()[0].statement();
    assert_eq!(wire.source(), text.trim_end().as_bytes());
    let kinds: Vec<_> = wire.children().map(Statement::kind).collect();
    assert_eq!(kinds, [StatementKind::Group, StatementKind::Subnet]);
    let group = wire.children().next().unwrap();
    let kinds: Vec<_> = group.children().map(Statement::kind).collect();
    assert_eq!(kinds, [StatementKind::Conditional, StatementKind::Host]);
}

/// jhthorsen/net-isc-dhcpd 4: one error cascaded to the end of the file.
#[test]
fn one_error_is_reported_once_whatever_follows() {
    assert_eq!(
        refused_at("host a { filename 1; }\nhost b { filename \"x\"; }\n"),
        "line 1, column 19"
    );
    assert_eq!(
        refused_at("host a {\n  uid 1\n  filename \"x\";\n}\nhost b { }\n"),
        "line 3, column 3"
    );
    assert_eq!(refused_at("bogus { host a { } }\nhost b { }\n"), "line 1, column 1");
    assert_eq!(refused_at("host a { } ;\nhost b { }\n"), "line 1, column 12");
}

/// jhthorsen/net-isc-dhcpd 10 and 15: `authoritative` was known in few blocks. A host is none of
/// the server's.
#[test]
fn a_server_is_authoritative_on_any_level_but_in_a_host() {
    let document = parsed(
        "authoritative; group { authoritative; shared-network n { not authoritative; \
         subnet 10.0.0.0 netmask 255.0.0.0 { authoritative; pool { authoritative; range 10.0.0.1; } } } } \
         class \"c\" { authoritative; }",
    );
    let all = document.all_statements();
    assert_eq!(all.filter(|it| it.kind() == StatementKind::Authoritative).count(), 6);
    assert_eq!(refused_at("host a { authoritative; }"), "line 1, column 10");
}

/// jhthorsen/net-isc-dhcpd 27: a value behind `=` in the body of a subclass.
#[test]
fn a_subclass_has_a_body_with_values_behind_an_equals_sign() {
    let document = parsed(
        "class \"c\" { match hardware; } subclass \"c\" 1:2:0:0:0:0:1 { ddns-hostname=\"x\"; }",
    );
    let subclass = document.subclasses()[0];
    assert_eq!(subclass.class(), &b"c"[..]);
    assert_eq!(subclass.data(), Identifier::Octets(vec![1, 2, 0, 0, 0, 0, 1]));
    let setting = subclass.settings().next().unwrap();
    assert_eq!((&*setting.name(), setting.text().unwrap()), ("ddns-hostname", b"x".into()));
}

/// jhthorsen/net-isc-dhcpd 6: megabytes of subclasses took minutes. All are there; the benchmark
/// measures how fast.
#[test]
fn megabytes_of_subclasses_are_all_read() {
    let mut text = String::from("class \"c\" { match hardware; }\n");
    for index in 0..50_000 {
        let (high, low) = (index >> 8, index & 0xff);
        let head = format!("subclass \"c\" 1:2:0:0:0:{high:x}:{low:x}");
        writeln!(text, "{head} {{ option host-name \"h{index}\"; }} # of rack {high}").unwrap();
    }
    assert!(text.len() > 3_000_000);
    let document = parsed(&text);
    let subclasses = document.subclasses();
    assert_eq!(subclasses.len(), 50_000);
    for (index, subclass) in subclasses.into_iter().enumerate() {
        let [high, low] = u16::try_from(index).unwrap().to_be_bytes();
        assert_eq!(subclass.data(), Identifier::Octets(vec![1, 2, 0, 0, 0, high, low]));
    }
}

/// munin-monitoring/contrib 752: a range in a comment was counted.
#[test]
fn a_comment_is_never_a_statement() {
    let document = parsed(
        "subnet 10.0.0.0 netmask 255.0.0.0 {\n # range 10.0.0.1 10.0.0.9;\n}\n#host a { }\n",
    );
    assert_eq!(document.all_statements().count(), 1);
    assert!(document.subnets()[0].ranges().is_empty());
}
