//! Running commands on nodes.

use std::fs::File;
use std::process::Stdio;
use std::time::{Duration, Instant};

use lab::Lab;

use crate::harness::{bounded, command, interrupt, lab_or_skip, run, run_with_input, said, soon};
use crate::processes::{LongSleep, left_on_the_workstation};

/// Makes a file on a node say what a command there did.
fn wrote(lab: &Lab, node: &str, path: &str) -> Option<String> {
    std::fs::read_to_string(lab.path_on(node, path).unwrap()).ok()
}

#[test]
fn what_nodes_say_is_shown_once_a_line_and_grouped_on_demand() {
    let Some(lab) = lab_or_skip(3) else { return };
    let each = run(&lab, &["exec", "exe[0001-0003]", "--", "hostname"]).ended_with(0);
    assert_eq!(each.stdout, "exe0001: exe0001\nexe0002: exe0002\nexe0003: exe0003\n");

    let odd = "test $(hostname) = exe0002 && exit 3; echo same";
    let grouped = run(&lab, &["exec", "exe[0001-0003]", "-b", "--script", odd]).ended_with(1);
    assert_eq!(
        grouped.stdout, "exe[0001,0003] (2): ok\n  same\nexe0002 (1): exit 3\n",
        "{grouped:#?}"
    );
    lab.service("exe0003", "sshd", false).unwrap();
    let grouped = run(&lab, &["exec", "exe[0001-0003]", "--dedup", "--", "echo", "same"]);
    let grouped = grouped.ended_with(3);
    assert_eq!(grouped.stdout, "exe[0001-0002] (2): ok\n  same\nexe0003 (1): unreachable\n");
    assert!(grouped.stderr.contains("exe0003: unreachable: "), "the reason is said: {grouped:#?}");
    let told = ["exec", "exe[0001-0002]", "-b", "--script", "echo why >&2; exit 5"];
    let told = run(&lab, &told).ended_with(1);
    assert!(told.stderr.starts_with("exe[0001-0002]: exit 5: why\n"), "{told:#?}");
}

#[test]
fn ex04_the_worst_of_many_answers_is_the_exit_code() {
    let Some(lab) = lab_or_skip(3) else { return };
    let fails = "test $(hostname) != exe0001 || { echo no such luck >&2; exit 7; }";
    let said = run(&lab, &["exec", "exe[0001-0003]", "--script", fails]).ended_with(1);
    // OE-11: the status and the last words are shown.
    assert!(said.stderr.contains("exe0001: exit 7: no such luck\n"), "{said:#?}");
    assert!(said.stderr.ends_with("clusterctl: 1 of 3 nodes failed\n"), "{said:#?}");
    lab.service("exe0003", "sshd", false).unwrap();
    let said = run(&lab, &["exec", "exe[0001-0003]", "--script", fails]).ended_with(3);
    assert!(said.stderr.contains("exe0003: unreachable: "), "{said:#?}");
    assert!(said.stderr.contains("exe0001: exit 7: no such luck\n"), "{said:#?}");

    // OE-05
    let json = run(&lab, &["-o", "json", "exec", "exe[0001-0003]", "--script", fails]);
    let json: serde_json::Value = serde_json::from_str(&json.ended_with(3).stdout).unwrap();
    let rows = json.as_array().unwrap();
    let name = |row: &serde_json::Value| row["target"]["name"].as_str().unwrap().to_owned();
    assert_eq!(rows.iter().map(name).collect::<Vec<_>>(), ["exe0001", "exe0002", "exe0003"]);
    assert_eq!(rows[0]["exitCode"], 7);
    assert_eq!(rows[0]["error"], "exit 7: no such luck");
    assert_eq!(rows[1]["exitCode"], 0);
    assert!(rows[1].get("error").is_none(), "{json}");
    assert!(rows[2]["exitCode"].is_null() && rows[2]["error"].is_string(), "{json}");
    assert_eq!(rows[0]["target"]["host"], "exe0001.hpc.example.org");
}

#[test]
fn tr21_a_command_that_ends_with_255_is_a_failure_of_a_host_that_answered() {
    let Some(lab) = lab_or_skip(1) else { return };
    for transport in ["libssh2", "openssh"] {
        let transport = format!("ssh.transport={transport}");
        let arguments = ["--set", &transport, "exec", "exe0001", "--", "sh", "-c", "exit 255"];
        let said = run(&lab, &arguments).ended_with(1);
        assert!(said.stderr.contains("exe0001: exit 255"), "{transport}: {said:#?}");
    }
}

