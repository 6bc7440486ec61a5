//! The lab keeps its own promises.

use std::time::{Duration, Instant};

use crate::harness::lab_or_skip;

#[test]
fn sixteen_nodes_are_up_in_time_and_leave_nothing_behind() {
    let begun = Instant::now();
    let Some(lab) = lab_or_skip(16) else { return };
    // The goal is 3 s on an idle machine; tests may run beside each other.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let run = lab.directories().run.clone();
    assert!(run.exists());
    drop(lab);
    assert!(!run.exists(), "{} is left behind", run.display());
}

#[test]
fn two_labs_side_by_side_do_not_meet() {
    let Some(one) = lab_or_skip(1) else { return };
    let Some(two) = lab_or_skip(1) else { return };
    one.power("exe0001", false).unwrap();
    assert!(!one.node("exe0001").unwrap().power);
    assert!(two.node("exe0001").unwrap().power);
    assert_ne!(
        one.node("exe0001").unwrap().host.host_key,
        two.node("exe0001").unwrap().host.host_key
    );
}

#[test]
fn without_a_link_a_node_boots_its_disk_and_keeps_its_key() {
    let Some(lab) = lab_or_skip(1) else { return };
    let before = lab.node("exe0001").unwrap();
    lab.power("exe0001", false).unwrap();
    assert!(!lab.node("exe0001").unwrap().power);
    lab.power("exe0001", true).unwrap();
    let after = lab.wait_until_up("exe0001", before.boots.len() + 1).unwrap();
    assert_eq!(after.generation, before.generation);
    assert_eq!(after.host.host_key, before.host.host_key);
}
