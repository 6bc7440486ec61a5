//! A real controller as judge. Every test has nodes of its own.

use slurm_query::{
    BaseState, Change, IdleCheck, JobQuery, NodeNames, NodeQuery, NodeState, Query as _, Reason,
    StateGroup, expand,
};

use crate::cluster::{Cluster, cluster, frame, names};

fn check(cluster: &Cluster, nodes: &[&str]) -> slurm_query::IdleReport {
    cluster.ask(&IdleCheck::new(frame(), names(nodes)))
}

#[test]
fn idle_nodes_are_idle_and_nodes_with_jobs_are_not() {
    let Some(cluster) = cluster() else { return };
    let job = cluster.job("n5", "quiet", &["--exclusive"]);
    let report = check(cluster, &["n5", "n6"]);
    assert_eq!(report.busy().len(), 1);
    assert_eq!(report.busy()[0].node, "n5");
    assert_eq!(report.busy()[0].jobs, std::slice::from_ref(&job));
    assert_eq!(*report.busy()[0].state.as_ref().unwrap().base(), BaseState::Allocated);
    assert!(check(cluster, &["n6"]).is_idle());
    cluster.succeed(&["scancel", &job]);
    cluster.wait_for("the job to be gone", |cluster| check(cluster, &["n5"]).is_idle());
}

#[test]
fn a_node_is_busy_while_its_job_is_suspended_whatever_sinfo_calls_it() {
    let Some(cluster) = cluster() else { return };
    let job = cluster.job("n7", "sleeps", &[]);
    cluster.succeed(&["scontrol", "suspend", &job]);
    // Within seconds sinfo calls the node idle: the check does not depend on when.
    assert_eq!(check(cluster, &["n7"]).busy()[0].jobs, [job]);
}

#[test]
fn a_failed_node_is_busy_while_it_runs_a_job_whatever_sinfo_calls_it() {
    let Some(cluster) = cluster() else { return };
    let job = cluster.job("n8", "still here", &[]);
    cluster.succeed(&["scontrol", "update", "NodeName=n8", "State=FAIL", "Reason=worn out"]);
    // "mixed", "failing" or "fail", from one moment to the next.
    assert_eq!(check(cluster, &["n8"]).busy()[0].jobs, [job]);
}

#[test]
fn a_draining_node_is_busy_and_a_drained_one_is_idle() {
    let Some(cluster) = cluster() else { return };
    cluster.job("n9", "last one", &[]);
    for command in drain(&["n9", "n10"], "new disks").commands() {
        cluster.succeed(&command);
    }
    let report = check(cluster, &["n9", "n10"]);
    assert_eq!(report.busy().len(), 1);
    assert_eq!(*report.busy()[0].state.as_ref().unwrap().base(), BaseState::Draining);
    let nodes = cluster.ask(&NodeQuery::of(frame(), names(&["n9", "n10"])));
    assert!(nodes.iter().all(|node| StateGroup::Drain.contains(&node.state)));
    assert_eq!(nodes[1].reason.as_deref(), Some("new disks"));
    assert_eq!(nodes[1].reason_by.as_deref(), Some("root"));
}

#[test]
fn nodes_in_hidden_partitions_are_seen() {
    let Some(cluster) = cluster() else { return };
    let job = cluster.job("h1", "hidden", &["-p", "hidden"]);
    let report = check(cluster, &["h1", "h2"]);
    assert_eq!(report.busy()[0].jobs, [job]);
    assert!(report.unreported().is_empty());
    let nodes = cluster.ask(&NodeQuery::all(frame()));
    let hidden = nodes.iter().find(|node| node.name == "h2").unwrap();
    assert_eq!(hidden.partitions, ["hidden"]);
    assert_eq!(hidden.cpus, 4);
    let twice = nodes.iter().find(|node| node.name == "n1").unwrap();
    let mut partitions = twice.partitions.clone();
    partitions.sort();
    assert_eq!(partitions, ["main", "second"]);
}

