//! What service processors answer.

use std::process::Stdio;

use bmc_sim::{Answer, Effect, Fault};

use crate::harness::{lab_or_skip, run};

#[test]
fn w41_an_error_page_is_told_in_one_line_of_bounded_length() {
    let Some(lab) = lab_or_skip(2) else { return };
    let paragraph = "<p>\u{1b}[31mInternal\r\n error</p>\n".repeat(10_000);
    let page = Effect::Answer(Answer {
        status: 500,
        headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
        body: format!("<html><body>{paragraph}</body></html>"),
    });
    lab.bmc("exe0001").add_fault(Fault::new(page)).unwrap();
    let said = run(&lab, &["bmc", "status", "exe[0001-0002]"]).ended_with(1);
    // Both rows, the head, and no more: the page is no part of the table.
    assert_eq!(said.stdout.lines().count(), 3, "{said:#?}");
    assert_eq!(said.row("exe0002")[1], "On", "{said:#?}");
    let told = format!("{}{}", said.stdout, said.stderr);
    assert!(told.contains("500") && told.len() < 2_000, "{told}");
    assert!(!told.contains('\u{1b}') && !told.contains('\r'), "{told:?}");
}

#[test]
fn any_resource_is_read_as_an_object_by_node() {
    let Some(lab) = lab_or_skip(2) else { return };
    lab.bmc("exe0002").reachable(false).unwrap();
    let get = ["bmc", "redfish", "get", "/redfish/v1/Systems", "exe[0001-0002]"];
    let quick = ["--set", "bmc.redfish.timeout=1s"];
    let said = run(&lab, &[&quick[..], &get].concat()).ended_with(3);
    let json: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(json["exe0001"]["Members"].as_array().unwrap().len(), 1, "{said:#?}");
    assert!(json["exe0002"]["error"].is_string(), "{said:#?}");
    for path in ["Systems", "/etc/passwd", "/redfish/v1/../../x", "https://else/redfish/v1"] {
        run(&lab, &["bmc", "redfish", "get", path, "exe0001"]).ended_with(2);
    }
    let said = run(&lab, &["bmc", "redfish", "info", "exe0001", "-o", "wide"]).ended_with(0);
    assert!(
        said.stdout.contains("RESET TYPES") && said.stdout.contains("ForceRestart"),
        "{said:#?}"
    );
    assert_eq!(said.row("exe0001")[1..3], ["On", "OK"], "{said:#?}");
}

#[test]
fn sc10_an_action_that_may_be_a_power_button_asks_slurm_first() {
    let Some(lab) = lab_or_skip(2) else { return };
    let job = lab.slurm().run_job("exe0002").unwrap();
    let system = run(&lab, &["bmc", "redfish", "info", "exe0002", "-o", "jq=.[].system"]);
    let system = system.ended_with(0).stdout.trim().to_owned();
    let reset = format!("{system}/Actions/ComputerSystem.Reset");
    lab.bmc("exe0002").forget_requests().unwrap();
    for path in [&reset, &format!("{system}/Actions/Oem/Hpe/HpeComputerSystemExt.PowerButton")] {
        for mood in ["-y", "--dry-run"] {
            let post = [mood, "bmc", "redfish", "post", path, "{}", "exe[0001-0002]"];
            let said = run(&lab, &post).ended_with(2);
            assert!(said.stderr.contains("exe0002"), "{said:#?}");
        }
    }
    assert!(lab.bmc("exe0002").requests().unwrap().is_empty());
    let body = r#"{"ResetType": "ForceOff"}"#;
    let dry = ["--dry-run", "bmc", "redfish", "post", &reset, body, "exe0002", "--lose-jobs"];
    let said = run(&lab, &dry).ended_with(0);
    assert!(said.stdout.contains("Would post") && said.stdout.contains("ForceOff"), "{said:#?}");
    assert!(lab.bmc("exe0002").requests().unwrap().is_empty());
    let post = ["-y", "bmc", "redfish", "post", &reset, body, "exe0002", "--lose-jobs"];
    let said = run(&lab, &post).ended_with(0);
    let json: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(json["exe0002"]["result"], "done", "{said:#?}");
    assert!(crate::harness::soon(|| !lab.node("exe0002").unwrap().power));
    for body in ["", "[]", "{"] {
        run(&lab, &["-y", "bmc", "redfish", "post", &reset, body, "exe0001"]).ended_with(2);
    }
    lab.slurm().cancel(job, "exe0002").ok();
}

