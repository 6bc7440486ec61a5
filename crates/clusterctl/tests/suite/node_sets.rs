//! Node sets as commands take them.

use crate::names::{commands, with_argument};
use crate::workplace::Workplace;

#[test]
fn an_operator_without_an_operand_is_a_mistake_and_a_lone_comma_is_none() {
    let place = Workplace::new();
    for text in [
        "exe1&&exe2",
        "exe1!,exe2",
        "!exe1",
        "^exe1",
        "&exe1",
        "exe1&",
        "exe1!",
        "exe1^",
        "exe1,&exe2",
    ] {
        place.refuses(&["node", "select", text]);
        place.refuses(&["node", "list", "-n", text]);
    }
    assert_eq!(place.prints(&["node", "select", "exe1,"]), "exe0001\n");
    assert_eq!(place.prints(&["node", "select", "exe1,,exe2"]), "exe[0001-0002]\n");
}

#[test]
fn an_empty_variable_in_an_expression_never_widens_it() {
    let place = Workplace::new();
    for set in [
        "@rack:R02&",
        "@rack:R02!",
        "@rack:R02^",
        "@rack:",
        "@",
        "@:R02",
        "exe[]",
        "exe[1-]",
        "exe[1-,5]",
        "exe[-3]",
        "@rack:R02&@rack:",
    ] {
        place.refuses(&["bmc", "power", "off", "--dry-run", "-n", set]);
        place.refuses(&["node", "select", set]);
    }
}

#[test]
fn mixed_paddings_are_listed_and_found() {
    let place = Workplace::new();
    place.inventory("nodes:\n  - {nodes: 'exe[1-12]', attributes: {class: exe}}\n  - {nodes: 'exe[013-015]', attributes: {class: exe}}\n  - {nodes: exe0100, attributes: {class: exe}}\n");
    for words in [&["node", "list"][..], &["node", "list", "exe11"], &["node", "list", "@exe"]] {
        let listed = place.prints(words);
        assert!(listed.contains("exe11"), "{words:?}: {listed}");
    }
    assert_eq!(place.prints(&["node", "select", "-c", "@exe"]), "16\n");
}

#[test]
fn work_beyond_the_limit_is_refused_however_small_the_result() {
    let place = Workplace::new();
    let large = "a[1-1000000]";
    let mut text = large.to_owned();
    for _ in 0..8 {
        text.push_str(&format!("!{large},{large}"));
    }
    text.push_str(&format!("!{large}"));
    place.refuses(&["node", "select", &text]);
    place.refuses(&["node", "select", "a[1-99999999999]"]);
    place.refuses(&["node", "select", "a[1-100000]b[1-100000]"]);

    place.cluster("site: here\ngroups: {sources: {static: {static: {all: 'a[1-1000000]'}}}}");
    let group = ["@static:all"; 12].join("!");
    place.refuses(&["node", "select", &group]);
}

#[test]
fn what_is_printed_folded_names_the_same_nodes_again() {
    let place = Workplace::bare();
    place.write(
        "config.yaml",
        "apiVersion: clusterctl/v1alpha1\nkind: Config\ncontexts: [{name: one, cluster: one}]\n",
    );
    place.site("ssh: {knownHostsFile: known_hosts}");
    place.cluster("site: here");
    for text in [
        "exe[1-3,005,10]",
        "a1b2,a1b3,a2b2",
        "x[01-03]-ib[0-1]",
        "n09,n9,n10,n010",
        "r[1-2]c[1-2],r3c1",
        "a,b.c,d1.e2",
    ] {
        let folded = place.prints(&["node", "select", text]);
        let once = place.prints(&["node", "select", "-e", text]);
        assert_eq!(place.prints(&["node", "select", "-e", folded.trim()]), once, "{text} {folded}");
    }
}

#[test]
fn an_empty_set_is_never_replaced_by_the_variable() {
    let place = Workplace::new();
    let variable = [("CLUSTERCTL_NODES", "exe[0001-0010]")];
    for command in commands() {
        for empty in ["", " ", "\t"] {
            place.refuses_with(&variable, &with_argument(command, empty));
        }
    }
    place.refuses_with(&variable, &["-n", "", "node", "list"]);
    place.refuses_with(&variable, &["-x", "", "node", "list"]);
    assert_eq!(place.prints_with(&variable, &["node", "select", "-c"]), "10\n");
    assert_eq!(place.prints_with(&variable, &["node", "select", "-c", "exe2"]), "1\n");
}

#[test]
fn nodes_given_twice_are_refused_rather_than_one_of_them_dropped() {
    let place = Workplace::new();
    for command in commands().filter(|command| {
        !command.starts_with("node describe") && !command.starts_with("node groups")
    }) {
        let mut words = with_argument(command, "exe0001");
        words.insert(0, "exe0002");
        words.insert(0, "-n");
        place.refuses(&words);
    }
    place.refuses(&["-n", "exe1", "-n", "exe2", "node", "list"]);
    place.refuses(&["-n", "exe1", "node", "list", "-n", "exe2"]);
    place.refuses(&["-n", "exe1", "-w", "exe2", "node", "list"]);
    place.refuses(&["-n", "exe1", "node", "list", "--hostfile", "x"]);
    place.refuses(&["-n", "exe2", "node", "describe", "exe1"]);
    place.refuses(&["-n", "exe2", "node", "groups", "exe1"]);
}
