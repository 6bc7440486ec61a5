//! What holds for every input. The tests and the fuzz targets check these same functions.

use dhcpd_conf::{Document, Edit, Layout, Limits, Statement, StatementKind};

/// Parsing never panics, and printing gives back the input.
pub(crate) fn parses_without_loss(source: &[u8]) {
    let mut limits = Limits::default();
    limits.depth = 32;
    let (document, errors) = Document::parse_recovering(source, &limits);
    assert_eq!(document.source(), source);
    for error in errors.iter().flatten() {
        assert!(error.span().end() <= source.len());
        let _ = error.report("f").to_string();
    }
    assert_eq!(Document::parse_with(source, &limits).is_ok(), errors.is_none());
    tree_covers_the_source(&document);
    views_hold(&document);
}

/// Statements lie in order inside their parents, and between them stand only blanks and comments.
pub(crate) fn tree_covers_the_source(document: &Document) {
    let source = document.source();
    let mut end = source.strip_prefix(b"\xef\xbb\xbf").map_or(0, |_| 3);
    for statement in document.statements() {
        between(source, end, statement.span().start());
        covered(statement);
        end = statement.span().end();
    }
}

fn covered(statement: Statement<'_>) {
    let mut end = statement.span().start();
    let chain = statement.kind() == StatementKind::Conditional;
    for child in statement.children() {
        let span = child.span();
        assert!(end <= span.start() && span.end() <= statement.span().end(), "{child:?}");
        if chain {
            between(statement.document().source(), end, span.start());
        }
        covered(child);
        end = span.end();
    }
}

/// Only blanks, comments and stray braces stand between `from` and `to`.
fn between(source: &[u8], from: usize, to: usize) {
    assert!(from <= to);
    let mut comment = false;
    for byte in &source[from..to] {
        match byte {
            b'\n' => comment = false,
            b'#' => comment = true,
            _ => assert!(
                comment || byte.is_ascii_whitespace() || matches!(byte, 0x0b | b'}'),
                "{byte}"
            ),
        }
    }
}

/// No view panics, and every host is found by all it is looked up by.
fn views_hold(document: &Document) {
    for host in document.hosts() {
        let same = |other: dhcpd_conf::Host<'_>| other.span() == host.span();
        assert!(document.hosts_named(host.name()).any(same));
        assert!(document.hosts_with_prefix(host.name()).any(same));
        if let Some(hardware) = host.hardware() {
            assert!(document.hosts_with_hardware(hardware.octets()).any(same));
        }
        for address in host.fixed_addresses() {
            if let dhcpd_conf::FixedAddress::Ip(address) = address {
                assert!(document.hosts_with_address(address).any(same));
            }
        }
        let _ = (host.comments().count(), host.client_id(), host.scopes().count());
        let _ = (host.effective_parameter("filename"), host.effective_option("routers"));
        if let Some(guid) = host.guid() {
            assert!(document.hosts_with_guid(guid).any(same));
        }
        for setting in host.settings() {
            let _ = (setting.text(), setting.octets(), setting.addresses(), setting.identifier());
        }
    }
    for subnet in document.subnets() {
        let address = subnet.network().address();
        assert!(document.subnets_with(address).any(|it| it.network() == subnet.network()));
        for range in subnet.ranges() {
            assert!(range.contains(range.first()) && range.contains(range.last()));
        }
        let _ = (subnet.network().to_string(), subnet.shared_network(), subnet.pools().count());
    }
    for pool in document.pools() {
        let _ = (pool.subnet(), pool.ranges().len(), pool.permits().count());
    }
    for class in document.classes() {
        let _ = (class.name(), class.matches().count(), class.settings().count());
    }
    for subclass in document.subclasses() {
        let _ = (subclass.class(), subclass.data());
    }
    for group in document.groups() {
        let _ = (group.name(), group.hosts().count());
    }
    for finding in document.lint() {
        assert!(!finding.sites().is_empty() && !finding.to_string().is_empty());
    }
    for statement in document.all_statements() {
        let _ = (statement.value(), statement.declared_name(), statement.comments().count());
        assert!(document.source().len() >= statement.span().end());
    }
}

/// Following includes ends, whatever the files say. `sources` are the files `/0`, `/1`, …
pub(crate) fn includes_end(sources: &[&[u8]]) {
    let mut limits = Limits::default();
    limits.files = 50;
    let read = |path: &std::path::Path| {
        let number: usize =
            path.to_str().and_then(|path| path.strip_prefix('/')?.parse().ok()).ok_or(())?;
        sources.get(number).map(|source| source.to_vec()).ok_or(())
    };
    match dhcpd_conf::Loader::new().limits(limits).load("/0", read) {
        Ok(set) => {
            assert!(set.files().count() <= 51);
            for host in set.hosts() {
                let _ = (host.effective_parameter("filename"), host.scopes().count());
            }
        }
        Err(errors) => assert!(errors.iter().count() > 0),
    }
}

