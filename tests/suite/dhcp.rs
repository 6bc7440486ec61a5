//! What the DHCP configuration says of nodes, and what it does not say.

use std::fs;
use std::process::Stdio;

use lab::Lab;

use crate::harness::{Said, command, lab_or_skip, run, soon};

/// Writes one more file of declarations, which the main file includes.
fn declare(lab: &Lab, text: &str) {
    let path = |name: &str| lab.path_on("installer", &format!("/etc/dhcp/{name}")).unwrap();
    fs::write(path("hosts.d/more.conf"), text).unwrap();
    let main = fs::read_to_string(path("dhcpd.conf")).unwrap();
    let include = "include \"/etc/dhcp/hosts.d/more.conf\";\n";
    if !main.contains(include) {
        fs::write(path("dhcpd.conf"), main + include).unwrap();
    }
}

/// Changes the declarations of compute nodes.
fn change(lab: &Lab, from: &str, to: &str) {
    let path = lab.path_on("installer", "/etc/dhcp/hosts.d/exe.conf").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn dh01_dh02_dh08_only_a_nodes_own_declaration_gives_its_address() {
    let Some(lab) = lab_or_skip(3) else { return };
    declare(
        &lab,
        "# exe0002, exe0003: this board was theirs\n\
         host spare02 { hardware ethernet aa:bb:cc:ff:01:02; fixed-address 10.0.9.9; }\n\
         host exe0002-bmc.mgmt.hpc.example.org { hardware ethernet aa:bb:cc:ff:01:03; fixed-address 10.2.9.1; }\n\
         host exe0002_old { hardware ethernet aa:bb:cc:ff:01:04; fixed-address 10.0.9.2; }\n\
         host exe0002.mgmt.hpc.example.org { hardware ethernet aa:bb:cc:ff:01:05; fixed-address 10.2.9.3; }\n",
    );
    let hosts = run(&lab, &["dhcp", "hosts", "-n", "exe0002"]).ended_with(0);
    let kind = |declaration: &str| {
        let line = hosts.stdout.lines().find(|line| line.contains(&format!(" {declaration} ")));
        line.unwrap_or_default().split_whitespace().nth(2).unwrap_or_default().to_owned()
    };
    assert_eq!(kind("exe0002"), "name", "{hosts:#?}");
    assert_eq!(kind("spare02"), "comment", "{hosts:#?}");
    assert_eq!(kind("exe0002-bmc.mgmt.hpc.example.org"), "interface", "{hosts:#?}");
    let set = run(&lab, &["-y", "boot", "set", "-n", "exe[0002-0003]"]).ended_with(0);
    assert!(set.stderr.contains("exe0002 (10.0.2.2), exe0003 (10.0.2.3)"), "{set:#?}");
    let links = lab.links().unwrap();
    let clients: Vec<_> = links.keys().filter(|path| path.starts_with("10.")).collect();
    assert_eq!(clients, ["10.0.2.2", "10.0.2.3"]);
}

#[test]
fn nn07_nn08_what_is_not_one_address_of_one_node_refuses_the_whole_set() {
    let Some(lab) = lab_or_skip(6) else { return };
    change(&lab, "fixed-address 10.0.2.3;", "fixed-address exe0003.hpc.example.org;");
    change(&lab, "fixed-address 10.0.2.4;", "fixed-address 10.0.2.5;");
    change(&lab, "fixed-address 10.0.2.6;", "fixed-address 10.0.2.6, 10.0.9.6;");
    let before = lab.snapshot().unwrap();
    for (set, named) in [
        ("exe[0001,0003]", &["exe0003"][..]),
        ("exe[0001,0004]", &["exe0004", "exe0005"]),
        ("exe[0004-0005]", &["exe0004", "exe0005"]),
        ("exe[0001,0006]", &["exe0006"]),
    ] {
        for command in [&["boot", "set"][..], &["boot", "unset"], &["provision", "reinstall"]] {
            for dry in [&["-y"][..], &["--dry-run"]] {
                let said = run(&lab, &[dry, command, &["-n", set]].concat()).ended_with(2);
                assert!(said.stdout.is_empty(), "{command:?} {set}: {said:#?}");
                assert!(named.iter().all(|node| said.stderr.contains(node)), "{set}: {said:#?}");
            }
        }
    }
    assert_eq!(lab.snapshot().unwrap(), before);
}

#[test]
fn dh11_one_command_reads_the_configuration_exactly_once() {
    let Some(lab) = lab_or_skip(1) else { return };
    // A pipe that is filled once: whoever reads it twice waits for ever.
    let script = "cd /etc/dhcp && cp dhcpd.conf whole && rm dhcpd.conf && mkfifo dhcpd.conf && \
                  timeout 50 cat whole >dhcpd.conf";
    let mut filling = lab.command_on("installer", "sh").unwrap();
    let mut filling = filling.args(["-c", script]).stdin(Stdio::null()).spawn().unwrap();
    let said = run(&lab, &["-y", "provision", "reinstall", "-n", "exe0001"]).ended_with(0);
    assert_eq!(said.row("exe0001").last().unwrap(), "reinstalling");
    assert!(filling.wait().unwrap().success());
}

#[test]
fn w11_a_log_that_is_not_there_is_a_failure() {
    let Some(lab) = lab_or_skip(1) else { return };
    for (setting, noun) in [
        ("services.dhcp.logPath=/var/log/no such", "dhcp"),
        ("services.pxesrv.logPath=/nosuch", "boot"),
    ] {
        let said = run(&lab, &["--set", setting, noun, "log"]).ended_with(1);
        assert!(said.stdout.is_empty(), "{said:#?}");
        assert!(said.stderr.contains("No such file or directory"), "{said:#?}");
    }
    let touch = "services.pxesrv.logPath=/etc/hostname; touch /tmp/w11";
    run(&lab, &["--set", touch, "boot", "log"]).ended_with(1);
    assert!(!lab.path_on("installer", "/tmp/w11").unwrap().exists());
}

#[test]
fn nn10_a_log_whose_path_looks_like_a_command_is_one_file() {
    let Some(lab) = lab_or_skip(1) else { return };
    let logs = lab.path_on("installer", "/var/log/of the; touch nn10 $(touch nn10)").unwrap();
    fs::create_dir(&logs).unwrap();
    let line = "Dec  1 00:00:00 installer dhcpd[1]: DHCPACK on 10.0.2.1\n";
    fs::write(logs.join("a log"), line).unwrap();
    fs::write(lab.path_on("installer", "/var/log/of").unwrap(), "of another\n").unwrap();
    let path = "/var/log/of the; touch nn10 $(touch nn10)/a log";
    for (setting, noun) in [("dhcp", "dhcp"), ("pxesrv", "boot")] {
        let setting = format!("services.{setting}.logPath={path}");
        let said = run(&lab, &["--set", &setting, noun, "log"]).ended_with(0);
        assert_eq!(said.stdout, line, "{said:#?}");
    }
    for made in ["/nn10", "/root/nn10", "/var/log/nn10"] {
        assert!(!lab.path_on("installer", made).unwrap().exists(), "{made}");
    }
}

#[test]
fn a_configuration_that_cannot_be_read_refuses_with_its_place() {
    let Some(lab) = lab_or_skip(1) else { return };
    let before = lab.snapshot().unwrap();
    declare(&lab, "host broken { fixed-address 10.0.9.9\n}\ninclude \"/etc/dhcp/nosuch.conf\";\n");
    let said = run(&lab, &["-y", "boot", "set", "-n", "exe0001"]).ended_with(1);
    assert!(said.stdout.is_empty(), "{said:#?}");
    assert!(said.stderr.contains("/etc/dhcp/hosts.d/more.conf"), "{said:#?}");
    assert!(said.stderr.contains("No such file or directory"), "{said:#?}");
    assert_eq!(lab.snapshot().unwrap(), before);
}

#[test]
fn every_declaration_of_every_included_file_is_listed_and_sound() {
    let Some(lab) = lab_or_skip(3) else { return };
    let said = run(&lab, &["dhcp", "config"]).ended_with(0);
    let row = said.row("exe0002 ");
    assert_eq!(
        (row[1].as_str(), row.last().unwrap().contains("hosts.d/exe.conf:")),
        ("10.0.2.2", true)
    );
    assert!(said.stdout.ends_with(", 2 subnets, 4 files\n"), "{said:#?}");
    let json = run(
        &lab,
        &[
            "dhcp",
            "config",
            "-o",
            "jq=.hosts[] | select(.name == \"exe0002\") | .fixedAddresses[0]",
        ],
    );
    assert_eq!(json.ended_with(0).stdout, "10.0.2.2\n");
    let said = run(&lab, &["dhcp", "check"]).ended_with(0);
    assert!(said.stdout.starts_with("no findings: 4 files, "), "{said:#?}");
}

#[test]
fn what_the_server_would_refuse_or_misread_is_found_across_its_files() {
    let Some(lab) = lab_or_skip(2) else { return };
    declare(
        &lab,
        "host exe0001 { hardware ethernet aa:bb:cc:ff:01:09; fixed-address 10.0.2.2; }\n",
    );
    let said = run(&lab, &["dhcp", "check"]).ended_with(1);
    let place = "/etc/dhcp/hosts.d/more.conf:1:1";
    for line in ["2 hosts are named exe0001 [duplicate-host]", "10.0.2.2 [shared-address]"] {
        assert!(said.stdout.contains(line), "{line}: {said:#?}");
    }
    assert_eq!(said.stdout.matches(place).count(), 2, "{said:#?}");
    declare(&lab, "host broken { fixed-address 10.0.9.9\n}\ninclude \"/etc/dhcp/nosuch.conf\";\n");
    let said = run(&lab, &["dhcp", "check", "-o", "json"]).ended_with(1);
    for kind in ["syntax", "include"] {
        assert!(said.stdout.contains(&format!("\"kind\": \"{kind}\"")), "{kind}: {said:#?}");
    }
    lab.running("installer", false).unwrap();
    let said = run(&lab, &["--set", "ssh.connectTimeout=1s", "dhcp", "check"]).ended_with(3);
    assert!(said.stdout.is_empty(), "{said:#?}");
}

#[test]
fn packets_at_the_server_are_shown_as_they_come_and_end_in_time() {
    let Some(lab) = lab_or_skip(1) else { return };
    let arguments = ["dhcp", "capture", "-i", "eth0", "--seconds", "6"];
    let mut capture = command(&lab, &arguments);
    let capture = capture.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert!(soon(|| processes(&lab, "installer", "tcpdump")));
    // Its firmware asks for an address when it starts.
    lab.power("exe0001", false).unwrap();
    lab.power("exe0001", true).unwrap();
    let said = Said::of(&capture.wait_with_output().unwrap()).ended_with(0);
    assert!(said.stdout.contains("BOOTP/DHCP, Request"), "{said:#?}");
    assert!(said.stdout.contains("BOOTP/DHCP, Reply"), "{said:#?}");
    let count = said.stdout.lines().count();
    assert!(
        said.stderr.contains(&format!("{count} packets on eth0 of install in 6 seconds")),
        "{said:#?}"
    );
    let said = run(&lab, &["dhcp", "capture", "--seconds", "1", "-i", "nosuch0"]).ended_with(1);
    assert!(said.stdout.is_empty() && said.stderr.contains("nosuch0"), "{said:#?}");
    let said = run(&lab, &["dhcp", "capture", "--seconds", "1", "-i", "eth0", "-o", "json"]);
    let said = said.ended_with(0);
    assert!(said.stdout.contains("\"packets\": ["), "{said:#?}");
}

#[test]
fn nn11_the_server_itself_ends_a_capture_whoever_is_gone() {
    let Some(lab) = lab_or_skip(1) else { return };
    let mut capture = command(&lab, &["dhcp", "capture", "-i", "eth0", "--seconds", "3"]);
    let mut capture = capture.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    assert!(soon(|| processes(&lab, "installer", "tcpdump")));
    capture.kill().unwrap();
    capture.wait().unwrap();
    assert!(soon(|| !processes(&lab, "installer", "tcpdump")));
}

/// Whether a program runs on a host of the lab.
fn processes(lab: &Lab, host: &str, program: &str) -> bool {
    let mut pgrep = lab.command_on(host, "pgrep").unwrap();
    let found = pgrep.args(["-x", program]).stdout(Stdio::null()).status().unwrap();
    found.success()
}