#[test]
fn words_and_scripts_arrive_as_they_were_typed() {
    let Some(lab) = lab_or_skip(2) else { return };
    // SG-09: behind the two hyphens nothing is this program's.
    let typed = ["-n", "exe0002", "-r", "-y", "--force", "-o", "json", "$HOME", "a  b", "'", "*"];
    for transport in ["libssh2", "openssh"] {
        let transport = format!("ssh.transport={transport}");
        let mut arguments = vec!["--set", &transport, "exec", "exe0001", "--", "printf", "[%s]"];
        arguments.extend(typed);
        let said = run(&lab, &arguments).ended_with(0);
        assert_eq!(
            said.stdout,
            "exe0001: [-n][exe0002][-r][-y][--force][-o][json][$HOME][a  b]['][*]\n"
        );
    }
    let script = "printf '%s.' \"$#\" \"$@\"; cat";
    let arguments = ["exec", "exe0001", "--script", script, "--", "a b", "-c"];
    assert_eq!(run(&lab, &arguments).ended_with(0).stdout, "exe0001: 2.a b.-c.\n");

    let input = b"line\nwithout an end";
    let arguments = ["exec", "exe[0001-0002]", "--stdin", "--", "sh", "-c", "cat; wc -c"];
    assert_eq!(
        run_with_input(&lab, &arguments, input).ended_with(0).stdout,
        "exe0001: line\nexe0001: without an end0\nexe0002: line\nexe0002: without an end0\n"
    );
}

#[test]
fn sg10_what_is_typed_is_the_only_target() {
    let Some(lab) = lab_or_skip(3) else { return };
    let mut chosen = bounded(&lab, &["exec", "exe0002", "--", "hostname"]);
    chosen.env("CLUSTERCTL_NODES", "exe[0001-0003]");
    assert_eq!(said(&mut chosen).ended_with(0).stdout, "exe0002: exe0002\n");
    let twice = run(&lab, &["-n", "exe0001", "exec", "exe0002", "--", "touch", "/tmp/sg10"]);
    let twice = twice.ended_with(2);
    assert!(twice.stdout.is_empty() && twice.stderr.contains("given twice"), "{twice:#?}");
    let without = run(&lab, &["exec", "exe0001", "touch", "/tmp/sg10"]).ended_with(2);
    assert!(without.stdout.is_empty(), "{without:#?}");
    for node in ["exe0001", "exe0002"] {
        assert_eq!(wrote(&lab, node, "/tmp/sg10"), None);
    }
}

#[test]
fn sg06_sg07_refusals_of_exec_send_nothing() {
    let Some(lab) = lab_or_skip(1) else { return };
    let touch = ["--", "touch", "/tmp/touched"];
    for more in [&[][..], &["--confirm"], &["--dry-run"], &["-y", "--confirm"]] {
        // In every spelling.
        for host in ["wlm01", "WLM01", "wlm01.hpc.example.org.", "wlm01.mgmt.hpc.example.org"] {
            let arguments = [&["exec", host][..], more, &touch].concat();
            let said = run(&lab, &arguments).ended_with(2);
            assert!(said.stdout.is_empty() && said.stderr.contains("protected"), "{said:#?}");
        }
    }
    assert_eq!(wrote(&lab, "wlm01", "/tmp/touched"), None);
    let forced = run(&lab, &[&["--force", "exec", "wlm01"][..], &touch].concat()).ended_with(0);
    assert!(forced.stderr.contains("wlm01 is protected; --force lets through"), "{forced:#?}");
    assert!(wrote(&lab, "wlm01", "/tmp/touched").is_some());

    let write = ["--", "sh", "-c", "cat >/tmp/touched"];
    let stdin = |more: &[&str]| {
        let arguments = [&["exec", "exe0001", "--stdin", "--confirm"][..], more, &write].concat();
        run_with_input(&lab, &arguments, b"0123456789")
    };
    let refused = stdin(&[]).ended_with(2);
    assert!(refused.stdout.is_empty(), "{refused:#?}");
    let rehearsed = stdin(&["-y", "--dry-run"]).ended_with(0);
    assert!(rehearsed.stdout.contains("with 10 bytes of standard input\n"), "{rehearsed:#?}");
    let rehearsed = stdin(&["--dry-run"]).ended_with(0);
    assert!(rehearsed.stdout.contains("with 10 bytes of standard input\n"), "{rehearsed:#?}");
    assert_eq!(wrote(&lab, "exe0001", "/tmp/touched"), None);
    stdin(&["-y"]).ended_with(0);
    assert_eq!(wrote(&lab, "exe0001", "/tmp/touched").as_deref(), Some("0123456789"));
}