#[test]
fn a_users_environment_hides_no_job() {
    let Some(cluster) = cluster() else { return };
    cluster.job("n11", "mine", &[]);
    let query = IdleCheck::new(frame(), names(&["n11"]));
    let env = [
        ("SQUEUE_USERS", "nobody"),
        ("SQUEUE_PARTITION", "hidden"),
        ("SQUEUE_STATES", "PENDING"),
        ("SINFO_PARTITION", "hidden"),
    ];
    let output = cluster.run_with(&env, &query.argv());
    assert_eq!(query.parse(&output.stdout).unwrap().busy()[0].jobs.len(), 1);
}

#[test]
fn what_slurm_does_not_know_is_unreported() {
    let Some(cluster) = cluster() else { return };
    let report = check(cluster, &["n6", "nosuch", "evens", "n06"]);
    assert_eq!(report.unreported(), ["nosuch", "evens", "n06"]);
    assert!(!report.is_idle());
}

#[test]
fn a_nodeset_is_found_out_before_it_drains_its_members() {
    let Some(cluster) = cluster() else { return };
    let change = drain(&["n6", "evens"], "never sent");
    let answer = cluster.ask(&change.read_back(frame()));
    assert_eq!(change.nodes().missing_in(&answer), ["evens"]);
    // Why it matters: scontrol takes the name and changes the members.
    cluster.succeed(&[
        "scontrol",
        "update",
        "NodeName=evens",
        "State=DRAIN",
        "Reason=expanded set",
    ]);
    let members = cluster.ask(&NodeQuery::of(frame(), names(&["n2", "n4"])));
    assert!(members.iter().all(|node| node.state.is_drain()));
}

#[test]
fn job_names_and_reasons_forge_nothing() {
    let Some(cluster) = cluster() else { return };
    let forged = "x\nnode|n12|idle|\n\"'|$(id)%N@%T";
    cluster.job("n12", forged, &[]);
    cluster.succeed(&[
        "scontrol",
        "update",
        "NodeName=n13",
        "State=DRAIN",
        &format!("Reason={forged}"),
    ]);
    let nodes = cluster.ask(&NodeQuery::of(frame(), names(&["n12", "n13"])));
    assert_eq!(nodes.len(), 2);
    assert_eq!(nodes[1].reason.as_deref(), Some(forged));
    let jobs = cluster.ask(&JobQuery::new(frame()));
    let job = jobs.iter().find(|job| job.nodes == ["n12"]).unwrap();
    assert_eq!((job.name.as_str(), job.user.as_str()), (forged, "root"));
    assert_eq!(job.state, "RUNNING");
}

#[test]
fn a_reason_comes_back_as_it_was_given_and_resume_clears_it() {
    let Some(cluster) = cluster() else { return };
    let long = "ü".repeat(200);
    for text in
        ["bad dimm", "a \"quoted\" word", "50% of $HOME, 'so to speak'", "none of it", "=x=", &long]
    {
        let change = drain(&["n14"], text);
        let [command] = &change.commands()[..] else { panic!("one command") };
        cluster.succeed(command);
        let node = &cluster.ask(&change.read_back(frame()))[0];
        assert_eq!(node.reason.as_deref(), Some(text));
        assert!(change.holds(node));
        let resume = Change::Resume { nodes: names(&["n14"]) };
        assert!(!resume.holds(node));
        cluster.succeed(&resume.commands()[0]);
        let node = &cluster.ask(&resume.read_back(frame()))[0];
        assert_eq!(node.reason, None);
        assert!(resume.holds(node) && !change.holds(node));
    }
}

#[test]
fn quotes_at_the_ends_of_a_reason_are_refused_because_slurm_drops_them() {
    let Some(cluster) = cluster() else { return };
    assert!("\"quoted\"".parse::<Reason>().is_err());
    cluster.succeed(&["scontrol", "update", "NodeName=h3", "State=DRAIN", "Reason=\"quoted\""]);
    let node = &cluster.ask(&NodeQuery::of(frame(), names(&["h3"])))[0];
    assert_eq!(node.reason.as_deref(), Some("quoted"));
}

