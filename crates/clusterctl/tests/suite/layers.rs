//! Layers of settings: how they merge, and where a value comes from.

use serde_json::Value;

use crate::workplace::{CLUSTER, SITE, Workplace};

fn explain(place: &Workplace, words: &[&str], path: &str) -> (Value, String, String) {
    let mut all = vec!["-o", "json"];
    all.extend(words);
    all.extend(["config", "explain", path]);
    let value: Value = serde_json::from_str(&place.prints(&all)).unwrap();
    let text = |key: &str| place.masked(value[key].as_str().unwrap_or_default());
    (value["value"].clone(), text("layer"), text("source"))
}

const SAFETY: &str =
    "\nsafety: {protectedHosts: [wlm01], confirmAbove: 3, slurmAware: false, powerOnBatch: 5}";

#[test]
fn a_mapping_merges_key_by_key_in_every_layer() {
    let place = Workplace::new();
    place.site(&format!("{SITE}{SAFETY}"));
    let rest = |words: &[&str]| {
        for (path, expected) in [
            ("safety.protectedHosts", serde_json::json!(["wlm01"])),
            ("safety.slurmAware", serde_json::json!(false)),
            ("safety.powerOnBatch", serde_json::json!(5)),
        ] {
            assert_eq!(explain(&place, words, path).0, expected, "{path}");
        }
        explain(&place, words, "safety.confirmAbove").0
    };
    assert_eq!(rest(&["--set", "safety={confirmAbove: 4}"]), 4);
    place.cluster(&format!("{CLUSTER}\noverrides: {{safety: {{confirmAbove: 5}}}}"));
    assert_eq!(rest(&[]), 5);
    place.write("config.yaml", "apiVersion: clusterctl/v1alpha1\nkind: Config\ncontexts:\n  - name: one\n    cluster: one\n    overrides:\n      safety: {confirmAbove: 6}\n");
    assert_eq!(rest(&[]), 6);
    assert_eq!(rest(&["--set", "safety.confirmAbove=7"]), 7);
}

#[test]
fn a_later_layer_wins_and_explain_says_which() {
    let place = Workplace::new();
    let max = |words: &[&str]| explain(&place, words, "fanout.max");
    assert_eq!(max(&[]), (16.into(), "default".into(), "built in".into()));
    place.site(&format!("{SITE}\nfanout: {{max: 2}}"));
    assert_eq!(max(&[]), (2.into(), "site".into(), "site.yaml:16:17".into()));
    place.cluster(&format!("{CLUSTER}\noverrides:\n  fanout.max: 3"));
    assert_eq!(max(&[]), (3.into(), "cluster".into(), "cluster.yaml:13:17".into()));
    place.write(
        "config.yaml",
        "apiVersion: clusterctl/v1alpha1\nkind: Config\ncontexts:\n  - name: one\n    cluster: one\n    overrides:\n      fanout.max: 4\n",
    );
    assert_eq!(max(&[]), (4.into(), "context".into(), "config.yaml:7:19".into()));
    let variable = [("CLUSTERCTL_FANOUT", "5")];
    let text = place.prints_with(&variable, &["-o", "json", "config", "explain", "fanout.max"]);
    assert!(text.contains("\"environment\"") && text.contains("$CLUSTERCTL_FANOUT"), "{text}");
    assert_eq!(max(&["--fanout", "6"]), (6.into(), "flag".into(), "--fanout".into()));
    assert_eq!(max(&["--set", "fanout.max=7"]).0, 7);
}

