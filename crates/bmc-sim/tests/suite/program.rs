//! The program itself, as a stranger starts it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::client::{Client, PASSWORD, SYSTEM, USER};

struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    addresses: Vec<SocketAddr>,
}

impl Program {
    /// Started, and ready.
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bmc-sim"))
            .args(["--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut program = Self { child, stdin, stdout, addresses: Vec::new() };
        program.addresses = program
            .lines_until("ready")
            .iter()
            .map(|line| {
                let url = line.split(' ').nth(1).unwrap();
                url.trim_start_matches("https://").split('/').next().unwrap().parse().unwrap()
            })
            .collect();
        program
    }

    fn lines_until(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.stdout.read_line(&mut line).unwrap(), 0, "ended after {lines:?}");
            if line.trim() == last {
                return lines;
            }
            lines.push(line.trim().to_owned());
        }
    }

    /// What a line on its standard input is answered with.
    fn say(&mut self, line: &str) -> Vec<Value> {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
        let lines = self.lines_until("done");
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn client(&self, number: usize) -> Client {
        Client::new(self.addresses[number - 1]).with_basic(USER, PASSWORD)
    }

    /// Ends standard input; the status, and what was complained of.
    fn finish(mut self) -> (bool, String) {
        self.stdin = None;
        let status = self.child.wait().unwrap();
        let complaints = std::io::read_to_string(self.child.stderr.take().unwrap()).unwrap();
        (status.success(), complaints)
    }
}

fn output(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_bmc-sim")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn bmcs_of_one_process_have_state_and_certificates_of_their_own() {
    let mut program = Program::start(&["--count", "3", "--power", "off"]);
    assert_eq!(program.client(2).reset("On").status, 204);
    let powers: Vec<Value> = program
        .say("state")
        .iter()
        .map(|state| state.pointer("/systems/0/power").unwrap().clone())
        .collect();
    assert_eq!(powers, [json!("Off"), json!("On"), json!("Off")]);
    let certificates: Vec<_> = (1..=3).map(|number| program.client(number).certificate()).collect();
    assert!(certificates[0] != certificates[1] && certificates[1] != certificates[2]);
    assert_eq!(program.finish(), (true, String::new()));
}

#[test]
fn faults_are_scripted_on_the_command_line_and_while_it_runs() {
    let mut program = Program::start(&[
        "--count",
        "2",
        "--fault",
        "2: 401",
        "--fault",
        "503 on PATCH /redfish/v1/Systems/* times 1",
    ]);
    assert_eq!(program.client(1).get(SYSTEM).status, 200);
    assert_eq!(program.client(2).get(SYSTEM).status, 401);
    let change = json!({"AssetTag": "x"});
    assert_eq!(program.client(1).patch(SYSTEM, &change).status, 503);
    assert_eq!(program.client(1).patch(SYSTEM, &change).status, 200);

    program.say("fault 1: lose on POST */ComputerSystem.Reset");
    let body = r#"{"ResetType": "ForceOff"}"#;
    let lost = program.client(1).send("POST", crate::client::RESET, body);
    assert!(lost.is_err());
    assert_eq!(program.say("state")[0].pointer("/systems/0/power"), Some(&json!("Off")));

    program.say("fault 2: closed");
    assert!(program.client(2).send("GET", SYSTEM, "").is_err());
    program.say("clear");
    assert_eq!(program.client(2).get(SYSTEM).status, 200);
    let asked = program.say("requests");
    assert!(asked.iter().any(|line| line["bmc"] == 2 && line["request"]["status"] == 401));
    assert_eq!(program.finish().1, "");
}

