use slurm_query::{BaseState, JobRisk, NodeState, StateFlag, StateGroup};

fn state(text: &str) -> NodeState {
    text.parse().unwrap()
}

const FLAGS: [&str; 11] = ["", "*", "~", "#", "!", "%", "$", "@", "^", "-", "+"];

#[test]
fn a_node_at_work_is_busy_in_every_form_with_every_flag() {
    let words = [
        "allocated",
        "alloc",
        "mixed",
        "mix",
        "completing",
        "comp",
        "draining",
        "drng",
        "failing",
        "failg",
        "ALLOCATED",
        "MIXED+DRAIN",
        "ALLOCATED+DRAIN",
        "ALLOCATED+FAIL",
        "IDLE+COMPLETING",
        "perfctrs",
        "npc",
    ];
    for word in words {
        for flag in FLAGS {
            let state = state(&format!("{word}{flag}"));
            assert_eq!(state.job_risk(), JobRisk::Busy, "{state}");
        }
    }
}

#[test]
fn a_state_nobody_knows_is_not_idle() {
    for word in [
        "",
        "*",
        "rebooting",
        "idl",
        "idle?",
        "IDLE+SOMETHING_NEW",
        "unknown",
        "unk*",
        "inval",
        "error",
        "n/a",
        "reboot^",
        "blocked",
        "down drained",
    ] {
        assert_eq!(state(word).job_risk(), JobRisk::Unclear, "{word:?}");
    }
}

#[test]
fn a_node_without_jobs_is_idle() {
    for word in [
        "idle",
        "drained",
        "drain",
        "down",
        "fail",
        "maint",
        "resv",
        "planned",
        "plnd",
        "power_down",
        "pow_dn",
        "powered_down",
        "IDLE+DRAIN",
        "DOWN+NOT_RESPONDING",
    ] {
        for flag in FLAGS.iter().filter(|flag| **flag != "+") {
            assert_eq!(state(&format!("{word}{flag}")).job_risk(), JobRisk::Idle, "{word}{flag}");
        }
        assert_eq!(state(&format!("{word}+")).job_risk(), JobRisk::Busy, "{word}+");
    }
}

#[test]
fn groups_go_by_the_state_without_its_flags() {
    let groups = |word| {
        let state = state(word);
        let of = StateGroup::ALL.into_iter().filter(|group| group.contains(&state));
        of.map(StateGroup::name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(groups("allocated*"), "alloc");
    assert_eq!(groups("mix~"), "alloc");
    assert_eq!(groups("mixed%"), "alloc");
    assert_eq!(groups("idle*"), "idle");
    assert_eq!(groups("down*"), "down defect");
    assert_eq!(groups("drng@"), "drain defect");
    assert_eq!(groups("unk*"), "defect");
    assert_eq!(groups("something"), "");
}

#[test]
fn flags_are_read_in_both_forms() {
    let flags = |text| state(text).flags().collect::<Vec<_>>();
    assert_eq!(flags("idle*"), [StateFlag::NotResponding]);
    assert_eq!(flags("alloc$"), [StateFlag::Maintenance]);
    assert_eq!(
        flags("IDLE+NOT_RESPONDING+POWERED_DOWN"),
        [StateFlag::NotResponding, StateFlag::PoweredDown]
    );
    assert_eq!(flags("allocated+"), [StateFlag::Completing]);
    assert_eq!(*state("allocated+").base(), BaseState::Allocated);
}
