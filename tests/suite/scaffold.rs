//! `config init` on a machine that has a configuration already.

use crate::harness::{lab_or_skip, run};

#[test]
fn cf10_where_the_machine_has_documents_the_place_of_new_ones_is_named() {
    let Some(lab) = lab_or_skip(1) else { return };
    let names = ["config", "init", "--site", "north", "--cluster", "n1"];
    let said = run(&lab, &names).ended_with(2);
    assert!(said.stderr.contains("/etc/clusterctl"), "{said:#?}");
    assert!(said.stderr.contains("name the directory"), "{said:#?}");
    run(&lab, &["--dry-run", "config", "init", "new", "--site", "north", "--cluster", "n1"])
        .ended_with(0);
}