#[test]
fn w02_a_rehearsal_without_a_credential_is_refused_as_the_real_run_is() {
    let Some(lab) = lab_or_skip(1) else { return };
    let post = ["bmc", "redfish", "post", "/redfish/v1/Systems/1/Actions/X.Y", "{}", "exe0001"];
    for mood in ["-y", "--dry-run"] {
        let none = ["--set", "bmc.credential=nosuch", mood];
        let said = run(&lab, &[&none[..], &post].concat()).ended_with(2);
        assert!(said.stderr.contains("nosuch"), "{said:#?}");
    }
}

#[test]
fn sg15_a_certificate_is_forgotten_by_node_or_by_the_name_in_the_message() {
    let Some(lab) = lab_or_skip(3) else { return };
    run(&lab, &["bmc", "status", "exe[0001-0003]"]).ended_with(0);
    let again = |node: &str| {
        run(&lab, &["bmc", "status", node]).ended_with(0).stderr.contains("first contact")
    };
    let said = run(&lab, &["-y", "bmc", "forget", "exe1"]).ended_with(0);
    let row = said.row("exe0001");
    assert_eq!((row[1].as_str(), row[3].as_str()), ("exe0001.mgmt.hpc.example.org", "forgotten"));
    assert!(row[2].starts_with("sha256:") && said.stderr.contains(&row[2]), "{said:#?}");
    assert!(again("exe0001") && !again("exe0002"));
    let host = "exe0002.mgmt.hpc.example.org";
    run(&lab, &["--dry-run", "bmc", "forget", host]).ended_with(0);
    assert!(!again("exe0002"));
    run(&lab, &["-y", "bmc", "forget", host]).ended_with(0);
    let said = run(&lab, &["-y", "bmc", "forget", "exe0002"]).ended_with(1);
    assert!(said.stderr.contains("nothing was removed") && said.stdout.is_empty(), "{said:#?}");
    assert!(again("exe0002"));
    let said = run(&lab, &["-y", "bmc", "forget", "-n", "exe[0001-0002]"]).ended_with(0);
    assert_eq!(said.stdout.matches("forgotten").count(), 2, "{said:#?}");
    run(&lab, &["-y", "bmc", "forget"]).ended_with(2);
    run(&lab, &["-y", "bmc", "forget", "exe!"]).ended_with(2);
}

#[test]
fn w04_nodes_and_names_are_not_given_at_once() {
    let Some(lab) = lab_or_skip(1) else { return };
    run(&lab, &["bmc", "status", "exe0001"]).ended_with(0);
    let forget = ["-y", "bmc", "forget", "-n", "exe0001", "exe0001.mgmt.hpc.example.org"];
    run(&lab, &forget).ended_with(2);
    let said = run(&lab, &["bmc", "status", "exe0001"]).ended_with(0);
    assert!(!said.stderr.contains("first contact"), "{said:#?}");
}

#[test]
fn pages_are_shown_and_opened_in_the_browser_that_is_configured() {
    let Some(lab) = lab_or_skip(1) else { return };
    let url = "https://exe0001.mgmt.hpc.example.org/";
    let said = run(&lab, &["bmc", "web", "exe0001"]).ended_with(0);
    assert_eq!(said.stdout, format!("{url}\n"));
    assert!(said.stderr.contains("no browser is configured"), "{said:#?}");
    let said = crate::harness::said(
        crate::harness::bounded(&lab, &["bmc", "web", "exe0001"])
            .env("CLUSTERCTL_BROWSER", "/nosuch/browser"),
    );
    assert_eq!(said.ended_with(1).stdout, format!("{url}\n"));
}

