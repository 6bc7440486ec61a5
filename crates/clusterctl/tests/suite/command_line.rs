//! What is typed wrong ends with 2 and prints no result.

use serde_json::Value;

use crate::workplace::{SITE, Workplace, document};

#[test]
fn a_mistake_on_the_command_line_is_a_usage_error() {
    let place = Workplace::new();
    for words in [
        &["node", "list", "--nope"][..],
        &["node", "describe"],
        &["node", "describe", "exe1", "exe2"],
        &["node", "list", "-n"],
        &["node", "list", "exe1", "exe2"],
        &["--fanout", "0", "node", "list"],
        &["--fanout", "-1", "node", "list"],
        &["--fanout", "many", "node", "list"],
        &["-o", "xml", "node", "list"],
        &["-o", "jsonpath=.x", "node", "list"],
        &["boot", "log", "--lines", "0"],
        &["bmc", "power", "on", "--stagger", "soon", "exe1"],
        &["exec", "exe1", "true"],
        &["exec", "-r", "-u", "bob", "exe1", "--", "true"],
    ] {
        place.refuses(words);
    }
    let variable = [("CLUSTERCTL_FANOUT", "0")];
    assert!(place.refuses_with(&variable, &["node", "list"]).contains("$CLUSTERCTL_FANOUT"));
}

#[test]
fn a_misspelt_command_at_any_level_is_refused_in_every_format() {
    let place = Workplace::new();
    for words in [
        &["nodee", "list"][..],
        &["node", "lst"],
        &["slurm", "noed", "drain", "exe1"],
        &["slurm", "node", "drian", "reason", "exe1"],
        &["bmc", "boot", "unste", "exe1"],
        &["bmc", "power", "of", "exe1"],
        &["config", "validat"],
    ] {
        for format in ["table", "json", "nodeset"] {
            let mut all = vec!["-o", format];
            all.extend(words);
            place.refuses(&all);
        }
    }
}

#[test]
fn an_option_of_every_command_is_written_in_one_place() {
    let place = Workplace::new();
    for words in [
        &["-n", "exe1", "node", "list", "-n", "exe2"][..],
        &["--context", "one", "node", "--context", "one", "list"],
        &["--set", "fanout.max=1", "node", "list", "--set", "fanout.max=2"],
        &["--config", "x", "node", "list", "--config", "y"],
        &["-o", "json", "node", "list", "-o", "yaml"],
        &["node", "-x", "exe1", "list", "-x", "exe2"],
    ] {
        place.refuses(words);
    }
    place.prints(&["--set", "fanout.max=1", "--set", "fanout.max=2", "node", "list"]);
    place.prints(&["node", "list", "--set", "fanout.max=1", "--set", "fanout.max=2"]);
}

#[test]
fn a_node_set_is_refused_where_it_would_be_ignored() {
    let place = Workplace::new();
    for words in [
        &["config", "validate"][..],
        &["config", "view"],
        &["hostkey", "list"],
        &["boot", "list"],
        &["boot", "log"],
        &["dhcp", "log"],
        &["node", "attrs"],
        &["node", "rack"],
        &["node", "groups"],
        &["node", "describe", "exe1"],
    ] {
        for flag in ["-n", "-x", "--hostfile"] {
            let mut all = vec![flag, "exe1"];
            all.extend(words);
            place.refuses(&all);
        }
    }
    place.refuses(&["-x", "exe1", "node", "list"]);
}

#[test]
fn a_jq_program_that_cannot_be_compiled_stops_everything_before_it_begins() {
    let place = Workplace::new();
    let (program, mark) = place.trap();
    let binary = format!("ssh.binary={}", program.display());
    for filter in ["jq=", "jq=.[", "jq=nope(1)", "jq=env.HOME.", "jq=$x"] {
        let words = [
            "-o",
            filter,
            "--set",
            "ssh.transport=openssh",
            "--set",
            &binary,
            "exec",
            "exe1",
            "--",
            "true",
        ];
        if filter == "jq=" {
            continue; // the empty program is the identity
        }
        place.refuses(&words);
    }
    assert!(!mark.exists());
}

#[test]
fn the_schemas_are_one_json_value_together_and_one_each() {
    let place = Workplace::bare();
    let all: Value = serde_json::from_str(&place.prints(&["config", "schema"])).unwrap();
    for kind in ["Config", "Site", "Cluster", "NodeInventory", "Workstation", "Secret"] {
        let one: Value = serde_json::from_str(&place.prints(&["config", "schema", kind])).unwrap();
        assert_eq!(one, all[kind], "{kind}");
        assert_eq!(one["properties"]["kind"]["const"], kind);
    }
    place.refuses(&["config", "schema", "Sight"]);
}

#[test]
fn only_results_of_nodes_are_printed_as_nodes() {
    let place = Workplace::new();
    for words in [
        &["config", "view"][..],
        &["config", "view", "--show-sources"],
        &["config", "contexts"],
        &["config", "schema"],
        &["node", "attrs"],
        &["node", "groups"],
    ] {
        for format in ["nodeset", "name"] {
            let mut all = vec!["-o", format];
            all.extend(words);
            place.refuses(&all);
        }
    }
    assert_eq!(place.prints(&["-o", "nodeset", "node", "list"]), "exe[0001-0010],wlm01\n");
}

#[test]
fn w55_a_message_never_ends_in_a_list_of_nothing() {
    let place = Workplace::new();
    let login = "hosts:\n  login: {host: login.hpc.example.org, user: root}\n";
    assert!(SITE.contains(login), "{SITE}");
    place.site(&SITE.replace(login, ""));
    place.write("known_hosts", "");
    place.cluster("site: here");
    place.inventory("nodes: [{nodes: exe0001}]");
    for (words, code) in [
        (&["exec", "--role", "login", "--", "true"][..], 2),
        (&["dhcp", "hosts"], 2),
        (&["boot", "list"], 2),
        (&["slurm", "node", "list"], 2),
        (&["node", "select", "@nosuch"], 2),
        (&["node", "select", "@rack:R01"], 2),
        (&["node", "groups"], 0),
        (&["node", "list"], 0),
        (&["hostkey", "list"], 0),
        (&["provision", "reinstall", "exe0001"], 2),
    ] {
        let ran = place.run(words);
        assert_eq!(ran.code, code, "{words:?}: {ran:?}");
        let told = format!("{}{}", ran.stdout, ran.stderr);
        for line in told.lines().map(str::trim_end) {
            let hollow = [",", ":", " in", " of", " are", " is", " known"];
            assert!(!hollow.iter().any(|end| line.ends_with(end)), "{words:?}: {line:?}");
            assert!(!line.contains("1 nodes") && !line.contains("1 hosts"), "{words:?}: {line:?}");
        }
    }
    let lonely = Workplace::bare();
    lonely.write("site.yaml", &document("Site", "here", SITE));
    let message = lonely.refuses(&["--context", "one", "node", "list"]);
    assert!(message.contains("there is no context \"one\": a Config document has to name it"));
}
