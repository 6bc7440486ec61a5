//! IPMI: real `ipmitool` and `ipmipower` on the login host, against `ipmi_sim`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use lab::{ChassisFault, Lab, Options};

use crate::harness::{Said, command, interrupt, lab_with, program, run, said, soon};

pub(crate) fn ipmi_lab(nodes: u16) -> Option<Lab> {
    lab_with(&Options { nodes, slurm: false, ipmi: true, ..Options::default() })
}

const NO_SLURM: [&str; 2] = ["--set", "safety.slurmAware=false"];
/// Both programs say the same; ipmipower is the one that is used without a word.
const BACKENDS: [&str; 2] = ["bmc.ipmi.backend=ipmipower", "bmc.ipmi.backend=ipmitool"];

/// The program with settings of one run.
pub(crate) fn with(lab: &Lab, settings: &[&str], arguments: &[&str]) -> Said {
    run(lab, &words(settings, arguments))
}

fn words<'a>(settings: &[&'a str], arguments: &[&'a str]) -> Vec<&'a str> {
    let settings = settings.iter().flat_map(|setting| ["--set", setting]);
    NO_SLURM.into_iter().chain(settings).chain(arguments.iter().copied()).collect()
}

/// Puts a program on the login host, and says where.
fn install(lab: &Lab, name: &str, text: &str) -> String {
    let path = format!("/usr/local/bin/{name}");
    let file = lab.path_on("login", &path).unwrap();
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Stands before a real program and writes down its words, a line each time.
fn spy(lab: &Lab, program: &str) -> String {
    let text = format!("printf '%s\\n' \"$*\" >>/root/{program}.log\nexec {program} \"$@\"");
    install(lab, &format!("spy-{program}"), &text)
}

/// What the spy saw so far; forgotten afterwards.
fn seen(lab: &Lab, program: &str) -> Vec<String> {
    let path = lab.path_on("login", &format!("/root/{program}.log")).unwrap();
    let text = fs::read_to_string(&path).unwrap_or_default();
    fs::write(&path, "").unwrap();
    text.lines().map(str::to_owned).collect()
}

/// How many logins the login host's sshd has let in.
fn logins(lab: &Lab) -> usize {
    let log = fs::read_to_string(lab.path_on("login", "/var/log/sshd.log").unwrap()).unwrap();
    log.lines().filter(|line| line.starts_with("Accepted publickey")).count()
}

#[test]
fn power_over_ipmi_is_what_the_machine_does() {
    let Some(lab) = ipmi_lab(2) else { return };
    for backend in BACKENDS {
        let boots = lab.node("exe0001").unwrap().boots.len();
        let power = |verb: &str, nodes: &str| {
            let arguments = ["-y", "bmc", "power", verb, "--ipmi", nodes];
            with(&lab, &[backend], &arguments).ended_with(0)
        };
        let status = with(&lab, &[backend], &["bmc", "status", "--ipmi", "exe[0001-0002]"]);
        let status = status.ended_with(0);
        assert_eq!(status.row("exe0001")[1..], ["On", "ipmi"], "{status:#?}");
        assert_eq!(status.row("exe0002")[1..], ["On", "ipmi"], "{status:#?}");
        assert_eq!(power("off", "exe0001").row("exe0001")[1..], ["sent", "ipmi"]);
        assert!(soon(|| !lab.node("exe0001").unwrap().power));
        assert_eq!(power("soft", "exe0001").row("exe0001")[1..], ["already off", "ipmi"]);
        let on = power("on", "exe[0001-0002]");
        assert_eq!(on.row("exe0001")[1..], ["sent", "ipmi"], "{on:#?}");
        assert_eq!(on.row("exe0002")[1..], ["already on", "ipmi"], "{on:#?}");
        assert!(soon(|| lab.node("exe0001").unwrap().power));
        power("reset", "exe0001");
        power("cycle", "exe0001");
        // On, reset, and off and on again a second later.
        assert!(soon(|| lab.node("exe0001").unwrap().boots.len() == boots + 3));
        assert_eq!(power("soft", "exe0001").row("exe0001")[1..], ["sent", "ipmi"]);
        assert!(soon(|| !lab.node("exe0001").unwrap().power));
        // A cycle of a machine that is off switches it on, a reset is not sent.
        let before = lab.ipmi("exe0001").changes().unwrap();
        let arguments = ["-y", "bmc", "power", "reset", "--ipmi", "exe0001"];
        let refused = with(&lab, &[backend], &arguments).ended_with(1);
        assert!(refused.stderr.contains("the machine is off"), "{refused:#?}");
        assert_eq!(lab.ipmi("exe0001").changes().unwrap(), before);
        power("cycle", "exe0001");
        assert!(soon(|| lab.node("exe0001").unwrap().power));
        // Nobody touched the other one.
        assert!(lab.ipmi("exe0002").changes().unwrap().is_empty());
    }
}

#[test]
fn what_a_machine_refuses_and_what_it_does_not_answer_are_told_apart() {
    let Some(lab) = ipmi_lab(2) else { return };
    for backend in BACKENDS {
        lab.ipmi("exe0001").fail(Some(ChassisFault::Refuse)).unwrap();
        let before = lab.ipmi("exe0001").changes().unwrap().len();
        let reset = ["-y", "bmc", "power", "reset", "--ipmi", "exe[0001-0002]"];
        // ipmipower has no words for a refusal: it says nothing, and that is no success.
        let (code, state) =
            if backend == BACKENDS[0] { (3, "outcome unknown") } else { (1, "refused") };
        let said = with(&lab, &[backend], &reset).ended_with(code);
        assert_eq!(said.row("exe0001")[1..3], [state, "ipmi"], "{said:#?}");
        assert_eq!(said.row("exe0002")[1..], ["sent", "ipmi"], "{said:#?}");
        assert_eq!(lab.ipmi("exe0001").changes().unwrap().len(), before + 1);

        lab.ipmi("exe0001").fail(Some(ChassisFault::Hang)).unwrap();
        let reset = ["-y", "bmc", "power", "reset", "--ipmi", "exe0001"];
        let boots = lab.node("exe0001").unwrap().boots.len();
        let said = with(&lab, &[backend, "bmc.ipmi.timeout=6s"], &reset).ended_with(3);
        assert_eq!(said.row("exe0001")[1..3], ["outcome unknown", "ipmi"], "{said:#?}");
        // It was sent once, and done once.
        assert_eq!(lab.ipmi("exe0001").changes().unwrap().len(), before + 2);
        assert_eq!(lab.node("exe0001").unwrap().boots.len(), boots + 1);
        lab.ipmi("exe0001").fail(None).unwrap();
        lab.ipmi("exe0001").listening(false).unwrap();
        lab.ipmi("exe0001").listening(true).unwrap();
    }
}

#[test]
fn a_state_that_is_read_afterwards_proves_what_was_sent() {
    let Some(lab) = ipmi_lab(1) else { return };
    let off = ["-y", "bmc", "power", "off", "--ipmi", "--verify", "exe0001"];
    let said = with(&lab, &[], &off).ended_with(0);
    assert_eq!(said.row("exe0001")[1..], ["sent, Off", "ipmi"], "{said:#?}");
    // ipmipower takes the word of a chassis that does nothing.
    let text = "case \"$*\" in *--on*) echo 10.2.2.1: ok;; *) exec ipmipower \"$@\";; esac";
    let program = format!("bmc.ipmi.ipmipowerPath={}", install(&lab, "idle", text));
    let on = ["-y", "bmc", "power", "on", "--ipmi", "--verify", "--within", "1s", "exe0001"];
    let said = with(&lab, &[&program], &on).ended_with(1);
    assert_eq!(said.row("exe0001")[1..3], ["sent, Off", "ipmi"], "{said:#?}");
}

#[test]
fn an_interrupt_leaves_what_was_sent_unknown() {
    let Some(lab) = ipmi_lab(1) else { return };
    lab.ipmi("exe0001").fail(Some(ChassisFault::Hang)).unwrap();
    let mut running =
        command(&lab, &words(&[], &["-y", "bmc", "power", "reset", "--ipmi", "exe0001"]));
    let child = running.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(soon(|| !lab.ipmi("exe0001").changes().unwrap().is_empty()));
    let begun = Instant::now();
    interrupt(&child);
    let said = Said::of(&child.wait_with_output().unwrap()).ended_with(130);
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    assert_eq!(said.row("exe0001")[1..3], ["outcome unknown", "ipmi"], "{said:#?}");
}

#[test]
fn reads_try_suite_17_then_3_and_writes_use_the_one_that_a_read_proved() {
    let Some(lab) = ipmi_lab(3) else { return };
    let (power, tool) = (spy(&lab, "ipmipower"), spy(&lab, "ipmitool"));
    let power = format!("bmc.ipmi.ipmipowerPath={power}");
    let tool = format!("bmc.ipmi.ipmitoolPath={tool}");
    let reset = ["-y", "bmc", "power", "reset", "--ipmi", "exe[0001-0003]", "--stagger", "0"];
    let run = |backend| with(&lab, &[backend, &power, &tool], &reset).ended_with(0);

    let before = logins(&lab);
    run(BACKENDS[0]);
    assert_eq!(logins(&lab) - before, 1);
    let told: Vec<(bool, bool, bool)> = seen(&lab, "ipmipower")
        .iter()
        .map(|line| {
            let all = ["10.2.2.1", "10.2.2.2", "10.2.2.3"].iter().all(|host| line.contains(host));
            (line.contains("--reset"), line.contains("--cipher-suite-id=17 "), all)
        })
        .collect();
    // Three requests for three machines: 17, then 3, then the write. ipmi_sim speaks 3 alone.
    assert_eq!(told, [(false, true, true), (false, false, true), (true, false, true)]);

    run(BACKENDS[1]);
    let told = seen(&lab, "ipmitool");
    let count = |words: [&str; 2]| {
        told.iter().filter(|line| words.iter().all(|word| line.contains(word))).count()
    };
    assert_eq!(count(["-C 17 ", "power status"]), 3, "{told:#?}");
    assert_eq!(count(["-C 3 ", "power status"]), 3, "{told:#?}");
    assert_eq!(count(["-C 3 ", "power reset"]), 3, "{told:#?}");
    assert_eq!(told.len(), 9, "{told:#?}");

    // Remembered for the run: reading back does not try 17 again.
    with(&lab, &[&tool], &["-y", "bmc", "boot", "unset", "--ipmi", "exe0001"]).ended_with(0);
    let told = seen(&lab, "ipmitool");
    let verbs: Vec<(bool, &str)> = told
        .iter()
        .map(|line| (line.contains("-C 17 "), line.rsplit(" chassis ").next().unwrap()))
        .collect();
    let get = "bootparam get 5";
    let none = "bootdev none options=efiboot";
    assert_eq!(verbs, [(true, get), (false, get), (false, none), (false, get)]);
}

#[test]
fn ip02_ip03_a_program_that_says_nothing_or_something_else_is_no_success() {
    let Some(lab) = ipmi_lab(1) else { return };
    let host = "10.2.2.1";
    for (backend, path, texts) in [
        (
            BACKENDS[0],
            "bmc.ipmi.ipmipowerPath",
            [":".to_owned(), format!("echo {host}: maybe"), format!("echo {host}:on; echo on")],
        ),
        (
            BACKENDS[1],
            "bmc.ipmi.ipmitoolPath",
            [":".to_owned(), "echo Chassis Power is maybe".to_owned(), "echo on".to_owned()],
        ),
    ] {
        for text in texts {
            let program = format!("{path}={}", install(&lab, "liar", &text));
            let status = with(&lab, &[backend, &program], &["bmc", "status", "exe0001", "--ipmi"]);
            let status = status.ended_with(1);
            assert_eq!(status.row("exe0001")[1..3], ["unknown", "ipmi"], "{text}: {status:#?}");
            if text.contains("maybe") {
                assert!(status.stderr.contains("maybe"), "{status:#?}");
            }
            let off = ["-y", "bmc", "power", "off", "exe0001", "--ipmi"];
            let off = with(&lab, &[backend, &program], &off).ended_with(1);
            assert_eq!(
                off.row("exe0001")[1],
                "unknown",
                "nothing to go by, nothing sent: {off:#?}"
            );
        }
        // The state is known, and what the change came to is not.
        let text = format!(
            "case \"$*\" in *stat*) case {path} in *power*) echo {host}: on;; \
             *) echo Chassis Power is on;; esac;; esac"
        );
        let program = format!("{path}={}", install(&lab, "liar", &text));
        let off = ["-y", "bmc", "power", "off", "exe0001", "--ipmi"];
        let off = with(&lab, &[backend, &program], &off).ended_with(3);
        assert_eq!(off.row("exe0001")[1], "outcome unknown", "{off:#?}");
    }
    // A program that is not there was not asked anything.
    for setting in ["bmc.ipmi.ipmipowerPath=/nowhere", "bmc.ipmi.backend=ipmitool"] {
        let settings = [setting, "bmc.ipmi.ipmitoolPath=/nowhere"];
        let status = with(&lab, &settings, &["bmc", "status", "exe0001", "--ipmi"]).ended_with(1);
        assert!(status.stderr.contains("/nowhere"), "{status:#?}");
    }
    assert!(lab.node("exe0001").unwrap().power);
}

#[test]
fn ip05_several_run_side_by_side_under_a_bound_and_the_time_grows_with_the_set() {
    let Some(lab) = ipmi_lab(6) else { return };
    // Notes how many run at a time, itself included, and takes a second.
    let text = "d=$(mktemp -d /root/running.XXXXXX); ls -d /root/running.* | wc -l >>/root/widths
        sleep 1; rmdir \"$d\"; exec ipmitool \"$@\"";
    let program = format!("bmc.ipmi.ipmitoolPath={}", install(&lab, "slow", text));
    // Two rounds of two seconds for each suite: more than the two seconds of one call.
    let settings = [BACKENDS[1], &program, "bmc.ipmi.timeout=2s", "bmc.ipmi.maxConcurrent=3"];
    let status = with(&lab, &settings, &["bmc", "status", "--ipmi", "exe[0001-0006]"]);
    let status = status.ended_with(0);
    assert_eq!(status.stdout.matches("On").count(), 6, "{status:#?}");
    let widths = fs::read_to_string(lab.path_on("login", "/root/widths").unwrap()).unwrap();
    let widths: Vec<usize> = widths.lines().map(|line| line.trim().parse().unwrap()).collect();
    assert_eq!((widths.len(), widths.iter().max()), (12, Some(&3)), "{widths:?}");

    // One that takes longer than a call may is ended there, and the others are not.
    let text = "case \"$*\" in *exe0003*) sleep 60;; esac; exec ipmitool \"$@\"";
    let program = format!("bmc.ipmi.ipmitoolPath={}", install(&lab, "slow", text));
    let settings = [BACKENDS[1], &program, "bmc.ipmi.timeout=2s"];
    let begun = Instant::now();
    let status = with(&lab, &settings, &["bmc", "status", "--ipmi", "exe[0001-0006]"]);
    let status = status.ended_with(3);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(status.row("exe0003")[1..3], ["unreachable", "ipmi"], "{status:#?}");
    assert_eq!(status.stdout.matches("On").count(), 5, "{status:#?}");
}

/// Sets a password in `ipmi_sim` and in the credential's file.
fn change_password(lab: &Lab, from: &str, to: &str) {
    let mut tool = lab.command_on("login", "ipmitool").unwrap();
    tool.args(["-I", "lanplus", "-C", "3", "-H", "10.2.2.1", "-U", "admin", "-P", from]);
    let done = tool.args(["user", "set", "password", "2", to, "16"]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let file = lab.directories().config().join("secrets/bmc-password");
    fs::write(file, format!("{to}\n")).unwrap();
}

#[test]
fn ip06_every_password_reaches_the_service_processor_as_it_is() {
    let Some(lab) = ipmi_lab(1) else { return };
    let mut before = "lab-bmc-password".to_owned();
    for password in
        [r#"a#b "c\d"#, r"\", r##""#"##, " ends blank ", "$(id)`id`'", r##"\"#\\"##, "{a,b}[1-2]"]
    {
        change_password(&lab, &before, password);
        for backend in BACKENDS {
            let status = with(&lab, &[backend], &["bmc", "status", "--ipmi", "exe0001"]);
            let status = status.ended_with(0);
            assert_eq!(status.row("exe0001")[1..], ["On", "ipmi"], "{password}: {status:#?}");
        }
        password.clone_into(&mut before);
    }
}

#[test]
fn ip09_the_password_is_in_no_argument_and_no_environment_and_nothing_is_left() {
    let Some(lab) = ipmi_lab(2) else { return };
    let everything = ["-f", "-s", "65535", "-v", "-e", "trace=execve,execveat", "-qq", "-o"];
    for transport in ["ssh.transport=libssh2", "ssh.transport=openssh"] {
        for backend in BACKENDS {
            // Everything that the host of the role starts, as the machine sees it.
            let here = lab.directories().run.join("remote.trace");
            let pid = sshd(&lab);
            let mut tracer = std::process::Command::new("strace");
            tracer.args(everything).arg(&here).args(["-p", &pid]);
            let mut tracer = tracer.stderr(Stdio::null()).spawn().unwrap();
            assert!(soon(|| is_traced(&pid)), "strace does not attach");
            // And everything that is started on the workstation.
            let there = lab.directories().run.join("local.trace");
            let reset = ["-y", "bmc", "power", "reset", "--ipmi", "exe1"];
            let mut traced = lab.workstation().command("strace");
            traced.args(everything).arg(&there).args(["timeout", "60"]).arg(program());
            traced.args(words(&[backend, transport], &reset)).stdin(Stdio::null());
            said(&mut traced).ended_with(0);
            let pid = rustix::process::Pid::from_raw(i32::try_from(tracer.id()).unwrap()).unwrap();
            rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
            tracer.wait().unwrap();
            let remote = fs::read_to_string(&here).unwrap();
            let local = fs::read_to_string(&there).unwrap();
            // They saw what they were to see.
            let tool = backend.rsplit('=').next().unwrap();
            assert!(remote.contains(&format!("{tool}\"")), "{remote}");
            assert!(remote.contains("/proc/self/fd/9"), "{remote}");
            assert!(local.contains("clusterctl\""), "{local}");
            assert_eq!(local.contains("bin/ssh\""), transport.ends_with("openssh"), "{local}");
            for trace in [&remote, &local] {
                assert!(!trace.contains("lab-bmc-password"), "{trace}");
            }
        }
    }
    no_file_is_left(&lab);
    // Ended in the middle by a signal that nobody can catch: there is still no file.
    lab.ipmi("exe0001").fail(Some(ChassisFault::Hang)).unwrap();
    let arguments = words(&BACKENDS[1..], &["-y", "bmc", "power", "reset", "--ipmi", "exe0001"]);
    let mut running = command(&lab, &arguments);
    let mut child = running.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    assert!(soon(|| lab.ipmi("exe0001").changes().unwrap().len() > 4));
    no_file_is_left(&lab);
    lab.service("login", "sshd", false).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    no_file_is_left(&lab);
}

/// The login host's ssh server, as the machine sees it.
fn sshd(lab: &Lab) -> String {
    let parent = lab.host("login").unwrap().pid.unwrap().to_string();
    let mut children = std::process::Command::new("pgrep");
    let found = children.args(["-P", &parent, "-x", "sshd"]).output().unwrap();
    String::from_utf8(found.stdout).unwrap().trim().to_owned()
}

fn is_traced(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("TracerPid:") && !line.ends_with("\t0"))
}

fn no_file_is_left(lab: &Lab) {
    for directory in ["/dev/shm", "/tmp", "/root"] {
        let path = lab.path_on("login", directory).unwrap();
        let names: Vec<_> = fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name()).collect();
        let ours = names.iter().any(|name| name.to_string_lossy().contains("clusterctl."));
        assert!(!ours, "{directory}: {names:?}");
    }
}
