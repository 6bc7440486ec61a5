use std::fs;

use pxe_links::{Changes, Layout, Outcome};

use crate::host::{Host, apply, failed, ip, plan, run, run_in, shells};

#[test]
fn both_links_of_a_client_are_removed_and_reported() {
    for shell in shells() {
        let host = Host::new();
        host.link("links/10.0.2.7", "/a");
        host.link("links/10.0.2.7.static", host.at("boot"));
        let changes = Changes::disarm(&host.suffixed(), [ip("10.0.2.7"), ip("10.0.2.8")]);
        let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
        assert_eq!(
            outcomes,
            [Outcome::Done, Outcome::Done, Outcome::Absent, Outcome::Absent],
            "{shell:?}"
        );
        assert_eq!(host.names("links"), ["once", "static"]);
        assert_eq!(host.names("boot"), ["ipxe"]);
    }
}

#[test]
fn what_is_not_a_link_is_never_removed() {
    for shell in shells() {
        let host = Host::new();
        fs::create_dir(host.at("links/10.0.2.7")).unwrap();
        host.file("links/10.0.2.8");
        host.link("links/10.0.2.9", "/a");
        let clients = [ip("10.0.2.7"), ip("10.0.2.8"), ip("10.0.2.9")];
        let layout = Layout::once_only(&host.path("links"));
        let links = clients.map(|client| host.once(&client.to_string(), "boot/ipxe"));
        let plain = Changes::disarm(&layout, clients);
        let conditional = Changes::disarm_links(&layout, &links);
        for changes in [conditional, plain] {
            let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
            assert!(failed(&outcomes[0]).starts_with("not a symbolic link"));
            assert!(failed(&outcomes[1]).starts_with("not a symbolic link"));
            let last = Outcome::Replaced { target: "/a".to_owned() };
            assert!(outcomes[2] == last || outcomes[2] == Outcome::Done);
        }
        assert_eq!(host.names("links"), ["10.0.2.7", "10.0.2.8", "once", "static"]);
    }
}

#[test]
fn a_link_is_taken_back_only_while_it_is_ours() {
    for shell in shells() {
        let host = Host::new();
        host.file("boot/other");
        let wanted: Vec<_> =
            (1..=3).map(|n| host.once(&format!("10.0.2.{n}"), "boot/ipxe")).collect();
        let armed = plan(&host.suffixed(), &wanted);
        assert_eq!(apply(&armed), vec![Outcome::Done; 3]);
        // The first machine has fetched its link; somebody else armed the second one.
        fs::remove_file(host.at("links/10.0.2.1")).unwrap();
        let theirs = plan(&host.suffixed(), &[host.once("10.0.2.2", "boot/other")]);
        assert_eq!(apply(&theirs), [Outcome::Done]);
        let changes = armed.undo();
        assert_eq!(changes, Changes::disarm_links(&host.suffixed(), &wanted));
        let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
        let other = host.path("boot/other").to_string();
        let expected = [Outcome::Absent, Outcome::Replaced { target: other }, Outcome::Done];
        assert_eq!(outcomes, expected, "{shell:?}");
        assert_eq!(host.target("links/10.0.2.2").unwrap(), host.at("boot/other"));
        assert_eq!(host.target("links/10.0.2.3"), None);
    }
}

#[test]
fn a_link_that_vanishes_while_it_is_removed_was_consumed() {
    let host = Host::new();
    let wanted = [host.once("10.0.2.7", "boot/ipxe")];
    let armed = plan(&host.suffixed(), &wanted);
    assert_eq!(apply(&armed), [Outcome::Done]);
    // The service takes the link between the look at it and its removal.
    let script = armed.undo().script().replace("held=${held%?.}", "held=${held%?.}; unlink \"$1\"");
    assert_eq!(armed.undo().parse_report(&run(&script)), [Outcome::Absent]);
}

#[test]
fn a_root_that_is_gone_is_not_a_clean_one() {
    let host = Host::new();
    host.file("plain");
    for root in ["gone/deep", "plain"] {
        let layout = Layout::directories(&host.path(root));
        let plain = Changes::disarm(&layout, [ip("10.0.2.7")]);
        let conditional = Changes::disarm_links(&layout, &[host.once("10.0.2.7", "boot/ipxe")]);
        for changes in [plain, conditional] {
            for outcomes in [apply(&changes), changes.apply_local()] {
                for outcome in outcomes {
                    failed(&outcome);
                }
            }
        }
    }
    // Persistent links were never used here: there are none.
    fs::remove_dir(host.at("links/static")).unwrap();
    let changes = Changes::disarm(&host.directories(), [ip("10.0.2.7")]);
    assert_eq!(apply(&changes), [Outcome::Absent, Outcome::Absent]);
    assert_eq!(changes.apply_local(), [Outcome::Absent, Outcome::Absent]);
}

#[test]
fn removal_goes_on_when_the_reader_is_gone() {
    let host = Host::new();
    let clients: Vec<_> = (0..40).map(|n| ip(&format!("10.0.2.{n}"))).collect();
    let links: Vec<_> = clients.iter().map(|c| host.once(&c.to_string(), "boot/ipxe")).collect();
    let layout = Layout::once_only(&host.path("links"));
    assert_eq!(apply(&plan(&layout, &links)), vec![Outcome::Done; 40]);
    let script = host.at("script");
    fs::write(&script, Changes::disarm_links(&layout, &links).script()).unwrap();
    // A pipe whose reading end is closed at once, as when a connection drops.
    let command = format!("sh '{}' 2>/dev/null | true; sleep 1", script.display());
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    std::process::Command::new("sh").args(["-c", &command]).status().unwrap();
    while host.names("links") != ["once", "static"] && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(host.names("links"), ["once", "static"]);
}
