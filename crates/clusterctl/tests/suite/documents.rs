//! Which documents are read, and what makes one wrong.

use crate::workplace::{CLUSTER, INVENTORY, SITE, Workplace, document};

#[test]
fn a_section_is_a_mapping_and_its_place_is_named_where_it_is_not() {
    for value in ["null", "[]", "3", "yes", "~", ""] {
        let place = Workplace::new();
        place.site(&format!("{SITE}\nsafety: {value}"));
        let message = place.refuses(&["config", "validate"]);
        assert!(message.contains("site.yaml:16:"), "{value}: {message}");
        for command in [vec!["node", "list"], vec!["config", "view"]] {
            place.refuses(&command);
        }
    }
    let place = Workplace::new();
    place.write(
        "site.yaml",
        "apiVersion: clusterctl/v1alpha1\nkind: Site\nmetadata: {name: here}\nspec:\n",
    );
    assert!(place.refuses(&["node", "list"]).contains("site.yaml:"));
}

#[test]
fn an_override_of_a_whole_section_is_a_mapping_too() {
    for value in ["null", "[1]", "3"] {
        let place = Workplace::new();
        place.cluster(&format!("{CLUSTER}\noverrides: {{safety: {value}}}"));
        assert!(place.refuses(&["config", "validate"]).contains("cluster.yaml:"), "{value}");
        let place = Workplace::new();
        place.refuses(&["--set", &format!("safety={value}"), "config", "validate"]);
    }
}

#[test]
fn two_documents_of_a_kind_and_name_are_refused_with_both_places() {
    let kinds = [
        ("Site", "here", SITE),
        ("Cluster", "one", CLUSTER),
        ("NodeInventory", "one", INVENTORY),
        ("Workstation", "desk", "identities: []"),
    ];
    for (kind, name, spec) in kinds {
        let place = Workplace::new();
        place.write("x.yaml", &document(kind, name, spec));
        place.write("y.yaml", &document(kind, name, spec));
        for command in [&["config", "validate"][..], &["node", "list"]] {
            let message = place.refuses(command);
            assert!(message.contains("y.yaml:1:1"), "{kind}: {message}");
            let first = message.contains("x.yaml:1:1") || message.contains(".yaml:1:1: ");
            assert!(first && message.contains("a second time, first at"), "{kind}: {message}");
        }
    }
    let place = Workplace::new();
    let secret = "apiVersion: clusterctl/v1alpha1\nkind: Secret\nmetadata: {name: bmc}\ndata: {}\nsops: {}\n";
    place.write("x.yaml", secret);
    place.write("y.yaml", secret);
    let message = place.refuses(&["config", "validate"]);
    assert!(message.contains("y.yaml:1:1") && message.contains("x.yaml:1:1"), "{message}");
}

#[test]
fn a_later_config_document_replaces_a_context_and_one_document_names_it_once() {
    let place = Workplace::new();
    place.write(
        "z.yaml",
        "apiVersion: clusterctl/v1alpha1\nkind: Config\ncontexts:\n  - {name: one, cluster: one, user: second}\n",
    );
    let listed = place.prints(&["-o", "json", "config", "contexts"]);
    let used = place.prints(&["config", "contexts"]);
    assert!(listed.contains("second") && used.contains("second"), "{used}");
    assert_eq!(used.lines().count(), 2, "the context stands there once: {used}");

    place.write(
        "z.yaml",
        "apiVersion: clusterctl/v1alpha1\nkind: Config\ncontexts:\n  - {name: one, cluster: one}\n  - {name: one, cluster: one}\n",
    );
    for command in [&["config", "validate"][..], &["config", "contexts"], &["node", "list"]] {
        assert!(place.refuses(command).contains("z.yaml:5:"), "{command:?}");
    }
}