#[test]
fn a_key_that_holds_a_dot_stays_one_key() {
    let place = Workplace::new();
    place.cluster("site: here\ngroups: {sources: {static: {static: {rack.R01: wlm01}}}}");
    assert_eq!(place.prints(&["node", "select", "@static:rack.R01"]), "wlm01\n");
    let group = "groups.sources.static.static.\"rack.R01\"";
    let (value, layer, source) = explain(&place, &[], group);
    assert_eq!((value, layer.as_str()), ("wlm01".into(), "cluster"));
    assert!(source.starts_with("cluster.yaml:"), "{source}");
    place.site(&format!(
        "{SITE}\nbmc:\n  vendors:\n    gpu: {{systemPath: A}}\n    gpu.a100: {{systemPath: B}}\n    '17': {{systemPath: C}}"
    ));
    let shown = |path: &str| {
        let (value, _, source) = explain(&place, &[], path);
        (value, source)
    };
    assert_eq!(shown("bmc.vendors.gpu.systemPath"), ("A".into(), "site.yaml:18:25".into()));
    let dotted = "bmc.vendors.\"gpu.a100\".systemPath";
    assert_eq!(shown(dotted), ("B".into(), "site.yaml:19:30".into()));
    assert_eq!(shown("bmc.vendors.17.systemPath"), ("C".into(), "site.yaml:20:26".into()));
    let sources = place.prints(&["config", "view", "--show-sources"]);
    for (path, line) in [("bmc.vendors.gpu.systemPath", 18), (dotted, 19)] {
        let row = sources.lines().find(|row| row.starts_with(path)).unwrap();
        assert!(row.contains(&format!("site.yaml:{line}:")), "{row}");
    }
}

#[test]
fn what_is_no_setting_of_the_site_is_explained_as_well() {
    let place = Workplace::new();
    place.cluster(&format!("{CLUSTER}\nslurm: {{role: login}}"));
    place.write(
        "workstation.yaml",
        &format!(
            "apiVersion: clusterctl/v1alpha1\nkind: Workstation\nmetadata: {{name: {}}}\nspec: {{browser: lynx}}\n",
            rustix::system::uname().nodename().to_str().unwrap()
        ),
    );
    for (path, value, layer, source) in [
        ("slurm.role", "login", "cluster", "cluster.yaml:12:17"),
        ("groups.defaultSource", "class", "cluster", "cluster.yaml:7:20"),
        ("context.cluster", "one", "context", "config.yaml:5:26"),
        ("workstation.browser", "lynx", "workstation", "workstation.yaml:4:17"),
        ("workstation.sopsBinary", "sops", "default", "built in"),
    ] {
        let expected = (value.into(), layer.to_owned(), source.to_owned());
        assert_eq!(explain(&place, &[], path), expected, "{path}");
    }
}

#[test]
fn the_overrides_of_every_context_are_checked() {
    let place = Workplace::new();
    place.write(
        "config.yaml",
        "apiVersion: clusterctl/v1alpha1\nkind: Config\ncurrentContext: one\ncontexts:\n  - {name: one, cluster: one}\n  - {name: two, cluster: one, overrides: {fanout.mux: 4}}\n",
    );
    let message = place.refuses(&["node", "list"]);
    assert!(message.contains("config.yaml:6:") && message.contains("\"max\""), "{message}");
}

#[test]
fn a_setting_is_written_path_equals_value() {
    let place = Workplace::new();
    for text in ["fanout.max", "=4", "fanout.max=many", "Fanout.max=4", "fanout.max=0", "fanout=4"]
    {
        place.refuses(&["--set", text, "node", "list"]);
    }
}

#[test]
fn a_context_is_printed_so_that_a_shell_takes_it_as_one_word() {
    let place = Workplace::new();
    let name = "one; touch mark $(touch mark) `touch mark` 'x";
    place.write(
        "config.yaml",
        &format!("apiVersion: clusterctl/v1alpha1\nkind: Config\ncontexts:\n  - name: {name:?}\n    cluster: one\n"),
    );
    let line = place.prints(&["config", "use-context", name]);
    for shell in [&["sh"][..], &["bash"], &["busybox", "sh"]] {
        let script = format!("{line}printf %s \"$CLUSTERCTL_CONTEXT\"");
        let mut command = std::process::Command::new(shell[0]);
        command.args(&shell[1..]).args(["-c", &script]).current_dir(place.working_directory());
        match command.output() {
            Ok(answer) => assert_eq!(String::from_utf8_lossy(&answer.stdout), name, "{shell:?}"),
            Err(_) => eprintln!("skipped: {shell:?} is not here"),
        }
    }
    assert!(!place.working_directory().join("mark").exists());
    place.refuses(&["config", "use-context", "other"]);
}