#[test]
fn the_firmwares_mode_is_set_where_it_is_asked_for() {
    let Some(lab) = lab_or_skip(1) else { return };
    let set = ["-y", "bmc", "boot", "set", "Pxe", "exe0001", "--mode", "legacy"];
    let said = run(&lab, &set).ended_with(0);
    assert!(said.stderr.contains("once, as Legacy"), "{said:#?}");
    let sent = lab.bmc("exe0001").requests().unwrap();
    let patch = sent.iter().find(|request| request.method == "PATCH").unwrap();
    assert!(format!("{patch:?}").contains("Legacy"), "{patch:?}");
    run(&lab, &["-y", "bmc", "boot", "set", "Pxe", "exe0001", "--mode", "efi"]).ended_with(2);
    let said = run(&lab, &["-y", "bmc", "boot", "set", "Floppy9", "exe0001"]).ended_with(1);
    assert!(said.stderr.contains("Pxe"), "the list is shown: {said:#?}");
}

#[test]
fn a_ping_needs_no_credential_and_tells_who_is_silent() {
    let Some(lab) = lab_or_skip(3) else { return };
    lab.bmc("exe0002").listening(false).unwrap();
    let said = run(&lab, &["bmc", "ping", "exe[0001-0003]"]).ended_with(1);
    assert_eq!(said.row("exe0001")[1..3], ["exe0001.mgmt.hpc.example.org", "alive"], "{said:#?}");
    assert_eq!(said.row("exe0002")[2], "no answer", "{said:#?}");
    assert!(said.stdout.ends_with("2 of 3 answered\n"), "{said:#?}");
    let shown = || format!("{:?}", lab.bmc("exe0001").requests().unwrap()).to_lowercase();
    assert!(!shown().contains("auth: basic"), "{}", shown());
    run(&lab, &["bmc", "status", "exe0001"]).ended_with(0);
    assert!(shown().contains("auth: basic"), "{}", shown());
    lab.bmc("exe0002").listening(true).unwrap();
    run(&lab, &["bmc", "ping", "exe[0001-0003]"]).ended_with(0);
}

#[test]
fn a_doctor_says_what_would_be_sent_and_sends_none_of_it() {
    let Some(lab) = lab_or_skip(1) else { return };
    let said = run(&lab, &["bmc", "doctor", "exe0001"]).ended_with(0);
    for line in [
        "boot set Pxe",
        "PATCH /redfish/v1/Systems/",
        "power reset",
        "ComputerSystem.Reset",
        "nothing to do",
    ] {
        assert!(said.stdout.contains(line), "{line}: {said:#?}");
    }
    let requests = lab.bmc("exe0001").requests().unwrap();
    assert!(requests.iter().all(|request| request.method == "GET"), "{requests:#?}");
}

#[test]
fn the_lamp_is_switched_read_back_and_shown() {
    let Some(lab) = lab_or_skip(2) else { return };
    let said = run(&lab, &["-y", "bmc", "led", "blink", "exe[0001-0002]"]).ended_with(0);
    assert_eq!(said.row("exe0002")[1], "blinking", "{said:#?}");
    let said = run(&lab, &["bmc", "led", "status", "exe[0001-0002]"]).ended_with(0);
    assert_eq!(said.row("exe0001")[1], "blinking", "{said:#?}");
    lab.bmc("exe0001").forget_requests().unwrap();
    let said = run(&lab, &["--dry-run", "bmc", "led", "off", "exe0001"]).ended_with(0);
    assert!(said.stdout.contains("Would switch the LED to off at 1 host: exe0001"), "{said:#?}");
    assert!(lab.bmc("exe0001").requests().unwrap().is_empty());
    run(&lab, &["-y", "bmc", "led", "off", "exe0001"]).ended_with(0);
    let said = run(&lab, &["bmc", "led", "status", "exe[0001-0002]"]).ended_with(0);
    assert_eq!(
        (said.row("exe0001")[1].as_str(), said.row("exe0002")[1].as_str()),
        ("off", "blinking")
    );
    run(&lab, &["-y", "bmc", "led", "flash", "exe0001"]).ended_with(2);
    let protected = run(&lab, &["-y", "bmc", "led", "on", "wlm01"]).ended_with(2);
    assert!(protected.stderr.contains("protected"), "{protected:#?}");
}

