//! What a host inherits, and what a condition does to it.

use dhcpd_conf::{Document, Effective, Host, Operator};

/// The effective `filename` of host `a`: what is certain, and what may change it.
fn filename(text: &str) -> (Option<String>, Vec<String>) {
    let document =
        Document::parse(text).unwrap_or_else(|errors| panic!("{}", errors.report("text")));
    let host = document.hosts_named("a").next().unwrap();
    let effective = host.effective_parameter("filename");
    (certain(&effective), effective.changes().iter().map(|change| raw(change.raw())).collect())
}

fn certain(effective: &Effective<'_>) -> Option<String> {
    effective.certain().map(|setting| raw(setting.raw()))
}

fn raw(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn only(text: &str) -> Option<String> {
    let (certain, changes) = filename(text);
    assert!(changes.is_empty(), "{changes:?}");
    certain
}

#[test]
fn the_innermost_scope_wins() {
    let text = "filename r; group { filename g; group { host a { } } }";
    assert_eq!(only(text).as_deref(), Some("g"));
    assert_eq!(only("filename r; group { host a { } }").as_deref(), Some("r"));
    assert_eq!(
        only("filename r; group { filename g; host a { filename h; } }").as_deref(),
        Some("h")
    );
    assert_eq!(only("group { filename g; } host a { }"), None);
}

#[test]
fn the_last_statement_of_a_scope_wins_wherever_it_stands() {
    assert_eq!(only("host a { filename x; filename y; }").as_deref(), Some("y"));
    assert_eq!(only("group { host a { } filename g; }").as_deref(), Some("g"));
}

#[test]
fn a_value_comes_with_its_scope() {
    let document = Document::parse("filename r; group g { next-server a; host a { } }").unwrap();
    let host = document.hosts().next().unwrap();
    let root = host.effective_parameter("filename").certain().unwrap().scope();
    assert!(root.block().is_none());
    let group = host.effective_parameter("next-server").certain().unwrap().scope();
    assert_eq!(group.block().unwrap().declared_name(), &b"g"[..]);
    assert_eq!(host.scopes().count(), 3);
}

#[test]
fn a_value_under_a_condition_is_never_certain() {
    for condition in
        ["if known { filename x; }", "switch (option host-name) { case \"q\": filename x; }"]
    {
        let (certain, changes) = filename(&format!("host a {{ filename h; {condition} }}"));
        assert_eq!((certain, changes), (None, vec!["x".to_owned()]), "{condition}");
    }
    let (certain, changes) = filename("group { if known { filename x; } host a { } }");
    assert_eq!((certain, changes), (None, vec!["x".to_owned()]));
}

#[test]
fn every_branch_of_a_chain_is_listed_with_its_condition() {
    let text =
        "host a { if known { filename x; } elsif static { filename y; } else { filename z; } }";
    let document = Document::parse(text).unwrap();
    let host = document.hosts().next().unwrap();
    let conditions: Vec<_> = host
        .parameter("filename")
        .map(|setting| (raw(setting.raw()), raw(setting.condition().unwrap().name())))
        .collect();
    let expected = [("x", "known"), ("y", "static"), ("z", "")];
    assert_eq!(conditions, expected.map(|(value, name)| (value.to_owned(), name.to_owned())));
}

#[test]
fn a_later_unconditional_value_overrides_conditional_ones_further_out() {
    assert_eq!(
        only("if known { filename x; } group { filename g; host a { } }").as_deref(),
        Some("g")
    );
    assert_eq!(only("host a { if known { filename x; } filename h; }").as_deref(), Some("h"));
}

#[test]
fn a_parameter_set_as_a_server_option_counts() {
    assert_eq!(only("host a { supersede server.filename = \"x\"; }").as_deref(), Some("\"x\""));
    assert_eq!(only("host a { option SERVER . filename \"x\"; }").as_deref(), Some("\"x\""));
}

#[test]
fn default_gives_way_and_append_only_changes() {
    assert_eq!(only("filename r; host a { default server.filename \"d\"; }").as_deref(), Some("r"));
    assert_eq!(only("host a { default server.filename \"d\"; }").as_deref(), Some("\"d\""));
    let document =
        Document::parse("option routers 10.0.0.1; host a { append routers 10.0.0.2; }").unwrap();
    let routers = document.hosts().next().unwrap().effective_option("routers");
    assert!(routers.certain().is_none());
    assert_eq!(routers.fixed().unwrap().raw(), b"10.0.0.1");
    assert_eq!(routers.changes()[0].operator(), Operator::Append);
}

#[test]
fn a_named_group_takes_the_place_of_the_blocks_around_the_host() {
    let text = "group g { filename g; } group { filename other; host a { group g; } host b { group \"g\"; } }";
    assert_eq!(only(text).as_deref(), Some("g"));
    let document = Document::parse(text).unwrap();
    let host = document.hosts_named("b").next().unwrap();
    assert_eq!(certain(&host.effective_parameter("filename")).as_deref(), Some("g"));
}

#[test]
fn of_groups_with_one_name_the_last_closed_one_before_the_host_counts() {
    let two = "group g { filename one; } group g { filename two; HOST } group g { filename six; }";
    assert_eq!(only(&two.replace("HOST", "host a { group g; }")).as_deref(), Some("one"));
    let between =
        "group g { filename one; } group g { filename two; } host a { group g; } group g { }";
    assert_eq!(only(between).as_deref(), Some("two"));
    let last = "group g { filename one; } group h { filename two; } host a { group g; group h; }";
    assert_eq!(only(last).as_deref(), Some("two"));
}

#[test]
fn an_option_written_by_its_number_is_the_option() {
    let document = Document::parse("option unknown-12 \"a\"; host a { }").unwrap();
    let host = document.hosts().next().unwrap();
    assert!(host.effective_option("host-name").certain().is_some());
    assert!(host.effective_option("unknown-12").certain().is_some());
    assert!(host.effective_option("agent.unknown-12").is_unset());
}

#[test]
fn options_are_found_in_any_case_and_with_their_space() {
    let document =
        Document::parse("host a { option HOST-Name \"x\"; option agent.circuit-id \"c\"; }")
            .unwrap();
    let host = document.hosts().next().unwrap();
    assert_eq!(host.option("host-name").count(), 1);
    assert_eq!(host.option("dhcp.host-name").count(), 1);
    assert_eq!(
        host.effective_option("agent.circuit-id").certain().unwrap().text().unwrap(),
        &b"c"[..]
    );
    assert!(host.effective_option("circuit-id").is_unset());
}

#[test]
fn an_expression_is_no_address() {
    let document = Document::parse("host a { next-server = \"10.0.0.1\"; }").unwrap();
    let setting = document
        .hosts()
        .next()
        .and_then(|host: Host<'_>| host.parameter("next-server").next())
        .unwrap();
    assert!(setting.is_expression());
    assert!(setting.addresses().is_empty());
}
