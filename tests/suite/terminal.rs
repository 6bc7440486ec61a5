//! Questions, at a real terminal.

use std::io::{Read as _, Write as _};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bmc_sim::{Effect, Fault};
use lab::Lab;

use crate::harness::{lab_or_skip, program, run, soon};

/// The program at a pseudoterminal of its own, kept by script(1).
struct Terminal {
    script: Child,
    shown: Arc<Mutex<String>>,
}

impl Terminal {
    fn run(lab: &Lab, arguments: &str) -> Terminal {
        let line = format!("{} {arguments}", program().display());
        let mut script = lab.workstation().command("timeout");
        script.args(["--signal=KILL", "60", "script", "-qefc", &line, "/dev/null"]);
        let mut script = script
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let shown = Arc::new(Mutex::new(String::new()));
        let (mut output, kept) = (script.stdout.take().unwrap(), Arc::clone(&shown));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut bytes) {
                kept.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..length]));
            }
        });
        Terminal { script, shown }
    }

    fn shown(&self) -> String {
        self.shown.lock().unwrap().replace('\r', "")
    }

    #[track_caller]
    fn wait_for(&self, text: &str) {
        assert!(soon(|| self.shown().contains(text)), "no {text:?} in {:?}", self.shown());
    }

    fn press(&mut self, keys: &str) {
        let mut keyboard = self.script.stdin.as_ref().unwrap();
        keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// The exit code, and everything that was shown.
    #[track_caller]
    fn ended_with(mut self, code: i32) -> String {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.script.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not end: {}", self.shown());
            std::thread::sleep(Duration::from_millis(10));
        };
        assert_eq!(status.code(), Some(code), "{}", self.shown());
        self.shown()
    }
}

const QUESTION: &str = "Continue? [y/N] ";
const ONE: &str = "boot set -n exe0001";

#[test]
fn a_question_is_answered_by_y_and_by_nothing_else() {
    let Some(lab) = lab_or_skip(2) else { return };
    let before = lab.snapshot().unwrap();
    for answer in ["n\n", "\n", "1\n", "yy\n", "\x04"] {
        let mut terminal = Terminal::run(&lab, ONE);
        terminal.wait_for(QUESTION);
        terminal.press(answer);
        let shown = terminal.ended_with(130);
        assert!(shown.contains("not confirmed; nothing was changed"), "{answer:?}: {shown}");
        assert_eq!(lab.snapshot().unwrap(), before, "{answer:?}");
    }
    let mut terminal = Terminal::run(&lab, ONE);
    terminal.wait_for(QUESTION);
    let preview = "About to set the network boot configuration of 1 host: exe0001\n";
    assert!(terminal.shown().contains(preview), "{}", terminal.shown());
    // DH-02
    assert!(terminal.shown().contains("exe0001 (10.0.2.1)"), "{}", terminal.shown());
    terminal.press("y\n");
    terminal.ended_with(0);
    assert_eq!(lab.links().unwrap().len(), before.links.len() + 1);
}

#[test]
fn above_the_bound_the_number_of_hosts_is_typed() {
    let Some(lab) = lab_or_skip(3) else { return };
    let before = lab.snapshot().unwrap();
    let arguments = "--set safety.confirmAbove=2 boot set -n 'exe[0001-0003]'";
    let question = "Type the number of hosts (3) to continue: ";
    for answer in ["y\n", "2\n", "\n"] {
        let mut terminal = Terminal::run(&lab, arguments);
        terminal.wait_for(question);
        terminal.press(answer);
        terminal.ended_with(130);
        assert_eq!(lab.snapshot().unwrap(), before, "{answer:?}");
    }
    // SG-18: with zero, for one host as well.
    let mut terminal = Terminal::run(&lab, &format!("--set safety.confirmAbove=0 {ONE}"));
    terminal.wait_for("Type the number of hosts (1) to continue: ");
    terminal.press("y\n");
    terminal.ended_with(130);
    assert_eq!(lab.snapshot().unwrap(), before);
    let mut terminal = Terminal::run(&lab, arguments);
    terminal.wait_for(question);
    terminal.press("3\n");
    terminal.ended_with(0);
    assert_eq!(lab.links().unwrap().len(), before.links.len() + 3);
}

#[test]
fn ex08_ctrl_c_at_a_question_is_130_within_a_second() {
    let Some(lab) = lab_or_skip(1) else { return };
    let before = lab.snapshot().unwrap();
    for (arguments, waiting) in [
        (ONE, QUESTION),
        ("provision reinstall -n exe0001", QUESTION),
        ("exec exe0001 --confirm -- touch /tmp/touched", QUESTION),
        ("exec exe0001 --stdin -- tee /tmp/touched", ""),
    ] {
        let mut terminal = Terminal::run(&lab, arguments);
        if waiting.is_empty() {
            // Nothing is shown while standard input is read.
            std::thread::sleep(Duration::from_millis(500));
        }
        terminal.wait_for(waiting);
        let begun = Instant::now();
        terminal.press("\x03");
        terminal.ended_with(130);
        assert!(begun.elapsed() < Duration::from_secs(1), "{arguments}: {:?}", begun.elapsed());
    }
    assert!(!lab.path_on("exe0001", "/tmp/touched").unwrap().exists());
    assert_eq!(lab.snapshot().unwrap(), before);
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let Some(lab) = lab_or_skip(1) else { return };
    // A change that is under way is waited for a while; a question would end at the first.
    let bmc = lab.bmc("exe0001");
    let late = Effect::DelayReply(Duration::from_secs(10));
    bmc.add_fault(Fault::new(late).on("POST", "*Reset*")).unwrap();
    let mut terminal = Terminal::run(&lab, "-y bmc power off -n exe0001");
    let is_sent = || bmc.requests().unwrap().iter().any(|request| request.method == "POST");
    assert!(soon(is_sent), "{}", terminal.shown());
    let begun = Instant::now();
    terminal.press("\x03");
    std::thread::sleep(Duration::from_millis(100));
    terminal.press("\x03");
    terminal.ended_with(130);
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}

#[test]
fn ex11_without_a_terminal_every_change_needs_yes() {
    let Some(lab) = lab_or_skip(1) else { return };
    let before = lab.snapshot().unwrap();
    for arguments in [
        &["boot", "set", "-n", "exe0001"][..],
        &["boot", "unset", "-n", "exe0001"],
        &["bmc", "boot", "set", "Pxe", "-n", "exe0001"],
        &["bmc", "boot", "unset", "-n", "exe0001"],
        &["bmc", "power", "off", "-n", "exe0001"],
        &["provision", "reinstall", "-n", "exe0001"],
        &["hostkey", "refresh", "-n", "exe0001"],
        &["hostkey", "remove", "-n", "exe0001"],
        &["slurm", "node", "drain", "why", "-n", "exe0001"],
        &["slurm", "node", "resume", "-n", "exe0001"],
        &["exec", "exe0001", "--confirm", "--", "true"],
    ] {
        let said = run(&lab, arguments).ended_with(2);
        assert!(
            said.stdout.is_empty() && said.stderr.contains("--yes"),
            "{arguments:?}: {said:#?}"
        );
    }
    assert_eq!(lab.snapshot().unwrap(), before);
    assert_eq!(lab.slurm().state("exe0001").unwrap(), "idle");
}