#[test]
fn the_event_log_is_listed_and_cleared_and_no_other() {
    let Some(lab) = lab_or_skip(2) else { return };
    run(&lab, &["-y", "bmc", "power", "off", "exe0001", "--verify"]).ended_with(0);
    let said = run(&lab, &["bmc", "events", "list", "exe0001"]).ended_with(0);
    let before = said.stdout.lines().count();
    assert!(before > 2 && said.stdout.starts_with("NODE"), "{said:#?}");
    let said = run(&lab, &["bmc", "events", "list", "exe0001", "--most", "1"]).ended_with(0);
    assert!(said.stderr.contains("exe0001 has more entries"), "{said:#?}");
    let said = run(&lab, &["-y", "bmc", "events", "clear", "exe0001"]).ended_with(0);
    assert!(said.stderr.contains("its entries are lost"), "{said:#?}");
    assert_eq!(said.row("exe0001")[1], "cleared", "{said:#?}");
    let said = run(&lab, &["bmc", "events", "list", "exe0001", "-o", "json"]).ended_with(0);
    let json: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert!(json["exe0001"]["items"].as_array().unwrap().len() + 1 < before, "{said:#?}");
    let cleared: Vec<_> = lab.bmc("exe0001").requests().unwrap();
    let posts = cleared.iter().filter(|r| r.target.ends_with("LogService.ClearLog")).count();
    assert_eq!(posts, 1, "{cleared:#?}");
}

#[test]
fn sensors_and_firmware_have_a_row_each_and_nodes_that_fail_have_theirs() {
    let Some(lab) = lab_or_skip(2) else { return };
    lab.bmc("exe0002").listening(false).unwrap();
    let said = run(&lab, &["bmc", "sensors", "exe[0001-0002]"]).ended_with(3);
    let rows = |node: &str| said.stdout.lines().filter(|line| line.starts_with(node)).count();
    assert!(rows("exe0001") > 3 && rows("exe0002") == 1, "{said:#?}");
    assert!(said.stdout.contains("RPM") && said.row("exe0002")[1] == "unreachable", "{said:#?}");
    let said = run(&lab, &["bmc", "sensors", "exe0001", "--unhealthy"]).ended_with(0);
    assert_eq!(said.row("exe0001")[1], "none", "{said:#?}");
    let said = run(&lab, &["bmc", "firmware", "exe0001"]).ended_with(0);
    assert!(said.stdout.contains("1.0.0"), "{said:#?}");
}

#[test]
fn an_image_is_inserted_shown_and_ejected() {
    let Some(lab) = lab_or_skip(1) else { return };
    let image = "https://images.hpc.example.org/rescue.iso";
    let said = run(&lab, &["-y", "bmc", "media", "insert", image, "exe0001"]).ended_with(0);
    assert!(said.stderr.contains(&format!("insert {image} at 1 host: exe0001")), "{said:#?}");
    let said = run(&lab, &["bmc", "media", "status", "exe0001"]).ended_with(0);
    assert!(said.stdout.lines().any(|l| l.contains("yes") && l.contains(image)), "{said:#?}");
    run(&lab, &["-y", "bmc", "media", "eject", "exe0001"]).ended_with(0);
    let said = run(&lab, &["bmc", "media", "status", "exe0001"]).ended_with(0);
    assert!(!said.stdout.contains(image), "{said:#?}");
    for image in ["rescue.iso", "://x", "https://a b", ""] {
        run(&lab, &["-y", "bmc", "media", "insert", image, "exe0001"]).ended_with(2);
    }
    run(&lab, &["-y", "bmc", "media", "insert", image, "exe0001", "--slot", "nosuch"])
        .ended_with(1);
}

