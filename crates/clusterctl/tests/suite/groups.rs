//! Groups: where they are looked for, and that the documents' own examples name something.

use std::path::{Path, PathBuf};

use crate::workplace::{CLUSTER, SITE, Workplace};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn a_source_of_commands_needs_a_role_that_is_there() {
    for exec in
        ["{map: [x]}", "{role: nobody, map: [x]}", "{role: login}", "{role: login, map: []}"]
    {
        let place = Workplace::new();
        place.cluster(&format!("site: here\ngroups: {{sources: {{asked: {{exec: {exec}}}}}}}"));
        for command in [&["config", "validate"][..], &["node", "list"], &["node", "select", "exe1"]]
        {
            assert!(place.refuses(command).contains("cluster.yaml:"), "{exec}");
        }
    }
}

#[test]
fn a_source_is_of_exactly_one_sort_and_the_default_one_is_there() {
    for groups in [
        "{sources: {a: {}}}",
        "{sources: {a: {attribute: class, static: {x: exe1}}}}",
        "{defaultSource: b, sources: {a: {attribute: class}}}",
    ] {
        let place = Workplace::new();
        place.cluster(&format!("site: here\ngroups: {groups}"));
        assert!(place.refuses(&["config", "validate"]).contains("cluster.yaml:6:"), "{groups}");
    }
}

#[test]
fn a_group_that_no_source_has_is_refused() {
    let place = Workplace::new();
    for set in ["@nobody", "@rack:R77", "@nowhere:R02", "@class:", "@last:sometimes", "@last"] {
        place.refuses(&["node", "select", set]);
    }
    assert_eq!(place.prints(&["node", "select", "@R02"]), "exe[0001-0010]\n");
}

#[test]
fn boot_paths_and_protected_hosts_find_groups_as_commands_do() {
    let place = Workplace::new();
    place.cluster(&format!("{CLUSTER}\nbootPaths: [{{nodes: '@R02', path: /srv/x}}]"));
    place.site(&format!("{SITE}\nsafety: {{protectedHosts: ['@R01']}}"));
    place.prints(&["config", "validate"]);
    let message = place.refuses(&["--dry-run", "boot", "set", "wlm01"]);
    assert!(message.contains("protected"), "{message}");
}

#[test]
fn every_group_that_a_document_shows_is_one_of_the_example() {
    let site = repository().join("examples/site");
    let place = Workplace::bare();
    let mut texts = vec![place.prints(&["--help"])];
    for noun in ["provision", "boot", "bmc", "dhcp", "slurm", "node", "hostkey", "exec", "config"] {
        texts.push(place.prints(&[noun, "--help"]));
    }
    for file in [
        "README.md",
        "docs/safety.md",
        "docs/migration.md",
        "docs/testing.md",
        "crates/clusterctl/README.md",
    ] {
        texts.extend(std::fs::read_to_string(repository().join(file)));
    }
    texts.extend(std::fs::read_to_string(site.join("cluster.yaml")));
    let mut seen = 0;
    for group in texts.iter().flat_map(|text| groups_of(text)) {
        // Of the newest run, which there is none of here; and of Slurm, which is a host.
        if group.starts_with("@last") || group.starts_with("@slurm:") {
            continue;
        }
        place.prints(&["--config", site.to_str().unwrap(), "node", "select", &group]);
        seen += 1;
    }
    assert!(seen >= 5, "the documents show groups, and {seen} were found");
}

/// `@NAME` and `@SOURCE:NAME` that stand behind a blank, a quotation mark or an operator.
fn groups_of(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        let rest = &text[at..];
        let end = rest[1..]
            .find(|c: char| !(c.is_ascii_alphanumeric() || ":_-".contains(c)))
            .map_or(rest.len(), |end| end + 1);
        let word = rest[..end].trim_end_matches([':', '-']);
        // NAME and SOURCE in capitals are placeholders; a word of ssh's is no group.
        let is_placeholder = word[1..].chars().all(|c| c.is_ascii_uppercase() || c == ':');
        let is_of_ssh = ["@revoked", "@cert-authority"].contains(&word);
        if " `'\"(&!^,\n".contains(before) && word.len() > 1 && !is_placeholder && !is_of_ssh {
            found.push(word.to_owned());
        }
    }
    found
}

#[test]
fn the_example_is_valid_without_a_finding() {
    let site = repository().join("examples/site");
    let place = Workplace::bare();
    let ran = place.run(&["--config", site.to_str().unwrap(), "config", "validate"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    // What a coming command will read is no finding.
    let awaited = "is checked, but no command reads it yet";
    let findings: Vec<_> = ran.stderr.lines().filter(|line| !line.ends_with(awaited)).collect();
    assert!(findings.is_empty(), "{findings:?}");
}
