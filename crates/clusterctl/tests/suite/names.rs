//! Node names are host names; nothing else reaches a command line, a URL or a script.

use std::io::ErrorKind;
use std::net::TcpListener;

use crate::workplace::{INVENTORY, SITE, Workplace};

/// Every command that takes nodes, with `NODES` where they stand.
const COMMANDS: &[&str] = &[
    "provision reinstall NODES",
    "provision status NODES",
    "boot status NODES",
    "boot set NODES /srv/x",
    "boot unset NODES",
    "bmc status NODES",
    "bmc power off NODES",
    "bmc power status NODES",
    "bmc boot show NODES",
    "bmc boot set Pxe NODES",
    "bmc boot unset NODES",
    "dhcp hosts NODES",
    "slurm node list NODES",
    "slurm node drain reason NODES",
    "slurm node resume NODES",
    "node select NODES",
    "node list NODES",
    "node fqdn NODES",
    "node describe NODES",
    "node groups NODES",
    "hostkey scan NODES",
    "hostkey verify NODES",
    "hostkey refresh NODES",
    "hostkey remove NODES",
    "exec NODES -- true",
];

/// The words of a command with the nodes as an argument.
pub(crate) fn with_argument<'a>(command: &'a str, nodes: &'a str) -> Vec<&'a str> {
    command.split(' ').map(|word| if word == "NODES" { nodes } else { word }).collect()
}

/// The words of a command with the nodes behind a flag; `None` for commands of one node.
fn with_flag<'a>(command: &'a str, nodes: &'a str) -> Option<Vec<&'a str>> {
    if command.starts_with("node describe") || command.starts_with("node groups") {
        return None;
    }
    let mut words = vec!["-n", nodes];
    words.extend(command.split(' ').filter(|word| *word != "NODES"));
    Some(words)
}

/// Every command that takes a node set or one node.
pub(crate) fn commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().copied()
}

#[test]
fn a_name_that_looks_like_an_option_starts_nothing() {
    let place = Workplace::new();
    let (program, mark) = place.trap();
    let openssh =
        format!("knownHostsFile: known_hosts, transport: openssh, binary: {}", program.display());
    place.site(&SITE.replace("knownHostsFile: known_hosts", &openssh));
    place.write(
        "known_hosts",
        "* ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3pUGo2bD2nHHqKFrx0dBXDnqzDKRqvKvXhGJbVz9nB\n",
    );
    // The trap works: a name that is one reaches it.
    place.run(&["exec", "-n", "exe0001", "--", "true"]);
    assert!(mark.exists(), "the trap is never reached");
    std::fs::remove_file(&mark).unwrap();

    let injected = format!("-oProxyCommand=touch {}", mark.display());
    for name in ["-oProxyCommand=x", injected.as_str(), "-l", "-", "exe0001,-F/dev/null"] {
        for command in commands() {
            let mut words = with_argument(command, name);
            words.insert(0, "--force");
            place.refuses(&words);
            if let Some(words) = with_flag(command, name) {
                place.refuses(&words);
                let flag = format!("--nodes={name}");
                let mut words = words[2..].to_vec();
                words.insert(0, &flag);
                place.refuses(&words);
            }
        }
    }
    assert!(!mark.exists(), "{:?}", std::fs::read_to_string(&mark));
}

#[test]
fn a_name_that_looks_like_a_piece_of_a_url_reaches_no_listener() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let place = Workplace::new();
    place.site(&format!(
        "{SITE}\nbmc: {{credential: bmc, order: [redfish], redfish: {{port: {port}, timeout: 1s, pinStore: pins}}}}\ncredentials: {{bmc: {{username: admin, password: {{fromEnv: BMC}}}}}}"
    ));
    place.write("pins", "");
    place.inventory("nodes:\n  - {nodes: exe0001, bmcAddress: 127.0.0.1}");
    // The listener is where a name leads to.
    place.run_with(&[("BMC", "secret")], &["bmc", "status", "exe0001"]);
    assert!(listener.accept().is_ok(), "no name leads to the listener");

    // A blank is none of them: it separates two names, as in ClusterShell.
    for sign in ["#", "?", "/", ":", "@", "%", "\\", "%23", "%2f"] {
        for name in [
            format!("127.0.0.1{sign}x"),
            format!("127.0.0.1:{port}{sign}x"),
            format!("localhost{sign}.mgmt.hpc.example.org"),
            format!("x{sign}localhost:{port}"),
        ] {
            for command in [
                "bmc status",
                "bmc power status",
                "bmc power on",
                "bmc boot show",
                "bmc boot set Pxe",
            ] {
                let mut words = vec!["-y", "--force", "-n", &name];
                words.extend(command.split(' '));
                place.refuses_with(&[("BMC", "secret")], &words);
            }
        }
    }
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn a_name_is_labels_of_letters_digits_and_inner_hyphens() {
    let place = Workplace::new();
    let label = |length: usize| "a".repeat(length);
    let long = |last: usize| format!("{}.{}.{}.{}", label(63), label(63), label(63), label(last));
    let accepted = [
        label(1),
        label(63),
        long(61),
        format!("{}.", long(61)),
        "a-b".into(),
        "a.b.".into(),
        "4a".into(),
    ];
    for name in &accepted {
        let host = place.prints(&["node", "fqdn", name]);
        assert!(host.len() > 1, "{name}");
        assert_eq!(place.prints(&["node", "select", "-c", name]), "1\n", "{name}");
    }
    assert_eq!(long(61).len(), 253);
    let refused = [
        label(64),
        long(62),
        "a..b".into(),
        "a..".into(),
        ".".into(),
        ".a".into(),
        "-a".into(),
        "a-".into(),
        "a.-b".into(),
        "a-.b".into(),
        "a_b".into(),
        "_a".into(),
        "ä".into(),
        "exe１".into(),
        "a\u{200b}b".into(),
        "a\u{0}b".replace('\u{0}', "\u{1}"),
    ];
    for name in &refused {
        place.refuses(&["node", "select", name]);
        place.refuses(&["node", "fqdn", "-n", name]);
        place.refuses(&["--force", "-y", "exec", "-n", name, "--", "true"]);
    }
}

#[test]
fn an_inventory_holds_host_names_only() {
    for name in ["exe_1", "exe1-", "exe..1", "'exe;touch x'", "'$(touch x)'", "'exe\"1'"] {
        let place = Workplace::new();
        place.inventory(&format!("{INVENTORY}  - {{nodes: {name}}}"));
        for command in [&["node", "list"][..], &["config", "validate"]] {
            assert!(place.refuses(command).contains("inventory.yaml:"), "{name}");
        }
    }
}
