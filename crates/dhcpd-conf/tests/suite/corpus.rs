//! Every file of the corpus: dhcpd's verdict is ours, and printing gives back the input.

use std::path::{Path, PathBuf};

use dhcpd_conf::{Document, Limits, Severity};

use crate::invariants::{layout_changes_blanks_only, tree_covers_the_source};
use crate::judge;

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name)
}

/// The configurations of a list file: one a line, `⏎` for a line feed.
fn lines(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(corpus(name)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("# One configuration"));
    lines.map(|line| line.replace('⏎', "\n")).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
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
            assert_eq!(judge::verdict_of(line.as_bytes()), Some(accepted), "{line}");
        }
    }
}

#[test]
fn corpus_files_are_judged_as_their_folder_says() {
    let judged = judge::is_present("corpus_files_are_judged_as_their_folder_says");
    for (folder, accepted) in [("valid", true), ("invalid", false)] {
        for file in files(&corpus(folder)) {
            let source = std::fs::read(&file).unwrap();
            let ours = Document::parse(source.clone());
            assert_eq!(ours.is_ok(), accepted, "{}: {:?}", file.display(), ours.err());
            if judged && judge::is_harmless(&source) {
                assert_eq!(judge::verdict(&file), Some(accepted), "{}", file.display());
            }
        }
    }
}

#[test]
fn every_file_prints_as_it_was_read() {
    let files = files(&corpus("valid")).into_iter().chain(files(&corpus("invalid")));
    for file in files.chain(public_files()) {
        let source = std::fs::read(&file).unwrap();
        let (document, _) = Document::parse_recovering(source.clone(), &Limits::default());
        assert_eq!(document.source(), source, "{}", file.display());
        tree_covers_the_source(&document);
        layout_changes_blanks_only(&source);
    }
}

/// Files of other projects, which are not part of this repository.
fn public_files() -> Vec<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = std::env::var_os("CLUSTERCTL_SHARED")
        .map_or_else(|| workspace.join("../shared"), PathBuf::from);
    let folder = shared.join("data/dhcpd");
    if folder.is_dir() {
        return files(&folder);
    }
    println!("SKIPPED public files: {} is absent", folder.display());
    Vec::new()
}

#[test]
fn public_files_are_judged_alike() {
    if !judge::is_present("public_files_are_judged_alike") {
        return;
    }
    // dhcpd refuses these for what they mean, not how they are written: a file that is not there, a
    // collection and classes nobody declares, a range that is no network.
    let semantic = ["nid_rt71372.in4", "notbx4.in4", "switchxsc4.in4", "temporary6.in6"];
    for file in public_files() {
        let source = std::fs::read(&file).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        let Some(theirs) = judge::verdict(&file).filter(|_| judge::is_harmless(&source)) else {
            println!("no verdict: {name}");
            continue;
        };
        let ours = Document::parse(source);
        if semantic.contains(&name) {
            assert!(!theirs && ours.is_ok(), "{name} is a syntax matter after all");
        } else {
            assert_eq!(ours.is_ok(), theirs, "{name}: {:?}", ours.err());
        }
    }
}
