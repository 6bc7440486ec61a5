//! Every file of the corpus: dhcpd's verdict is ours, and printing gives back the input.

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::path::Path;

use dhcpd_conf::{Document, Limits, Severity};

use crate::invariants::{layout_changes_blanks_only, tree_covers_the_source};
use crate::judge::{self, Verdict};
use crate::manifest::{self, Entry};

/// The configurations of a list file: one a line, `⏎` for a line feed.
fn lines(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(manifest::corpus().join(name)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("# One configuration"));
    lines.map(|line| line.replace('⏎', "\n")).collect()
}

#[test]
fn every_accepted_line_parses() {
    for line in lines("accepted.txt") {
        if let Err(errors) = Document::parse(line.as_str()) {
            panic!("{}", errors.report(&line));
        }
    }
}

#[test]
fn no_accepted_line_has_a_finding_that_the_server_would_refuse_it_for() {
    for line in lines("accepted.txt") {
        let findings = Document::parse(line.as_str()).unwrap().lint();
        let refused = findings.iter().find(|finding| finding.severity() == Severity::Error);
        assert!(refused.is_none(), "{line}: {refused:?}");
    }
}

#[test]
fn every_line_has_a_layout_of_its_own_tokens() {
    for line in lines("accepted.txt") {
        layout_changes_blanks_only(line.as_bytes());
    }
}

#[test]
fn every_refused_line_is_refused_with_one_error() {
    // A block that is never closed or a stray brace after a wrong head is a second error.
    for line in lines("refused.txt") {
        let errors = Document::parse(line.as_str()).expect_err(&line);
        assert!(errors.iter().count() <= 2, "{}", errors.report(&line));
    }
}

#[test]
fn dhcpd_says_the_same_of_every_line() {
    if !judge::is_present("dhcpd_says_the_same_of_every_line") {
        return;
    }
    for (list, accepted) in [("accepted.txt", true), ("refused.txt", false)] {
        for line in lines(list).into_iter().filter(|line| judge::is_harmless(line.as_bytes())) {
            assert_eq!(judge::accepts(line.as_bytes()), Some(accepted), "{line}");
        }
    }
}

#[test]
fn every_file_is_in_the_manifest_and_every_entry_has_a_file() {
    let entries = manifest::all();
    let named: BTreeSet<_> = entries.iter().map(|entry| entry.name.clone()).collect();
    assert_eq!(named.len(), entries.len(), "a file is in the manifest twice");
    let mut there = BTreeSet::new();
    for folder in ["valid", "invalid"] {
        there.extend(names(folder, &manifest::corpus().join(folder)));
    }
    let public = manifest::public();
    there.extend(public.iter().flat_map(|folder| names("public", folder)));
    let expected = |name: &&String| public.is_some() || !name.starts_with("public/");
    assert_eq!(there, named.iter().filter(expected).cloned().collect());
}

fn names(label: &str, folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let name = |entry: DirEntry| entry.file_name().into_string().unwrap();
    entries.map(|entry| format!("{label}/{}", name(entry.unwrap()))).collect()
}

#[test]
fn this_crate_and_dhcpd_differ_only_for_a_reason() {
    for entry in manifest::all() {
        let ours = if entry.ours.is_empty() { Verdict::Accepted } else { Verdict::Refused };
        assert!(ours == entry.dhcpd || entry.reason.is_some(), "{}: why?", entry.name);
        let folder = match entry.name.split_once('/').unwrap().0 {
            "valid" => Verdict::Accepted,
            "invalid" => Verdict::Refused,
            _ => continue,
        };
        assert_eq!(entry.dhcpd, folder, "{}", entry.name);
    }
}

#[test]
fn this_crate_says_of_every_file_what_the_manifest_says() {
    let differs = |entry: &Entry| entry.found() != entry.ours;
    let differ: Vec<_> = manifest::present()
        .filter(differs)
        .map(|entry| {
            (entry.found(), entry.load().err().map(|errors| errors.to_string()), entry.name)
        })
        .collect();
    assert!(differ.is_empty(), "{differ:#?}");
}

#[test]
fn dhcpd_says_of_every_file_what_the_manifest_says() {
    if !judge::is_present("dhcpd_says_of_every_file_what_the_manifest_says") {
        return;
    }
    for entry in manifest::present() {
        assert!(entry.harmless || judge::is_harmless(&entry.source()), "{}", entry.name);
        let said = judge::verdict(&entry.desk(), entry.family);
        assert_eq!(said, entry.dhcpd, "{}", entry.name);
        if said == Verdict::Crashed {
            println!("no verdict: dhcpd crashes of {}", entry.name);
        }
    }
}

#[test]
fn every_file_prints_as_it_was_read() {
    for entry in manifest::present() {
        let source = entry.source();
        let (document, _) = Document::parse_recovering(source.clone(), &Limits::default());
        assert_eq!(document.source(), source, "{}", entry.name);
        tree_covers_the_source(&document);
        layout_changes_blanks_only(&source);
    }
}

/// The words that statements begin with, those of parameters left out.
const WORDS: &str = "include host group shared-network subnet subnet6 pool pool6 class subclass \
    vendor-class user-class failover range range6 prefix6 interface match spawn lease dynamic \
    deleted static hardware fixed-address fixed-address6 fixed-prefix6 host-identifier uid \
    authoritative not no option supersede append prepend default send server-identifier server-duid \
    lease-id-format allow deny ignore if else elsif switch case on set unset define eval return \
    log execute add break parse-vendor-option db-time-format % \
    primary secondary address port peer max-response-delay max-unacked-updates mclt split hba load \
    auto-partner-down max-lease-misbalance max-lease-ownership min-balance max-balance \
    zone primary6 secondary6 key algorithm secret";

#[test]
fn every_statement_stands_in_a_valid_file_for_ipv4_or_ipv6() {
    let mut missing: BTreeSet<&str> = WORDS.split_whitespace().collect();
    for entry in manifest::all().iter().filter(|entry| entry.name.starts_with("valid/")) {
        for statement in entry.load().unwrap().all_statements() {
            let text = String::from_utf8_lossy(statement.source()).to_ascii_lowercase();
            let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '%')));
            missing.remove(&text[..end.unwrap_or(text.len())]);
        }
    }
    assert!(missing.is_empty(), "in no valid file: {missing:?}");
}
