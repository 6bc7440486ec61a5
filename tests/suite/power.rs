//! Switching machines on and off through their service processors.

use std::process::Stdio;
use std::time::{Duration, Instant};

use bmc_sim::{Effect, Fault};
use lab::Lab;

use crate::harness::{Said, command, interrupt, lab_or_skip, run, soon};

const RESET: &str = "*ComputerSystem.Reset*";

/// What was asked of a service processor that is no question.
fn writes(lab: &Lab, node: &str) -> usize {
    let requests = lab.bmc(node).requests().unwrap();
    requests.iter().filter(|request| request.method != "GET").count()
}

/// The cell STATE of each node of exe0001 to exe000N.
fn states(said: &Said, nodes: u8) -> Vec<String> {
    (1..=nodes).map(|number| said.row(&format!("exe000{number}"))[1].clone()).collect()
}

#[test]
fn sc01_sg24_what_costs_jobs_is_refused_also_in_a_dry_run_and_nothing_is_sent() {
    let Some(lab) = lab_or_skip(2) else { return };
    let job = lab.slurm().run_job("exe0002").unwrap();
    for verb in ["off", "soft", "cycle", "reset", "nmi"] {
        for more in [&["-y"][..], &["--dry-run"], &["-y", "--force"]] {
            let said = run(&lab, &[more, &["bmc", "power", verb, "exe[0001-0002]"]].concat());
            let said = said.ended_with(2);
            assert!(said.stdout.is_empty() && said.stderr.contains("exe0002"), "{verb}: {said:#?}");
        }
    }
    // What loses no job is not refused for one.
    let on = run(&lab, &["-y", "bmc", "power", "on", "exe[0001-0002]"]).ended_with(0);
    assert_eq!(states(&on, 2), ["already on", "already on"]);
    assert_eq!((writes(&lab, "exe0001"), writes(&lab, "exe0002")), (0, 0));
    let forced = run(&lab, &["-y", "bmc", "power", "off", "exe0002", "--lose-jobs"]);
    assert_eq!(forced.ended_with(0).row("exe0002")[1..], ["sent"]);
    assert!(soon(|| !lab.node("exe0002").unwrap().power));
    lab.slurm().cancel(job, "exe0002").ok();
}

#[test]
fn rf08_rf10_after_a_failure_later_batches_are_not_tried_and_have_their_rows() {
    let Some(lab) = lab_or_skip(4) else { return };
    lab.bmc("exe0001").add_fault(Fault::new(Effect::status(500)).on("POST", RESET)).unwrap();
    let batches = ["--batch", "2", "--stagger", "0"];
    let reset = ["-y", "bmc", "power", "reset", "exe[0001-0004]"];
    let said = run(&lab, &[&reset[..], &batches].concat()).ended_with(1);
    assert_eq!(states(&said, 4)[1..], ["sent", "not tried", "not tried"], "{said:#?}");
    assert!(
        said.stderr.contains("1 failed and 2 were not tried: exe[0003-0004]"),
        "{}",
        said.stderr
    );
    assert_eq!((writes(&lab, "exe0003"), writes(&lab, "exe0004")), (0, 0));

    lab.bmc("exe0001").heal().unwrap();
    let begun = Instant::now();
    let long = ["--set", "safety.powerOnStagger=30s"];
    run(&lab, &[&long[..], &reset, &batches].concat()).ended_with(0);
    assert!(begun.elapsed() < Duration::from_secs(20), "a pause of 0 is none");
    run(&lab, &[&reset[..], &["--batch", "0"]].concat()).ended_with(2);
}

#[test]
fn rf13_ctrl_c_leaves_what_was_sent_unknown_and_sends_no_more() {
    let Some(lab) = lab_or_skip(4) else { return };
    // The first takes the request and does not answer.
    lab.bmc("exe0001").add_fault(Fault::new(Effect::BlackHole).on("POST", RESET)).unwrap();
    let arguments = ["-y", "--fanout", "1", "bmc", "power", "reset", "exe[0001-0004]"];
    let mut running = command(&lab, &arguments);
    running.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = running.spawn().unwrap();
    assert!(soon(|| writes(&lab, "exe0001") > 0));
    interrupt(&child);
    let said = Said::of(&child.wait_with_output().unwrap()).ended_with(130);
    assert_eq!(
        states(&said, 4),
        ["outcome unknown", "not sent", "not sent", "not sent"],
        "{said:#?}"
    );
    for node in ["exe0002", "exe0003", "exe0004"] {
        assert_eq!(lab.bmc(node).requests().unwrap().len(), 0, "{node}");
    }
}

#[test]
fn w07_ctrl_c_between_batches_is_no_failure_of_an_earlier_one() {
    let Some(lab) = lab_or_skip(4) else { return };
    let arguments =
        ["-y", "bmc", "power", "reset", "exe[0001-0004]", "--batch", "2", "--stagger", "1h"];
    let mut running = command(&lab, &arguments);
    running.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = running.spawn().unwrap();
    assert!(soon(|| writes(&lab, "exe0001") > 0 && writes(&lab, "exe0002") > 0));
    // The answers are there, and the pause has begun.
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    let said = Said::of(&child.wait_with_output().unwrap()).ended_with(130);
    assert_eq!(states(&said, 4), ["sent", "sent", "not sent", "not sent"], "{said:#?}");
    assert!(!said.stderr.contains("not tried"), "{said:#?}");
}

#[test]
fn what_was_sent_is_proven_by_the_state_or_told_as_not_proven() {
    let Some(lab) = lab_or_skip(2) else { return };
    let off = ["-y", "bmc", "power", "off", "exe[0001-0002]", "--verify"];
    let said = run(&lab, &off).ended_with(0);
    assert_eq!(states(&said, 2), ["sent, Off", "sent, Off"]);
    let said = run(&lab, &["-y", "bmc", "power", "on", "exe[0001-0002]", "--verify"]);
    assert_eq!(states(&said.ended_with(0), 2), ["sent, On", "sent, On"]);
    // It takes the request and does nothing.
    let nothing =
        Effect::Answer(bmc_sim::Answer { status: 204, headers: vec![], body: String::new() });
    lab.bmc("exe0002").add_fault(Fault::new(nothing).on("POST", RESET)).unwrap();
    let said = run(&lab, &[&off[..], &["--within", "1s"]].concat()).ended_with(1);
    assert_eq!(states(&said, 2), ["sent, Off", "sent, On"]);
    assert!(said.stderr.contains("sent, and On after 1 second"), "{said:#?}");
    run(&lab, &["-y", "bmc", "power", "nmi", "exe0001", "--verify"]).ended_with(2);
    run(&lab, &["-y", "bmc", "power", "on", "exe0001", "--within", "1s"]).ended_with(2);
}