#[test]
fn what_has_answered_is_shown_while_a_silent_one_is_waited_for() {
    use std::io::BufRead as _;
    let Some(lab) = lab_or_skip(4) else { return };
    lab.bmc("exe0002").hanging(true).unwrap();
    let mut status = crate::harness::command(
        &lab,
        &["--set", "bmc.redfish.timeout=8s", "bmc", "status", "exe[0001-0004]"],
    );
    let mut status = status.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = std::io::BufReader::new(status.stdout.take().unwrap()).lines();
    let shown: Vec<String> = lines.by_ref().take(4).map(Result::unwrap).collect();
    // The rest is there, and the run goes on.
    assert!(status.try_wait().unwrap().is_none(), "{shown:?}");
    let first: Vec<_> = shown.iter().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(first, ["NODE", "exe0001", "exe0003", "exe0004"]);
    lab.bmc("exe0002").hanging(false).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(rest[0].starts_with("exe0002"), "{rest:?}");
    status.wait().unwrap();
    // A program that reads gets everything in order.
    let said = run(&lab, &["bmc", "status", "exe[0001-0004]", "-o", "name"]).ended_with(0);
    assert_eq!(said.stdout, "exe0001\nexe0002\nexe0003\nexe0004\n");
}

#[test]
fn authorities_vouch_in_place_of_fingerprints_and_nothing_vouches_only_on_demand() {
    let Some(lab) = lab_or_skip(2) else { return };
    let Some(python) = std::env::var_os("LAB_PYTHON") else {
        assert!(std::env::var_os("CI").is_none(), "LAB_PYTHON is not set");
        return eprintln!("skipped: LAB_PYTHON is not set");
    };
    let certificate =
        "import ssl; print(ssl.get_server_certificate(('exe0001.mgmt.hpc.example.org', 443)))";
    let shown = crate::harness::said(lab.workstation().command(python).args(["-c", certificate]));
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("bmc-ca.pem");
    std::fs::write(&bundle, shown.ended_with(0).stdout).unwrap();
    let set = format!("bmc.redfish.caBundle={}", bundle.display());
    let said = run(&lab, &["--set", &set, "bmc", "status", "exe[0001-0002]"]).ended_with(3);
    assert_eq!(
        (said.row("exe0001")[1].as_str(), said.row("exe0002")[1].as_str()),
        ("On", "not trusted")
    );
    assert!(!said.stderr.contains("first contact"), "{said:#?}");
    std::fs::write(&bundle, "nothing\n").unwrap();
    for path in [set.as_str(), "bmc.redfish.caBundle=/nosuch/ca.pem"] {
        lab.bmc("exe0001").forget_requests().unwrap();
        for words in
            [&["bmc", "status", "exe0001"][..], &["-y", "bmc", "power", "reset", "exe0001"]]
        {
            let said = run(&lab, &[&["--set", path], words].concat()).ended_with(2);
            assert!(said.stderr.contains("bmc.redfish.caBundle"), "{said:#?}");
        }
        assert!(lab.bmc("exe0001").requests().unwrap().is_empty());
    }
    let insecure = ["--set", "bmc.redfish.insecure=true", "bmc", "status", "exe[0001-0002]"];
    let said = run(&lab, &insecure).ended_with(0);
    assert!(said.stderr.contains("are not checked"), "{said:#?}");
    // Nothing was recorded by any of these.
    let said = run(&lab, &["bmc", "status", "exe[0001-0002]"]).ended_with(0);
    assert_eq!(said.stderr.matches("first contact").count(), 2, "{said:#?}");
    let both = ["--set", "bmc.redfish.insecure=true", "--set", &set, "bmc", "status", "exe0001"];
    run(&lab, &both).ended_with(2);
}