#[test]
fn fo02_a_standard_input_that_cannot_be_read_sends_nothing() {
    let Some(lab) = lab_or_skip(1) else { return };
    let arguments = ["exec", "exe0001", "--stdin", "--", "sh", "-c", "cat >/tmp/fo02"];
    let mut directory = bounded(&lab, &arguments);
    directory.stdin(File::open("/").unwrap());
    let refused = said(&mut directory).ended_with(2);
    assert!(refused.stdout.is_empty(), "{refused:#?}");
    assert!(refused.stderr.contains("standard input cannot be read"), "{refused:#?}");
    assert_eq!(wrote(&lab, "exe0001", "/tmp/fo02"), None);
}

#[test]
fn oe01_no_control_character_of_a_node_reaches_the_terminal() {
    let Some(lab) = lab_or_skip(1) else { return };
    let evil = r"printf 'a\033[2Jb\rc\302\233d\342\200\250e\342\200\256f\nlast\n'; printf 'x\033]0;t\007y\n' >&2; exit 4";
    for more in [&[][..], &["-b"]] {
        let said = run(&lab, &[&["exec", "exe0001", "--script", evil][..], more].concat());
        let said = said.ended_with(1);
        for text in [&said.stdout, &said.stderr] {
            let bad: Vec<char> = text
                .chars()
                .filter(|c| (c.is_control() && *c != '\n') || "\u{2028}\u{202e}".contains(*c))
                .collect();
            assert!(bad.is_empty(), "{bad:?} in {text:?}");
        }
        assert!(said.stdout.contains('a') && said.stdout.contains("last"), "{said:#?}");
    }
}

#[test]
fn the_time_limit_ends_the_process_on_the_node() {
    let Some(lab) = lab_or_skip(1) else { return };
    for transport in ["libssh2", "openssh"] {
        let sleep = LongSleep::new();
        let set = format!("ssh.transport={transport}");
        let begun = Instant::now();
        let words = ["--set", &set, "exec", "exe0001", "--timeout", "1s", "--", "sleep"];
        let said = run(&lab, &[&words[..], &[sleep.seconds()]].concat()).ended_with(1);
        assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
        assert!(said.stderr.contains("exe0001: timed out"), "{said:#?}");
        assert!(soon(|| !sleep.runs()), "{transport}: it still runs on the node");
    }
}

#[test]
fn output_beyond_the_bound_is_cut_off_and_a_failure() {
    let Some(lab) = lab_or_skip(1) else { return };
    for transport in ["libssh2", "openssh"] {
        let set = format!("ssh.transport={transport}");
        let endless =
            ["--set", &set, "-o", "name", "exec", "exe0001", "--script", "tr '\\0' x </dev/zero"];
        let said = run(&lab, &endless).ended_with(1);
        assert!(said.stderr.contains("exe0001: output cut off"), "{said:#?}");
    }
}

#[test]
fn ctrl_c_is_130_at_once_and_says_that_what_was_sent_may_go_on() {
    let Some(lab) = lab_or_skip(2) else { return };
    for transport in ["libssh2", "openssh"] {
        let sleep = LongSleep::new();
        let set = format!("ssh.transport={transport}");
        let words = ["--set", &set, "exec", "exe[0001-0002]", "--", "sleep", sleep.seconds()];
        let mut running = command(&lab, &words);
        let child = running.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        assert!(soon(|| sleep.count() >= 2), "{transport}: it does not run on both nodes");
        let begun = Instant::now();
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        let said = crate::harness::Said::of(&output).ended_with(130);
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
        assert!(soon(|| left_on_the_workstation(&lab).is_empty()), "{transport}");
        let told = "exe0001: interrupted: what was sent may still run there until its time limit";
        assert!(said.stderr.contains(told), "{transport}: {said:#?}");
    }
}