#[test]
fn a_configuration_that_was_named_has_to_be_there() {
    let place = Workplace::new();
    for command in [&["node", "list"][..], &["config", "validate"]] {
        let mut words = vec!["--config", "nowhere.yaml"];
        words.extend(command);
        assert!(place.refuses(&words).contains("nowhere.yaml"));
        let list = format!("{}:/nowhere", place.configuration().display());
        let message = place.refuses_with(&[("CLUSTERCTL_CONFIG", &list)], command);
        assert!(message.contains("/nowhere"), "{message}");
    }
    // Empty means not set; of the usual places each may be missing.
    let configuration = place.root().join("home/.config");
    let xdg = configuration.to_str().unwrap();
    place.prints_with(&[("CLUSTERCTL_CONFIG", ""), ("XDG_CONFIG_HOME", xdg)], &["node", "list"]);
}

#[test]
fn documents_behind_a_comment_alone_are_read() {
    let place = Workplace::new();
    let inventory = document("NodeInventory", "one", INVENTORY);
    for stream in [
        format!("# nothing but this\n---\n{inventory}"),
        format!("---\n# nothing\n---\n{inventory}"),
        format!("---\n---\n{inventory}"),
        format!("\u{feff}# mark\n---\n{inventory}---\n# the end\n"),
        format!(
            "{inventory}---\n# between\n---\n{}",
            document("Workstation", "desk", "identities: []")
        ),
    ] {
        place.write("inventory.yaml", &stream);
        assert_eq!(place.prints(&["node", "select", "-c", "@*"]), "11\n", "{stream}");
    }
}

#[test]
fn mistakes_are_sorted_by_line_and_all_of_them_are_told() {
    let place = Workplace::new();
    place.site(&format!(
        "{SITE}\nfanout: {{mux: 1}}\nsafety: {{confirmAbove: many}}\nbmc: {{order: [impi]}}"
    ));
    let message = place.refuses(&["config", "validate"]);
    let lines: Vec<usize> = message
        .lines()
        .filter_map(|line| line.split("site.yaml:").nth(1)?.split(':').next()?.parse().ok())
        .collect();
    assert_eq!(lines, [16, 17, 18], "{message}");
}

#[test]
fn a_secret_stands_alone_in_its_file() {
    let place = Workplace::new();
    let secret = "apiVersion: clusterctl/v1alpha1\nkind: Secret\nmetadata: {name: bmc}\ndata: {}\nsops: {}\n";
    place.write(
        "x.yaml",
        &format!("{secret}---\n{}", document("Workstation", "desk", "identities: []")),
    );
    assert!(place.refuses(&["config", "validate"]).contains("alone in its file"));
}

#[test]
fn a_cluster_of_two_loaded_sites_lists_its_inventories() {
    let place = Workplace::new();
    place.write("other.yaml", &document("Site", "there", SITE));
    for command in [&["node", "list"][..], &["config", "validate"], &["config", "view"]] {
        assert!(place.refuses(command).contains("inventories"), "{command:?}");
    }
    place.cluster(&format!("{CLUSTER}\ninventories: [one]"));
    place.prints(&["node", "list"]);
}

#[test]
fn tr24_a_setting_that_no_command_reads_yet_is_named_where_it_stands() {
    let place = Workplace::new();
    let tunnel = "tunnels: {hub: {remote: login, subnets: [10.0.0.0/8]}}";
    let site = SITE.replace("user: root}", "user: root, forwardAgent: true}");
    place.site(&format!("{site}\n{tunnel}"));
    let ran = place.run(&["config", "validate"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    for (line, path) in [(13, "hosts.login.forwardAgent"), (16, "tunnels")] {
        let note = format!("{path} is checked, but no command reads it yet");
        let told = ran.stderr.lines().find(|text| text.contains(&note)).unwrap_or_default();
        assert!(told.contains(&format!("site.yaml:{line}:")), "{ran:#?}");
    }
    place.site(&format!("{site}\n{}", tunnel.replace("remote", "remoet")));
    assert!(place.refuses(&["config", "validate"]).contains("did you mean \"remote\"?"));
}