/// An edit leaves every other byte: what it takes out is the statement with its own comments and
/// blanks, and all other statements stay as they are. `which` chooses the host.
pub(crate) fn edits_leave_the_rest(source: &[u8], which: usize) {
    let Ok(document) = Document::parse(source) else { return };
    let count = document.hosts().count();
    let Some(host) = document.hosts().nth(which.checked_rem(count).unwrap_or(0)) else { return };
    let span = host.span();

    let removed = Edit::new(&document).remove_host(host).finish().unwrap();
    only_comments_go_with(source, &removed, span.range());

    let renamed = Edit::new(&document).rename_host(host, "new-name.example").finish().unwrap();
    let name = host.statement().name();
    let at = span.start() + span_of(host.statement().source(), name);
    assert_eq!(renamed, [&source[..at], b"new-name.example", &source[at + name.len()..]].concat());

    let mut edit = Edit::new(&document);
    let set = edit.set_parameter(host, "min-secs", "7").finish().unwrap();
    let changed = Document::parse(set.as_slice()).unwrap();
    let same = changed.hosts().nth(which % count).unwrap();
    let settings = same.parameter("min-secs").rfind(|it| it.condition().is_none());
    assert_eq!(settings.unwrap().raw(), b"7");
    kept(source, &set, span.range());

    let mut edit = Edit::new(&document);
    edit.add_host_behind(host.statement(), "new-name.example", &["uid 7;", "min-secs 7;"]);
    let added = edit.finish().unwrap();
    let changed = Document::parse(added.as_slice()).unwrap();
    assert_eq!(changed.hosts().count(), count + 1);
    let new = changed.hosts().nth(which % count + 1).unwrap();
    assert!(new.name() == "new-name.example" && new.statement().children().count() == 2);
    // Behind the host's line: its blanks and comment stay with it.
    let split = (span.end()..=source.len())
        .find(|at| added.starts_with(&source[..*at]) && added.ends_with(&source[*at..]));
    assert!(split.is_some(), "{}", added.escape_ascii());
    let again = Edit::new(&changed).remove_host(new).finish().unwrap();
    let again = Document::parse(again).unwrap();
    let hosts = |document: &Document| -> Vec<Vec<u8>> {
        document.hosts().map(|host| host.statement().source().to_vec()).collect()
    };
    assert_eq!(hosts(&again), hosts(&document));
}

/// What is in `source` and not in `changed` is `range` with blanks and comments around it.
fn only_comments_go_with(source: &[u8], changed: &[u8], range: std::ops::Range<usize>) {
    let gone = source.len() - changed.len();
    // Where equal bytes stand on both sides, several cuts give the same rest.
    let cut = (range.end.saturating_sub(gone)..=range.start).find(|start| {
        let (before, after) = (&source[..*start], &source[start + gone..]);
        let around = [&source[*start..range.start], &source[range.end..start + gone]].concat();
        changed == [before, after].concat() && only_comments(&around)
    });
    assert!(cut.is_some(), "{}", changed.escape_ascii());
}

/// Everything before and after `range` stands in `changed` too.
fn kept(source: &[u8], changed: &[u8], range: std::ops::Range<usize>) {
    assert!(changed.starts_with(&source[..range.start]) && changed.ends_with(&source[range.end..]));
}

/// Where `part`, which is a piece of `whole`, begins in it.
fn span_of(whole: &[u8], part: &[u8]) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}

/// Whether a text is blanks and comments.
fn only_comments(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').all(|line| {
        let line = line.trim_ascii();
        line.is_empty() || line.starts_with(b"#") || line == b"\x0b"
    })
}

/// A layout changes blanks only, is its own layout, and leaves what is declared as it was.
pub(crate) fn layout_changes_blanks_only(source: &[u8]) {
    let Ok(document) = Document::parse(source) else {
        let (document, _) = Document::parse_recovering(source, &Limits::default());
        assert!(Layout::default().apply(&document).is_err());
        return;
    };
    for layout in [Layout::default(), Layout::tabs(), Layout::of(&document)] {
        let text = layout.apply(&document).unwrap();
        assert_eq!(without_blanks(source), without_blanks(&text));
        let again = Document::parse(text.as_slice()).unwrap();
        assert_eq!(again.source(), layout.apply(&again).unwrap(), "{}", text.escape_ascii());
        let statements = |document: &Document| -> Vec<_> {
            let all = document.all_statements();
            all.map(|it| (it.kind(), it.operator(), without_blanks(it.name()))).collect()
        };
        assert_eq!(statements(&document), statements(&again));
        let comments = |document: &Document| -> Vec<_> {
            let hosts = document.hosts();
            hosts.map(|host| (host.name().to_owned(), host.comments().count())).collect()
        };
        assert_eq!(comments(&document).len(), comments(&again).len());
        assert!(text.is_empty() || text.ends_with(b"\n"));
    }
}

/// The tokens of a source and its comments, told apart and without blanks around them.
fn without_blanks(source: &[u8]) -> Vec<Vec<u8>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    while let [first, ..] = rest {
        let length = match first {
            b'#' => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
            b'"' => {
                let mut at = 1;
                while at < rest.len() && rest[at] != b'"' {
                    at += if rest[at] == b'\\' { 2 } else { 1 };
                }
                rest.len().min(at + 1)
            }
            word if is_word(word) => rest.iter().take_while(|byte| is_word(byte)).count(),
            _ => 1,
        };
        let token = rest[..length].trim_ascii();
        if !token.is_empty() && token != [0x0b] {
            tokens.push(token.to_vec());
        }
        rest = &rest[length..];
    }
    tokens
}