#[test]
fn a_make_brings_its_rules_and_one_can_be_taken_away() {
    let change = json!({"AssetTag": "x"});
    let lenovo = Program::start(&["--make", "lenovo-xcc"]);
    assert_eq!(lenovo.client(1).patch(SYSTEM, &change).status, 428);
    let without = ["--make", "lenovo-xcc", "--without-rule", "if-match-is-required"];
    assert_eq!(Program::start(&without).client(1).patch(SYSTEM, &change).status, 200);
    let with = Program::start(&["--rule", "tags-are-numbers"]);
    assert!(with.client(1).get(SYSTEM).json()["@odata.etag"].is_u64());
}

#[test]
fn a_line_that_is_not_understood_is_told_and_changes_nothing() {
    let mut program = Program::start(&[]);
    writeln!(program.stdin.as_mut().unwrap(), "explode\nfault hang").unwrap();
    assert_eq!(program.say("state").len(), 1);
    let (success, told) = program.finish();
    assert!(success);
    assert!(told.contains("\"explode\" is none of: fault FAULT, clear, state, requests"), "{told}");
    assert!(told.contains("\"hang\" is no effect") && told.contains("closed, silent"), "{told}");
}

#[test]
fn a_command_line_that_is_not_understood_ends_with_2_and_says_why() {
    for (arguments, message) in [
        (&["--cuont", "3"][..], "unknown option --cuont"),
        (&["--count"], "--count needs a value"),
        (&["--count", "many"], "--count does not take \"many\""),
        (&["--make", "acme"], "no make \"acme\"; --makes lists them"),
        (&["--latency", "2"], "\"2\" is not a time"),
        (&["--fault", "9: hang"], "\"hang\" is no effect"),
        (&["--account", "nobody"], "--account takes USER:PASSWORD"),
        (&["--cert", "x.pem"], "--cert and --key belong together"),
        (&["a.json", "b.json"], "one recording, not b.json too"),
    ] {
        let (code, out, told) = output(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(told.contains(message) && told.contains("--help says more"), "{told}");
    }
}

#[test]
fn what_cannot_be_served_ends_with_1() {
    for (arguments, message) in [
        (&["nowhere.json"][..], "cannot read the recording nowhere.json: No such file"),
        (&["--rule", "no-such-rule"], "no vendor rule no-such-rule"),
        (&["--listen", "203.0.113.1:1"], "listening on 203.0.113.1:1"),
        (&["--listen", "127.0.0.1:65535", "--count", "2"], "no room for 2 BMCs there"),
        (&["--cert", "nowhere.pem", "--key", "nowhere.pem"], "nowhere.pem: No such file"),
    ] {
        let (code, _, told) = output(arguments);
        assert_eq!(code, 1, "{arguments:?}: {told}");
        assert!(told.contains(message), "{told}");
    }
}

#[test]
fn help_names_every_option_effect_and_line_and_lists_makes_and_rules() {
    let (code, help, _) = output(&["--help"]);
    assert_eq!(code, 0);
    for word in ["--listen", "--spread", "--fault", "truncate", "closed", "requests", "--detached"]
    {
        assert!(help.contains(word), "{word}");
    }
    let makes = output(&["--makes"]).1;
    assert!(makes.lines().any(|line| line == "idrac10"));
    let rules = output(&["--rules"]).1;
    for row in bmc_sim::vendor_rules() {
        assert!(rules.contains(row.name) && rules.contains(row.source), "{}", row.name);
    }
}

#[test]
fn a_thousand_bmcs_listen_on_addresses_of_their_own() {
    // The range of the loopback network is this process's own.
    let second = 128 + std::process::id() % 64;
    let listen = format!("127.{second}.7.1:8443");
    let mut program =
        Program::start(&["--count", "1000", "--spread", "addresses", "--listen", &listen]);
    assert_eq!(program.addresses.len(), 1000);
    let last = program.client(1000).get(SYSTEM);
    assert_eq!(
        (last.status, program.addresses[999].ip().to_string()),
        (200, format!("127.{second}.10.232"))
    );
    assert_eq!(program.say("state").len(), 1000);
    assert!(program.finish().0);
}