#[test]
fn the_read_back_tells_which_nodes_a_failed_change_reached() {
    let Some(cluster) = cluster() else { return };
    let drained = drain(&["n15"], "waits");
    cluster.succeed(&drained.commands()[0]);
    let resume = Change::Resume { nodes: names(&["n15", "n16", "nosuch"]) };
    let output = cluster.run(&resume.commands()[0]);
    assert_eq!(output.status.code(), Some(1));
    let answer = cluster.ask(&resume.read_back(frame()));
    assert_eq!(resume.nodes().missing_in(&answer), ["nosuch"]);
    // One error for the whole command, and yet a node it could be done to was changed.
    let held = |node: &slurm_query::Node| (node.name.clone(), resume.holds(node));
    let holding: Vec<_> = answer.iter().map(held).collect();
    assert_eq!(holding, [("n15".to_owned(), true), ("n16".to_owned(), true)]);
}

#[test]
fn a_list_longer_than_an_argument_is_sifted_from_the_whole_answer() {
    let Some(cluster) = cluster() else { return };
    let many = (0..20_000).map(|number| format!("nosuch{number}"));
    let nodes = NodeNames::new(["n6".to_owned()].into_iter().chain(many)).unwrap();
    let check = IdleCheck::new(frame(), nodes.clone());
    let query = NodeQuery::of(frame(), nodes.clone());
    let change = Change::Resume { nodes: nodes.clone() };
    let commands = [vec![check.argv(), query.argv()], change.commands()].concat();
    assert!(commands.iter().flatten().all(|argument| argument.len() < 131_072));
    let report = cluster.ask(&check);
    assert_eq!(report.unreported().len(), 20_000);
    assert!(report.busy().is_empty());
    assert_eq!(cluster.ask(&query).len(), 1);
    assert_eq!(change.commands().len(), 2);
}

#[test]
fn states_read_the_same_in_every_form() {
    let Some(cluster) = cluster() else { return };
    let forms = |argv: &[&str]| String::from_utf8(cluster.run(argv).stdout).unwrap();
    // One run of sinfo prints both forms of one moment.
    for line in forms(&["sinfo", "-a", "-h", "-N", "-o", "%T %t"]).lines() {
        let (long, short) = line.split_once(' ').unwrap();
        let [long, short] = [long, short].map(|text| text.parse::<NodeState>().unwrap());
        assert_eq!(long.base(), short.base(), "{line}");
        assert_eq!(long.flags().collect::<Vec<_>>(), short.flags().collect::<Vec<_>>());
        assert!(!matches!(long.base(), BaseState::Other(_)), "{line}");
    }
    for word in forms(&["scontrol", "-o", "show", "node"]).split_whitespace() {
        if let Some(state) = word.strip_prefix("State=") {
            let state: NodeState = state.parse().unwrap();
            assert!(!matches!(state.base(), BaseState::Other(_)), "{state}");
        }
    }
}

#[test]
fn lists_expand_as_slurm_expands_them() {
    let Some(cluster) = cluster() else { return };
    for list in [
        "exe1",
        "exe[1-3]",
        "exe[08-11]",
        "exe[1,3-5,009]",
        "a1,b[2-3],c",
        "r[1-2]n[01-02]",
        "gpu-[0-0]",
        "n[1-3],n2",
        "e[99-101]",
    ] {
        let output = cluster.run(&["scontrol", "show", "hostnames", list]);
        let theirs = String::from_utf8(output.stdout).unwrap();
        assert_eq!(expand(list).unwrap(), theirs.lines().collect::<Vec<_>>(), "{list}");
    }
}

fn drain(nodes: &[&str], reason: &str) -> Change {
    Change::Drain { nodes: names(nodes), reason: reason.parse().unwrap() }
}
