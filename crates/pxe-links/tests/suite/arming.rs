use std::fs;
use std::process::{Command, Stdio};

use pxe_links::{Changes, Conflict, Entry, Layout, Outcome, Target, UnderPersistent};

use crate::host::{Host, apply, failed, ip, plan, present, run, run_in, shells};

#[test]
fn a_link_is_absolute_and_holds_the_boot_path() {
    for shell in shells() {
        let host = Host::new();
        let wanted = [host.once("10.0.2.7", "boot/ipxe"), host.persistent("10.0.2.8", "boot/ipxe")];
        for layout in [host.suffixed(), host.directories()] {
            let changes = plan(&layout, &wanted);
            let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
            assert_eq!(outcomes, [Outcome::Done, Outcome::Done], "{shell:?}");
        }
        for link in ["10.0.2.7", "10.0.2.8.static", "once/10.0.2.7", "static/10.0.2.8"] {
            assert_eq!(host.target(&format!("links/{link}")).unwrap(), host.at("boot/ipxe"));
        }
        // Nothing is left of the preparation.
        assert_eq!(host.names("links"), ["10.0.2.7", "10.0.2.8.static", "once", "static"]);
        assert_eq!(host.names("links/once"), ["10.0.2.7"]);
    }
}

#[test]
fn an_old_link_is_replaced_even_where_it_leads_to_a_directory() {
    for shell in shells() {
        let host = Host::new();
        host.link("links/10.0.2.7", host.at("boot"));
        host.link("links/10.0.2.8", "/gone");
        let wanted = [host.once("10.0.2.7", "boot/ipxe"), host.once("10.0.2.8", "boot/ipxe")];
        let changes = plan(&host.suffixed(), &wanted);
        let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
        assert_eq!(outcomes, [Outcome::Done, Outcome::Done], "{shell:?}");
        assert_eq!(host.target("links/10.0.2.7").unwrap(), host.at("boot/ipxe"));
        assert_eq!(host.target("links/10.0.2.8").unwrap(), host.at("boot/ipxe"));
        assert_eq!(host.names("boot"), ["ipxe"]);
    }
}

#[test]
fn a_link_that_cannot_be_written_leaves_the_others() {
    for shell in shells() {
        let host = Host::new();
        let wanted: Vec<_> =
            (1..=10).map(|n| host.once(&format!("10.0.2.{n}"), "boot/ipxe")).collect();
        let changes = plan(&host.suffixed(), &wanted);
        // Appears after the reading: a directory at the place of one link.
        fs::create_dir(host.at("links/10.0.2.4")).unwrap();
        let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
        for (number, outcome) in outcomes.iter().enumerate() {
            if number == 3 {
                assert!(failed(outcome).starts_with("not a symbolic link"), "{outcome:?}");
            } else {
                assert_eq!(*outcome, Outcome::Done);
            }
        }
        assert!(host.at("links/10.0.2.4").is_dir());
        assert_eq!(fs::read_dir(host.at("links/10.0.2.4")).unwrap().count(), 0);
    }
}

#[test]
fn a_directory_that_takes_no_links_fails_each_with_the_reason() {
    let host = Host::new();
    let wanted = [host.once("10.0.2.7", "boot/ipxe"), host.persistent("10.0.2.8", "boot/ipxe")];
    let changes = plan(&host.directories(), &wanted);
    fs::remove_dir(host.at("links/once")).unwrap();
    host.file("links/once");
    for shell in shells() {
        let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
        let reason = failed(&outcomes[0]);
        assert!(reason.contains("Not a directory"), "{reason}");
        assert_eq!(outcomes[1], Outcome::Done);
    }
}

#[test]
fn hostile_names_are_data() {
    for shell in shells() {
        let host = Host::new();
        let names =
            ["it's", "$(touch pwned)", "`id`", "a b\t".trim_end(), "-n", "*", "\\", "ü\u{202e}"];
        let mut wanted = Vec::new();
        for (number, name) in names.iter().enumerate() {
            host.file(&format!("boot/{name}"));
            wanted.push(host.once(&format!("10.0.2.{number}"), &format!("boot/{name}")));
        }
        fs::create_dir(host.at("boot/$HOME it's")).unwrap();
        for root in ["boot/$HOME it's", "links"] {
            let layout = Layout::suffixed(&host.path(root), " '$(touch pwned)").unwrap();
            let changes = plan(&layout, &wanted);
            let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
            assert_eq!(outcomes, vec![Outcome::Done; names.len()], "{shell:?}");
            for (number, name) in names.iter().enumerate() {
                let target = host.target(&format!("{root}/10.0.2.{number}")).unwrap();
                assert_eq!(target, host.at(&format!("boot/{name}")));
            }
        }
    }
    assert!(!fs::exists("pwned").unwrap());
}

#[test]
fn two_clients_of_one_address_are_refused() {
    let host = Host::new();
    let wanted = [
        host.once("10.0.2.7", "boot/ipxe"),
        host.once("10.0.2.8", "boot/ipxe"),
        host.once("::ffff:10.0.2.7", "boot/ipxe"),
    ];
    let present = present(&host.suffixed(), &wanted);
    let refused = Changes::arm(&host.suffixed(), &wanted, &present, UnderPersistent::Allow);
    assert_eq!(
        refused.unwrap_err().conflicts(),
        [Conflict::SameAddress { client: ip("10.0.2.7"), first: 0, second: 2 }]
    );
}

#[test]
fn a_once_link_under_a_persistent_one_is_refused() {
    let host = Host::new();
    host.link("links/10.0.2.7.static", "/other");
    host.file("links/10.0.2.8.static");
    let layout = host.suffixed();
    let wanted = [host.once("10.0.2.7", "boot/ipxe"), host.once("10.0.2.8", "boot/ipxe")];
    let present = present(&layout, &wanted);
    let refused = Changes::arm(&layout, &wanted, &present, UnderPersistent::Refuse).unwrap_err();
    assert_eq!(
        refused.conflicts(),
        [
            Conflict::UnderPersistent {
                client: ip("10.0.2.7"),
                persistent: Entry::Link(b"/other".to_vec())
            },
            Conflict::UnderPersistent { client: ip("10.0.2.8"), persistent: Entry::NotALink },
        ]
    );
    assert_eq!(refused.to_string(), "10.0.2.7 has a persistent link, and 1 more");
    let allowed = Changes::arm(&layout, &wanted[..1], &present, UnderPersistent::Allow).unwrap();
    assert_eq!(apply(&allowed), [Outcome::Done]);
}

#[test]
fn one_list_with_both_links_of_a_client_is_refused() {
    let host = Host::new();
    let wanted = [host.once("10.0.2.7", "boot/ipxe"), host.persistent("10.0.2.7", "boot/ipxe")];
    let present = present(&host.suffixed(), &wanted);
    let refused = Changes::arm(&host.suffixed(), &wanted, &present, UnderPersistent::Refuse);
    assert!(matches!(refused.unwrap_err().conflicts(), [Conflict::UnderPersistent { .. }]));
}

#[test]
fn a_persistent_link_that_appears_after_the_reading_stops_the_once_link() {
    for shell in shells() {
        let host = Host::new();
        let changes = plan(&host.suffixed(), &[host.once("10.0.2.7", "boot/ipxe")]);
        host.link("links/10.0.2.7.static", "/gone");
        let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
        assert!(failed(&outcomes[0]).starts_with("there is a persistent link"));
        assert_eq!(host.target("links/10.0.2.7"), None);
        assert!(matches!(changes.apply_local()[..], [Outcome::Failed { .. }]));
    }
}

#[test]
fn a_target_that_is_no_file_is_refused() {
    let host = Host::new();
    host.link("boot/dangling", "/gone");
    let wanted = [
        host.once("10.0.2.7", "boot/gone"),
        host.once("10.0.2.8", "boot"),
        host.once("10.0.2.9", "boot/dangling"),
    ];
    let present = present(&host.suffixed(), &wanted);
    let refused =
        Changes::arm(&host.suffixed(), &wanted, &present, UnderPersistent::Refuse).unwrap_err();
    let found: Vec<_> = refused
        .conflicts()
        .iter()
        .map(|conflict| match conflict {
            Conflict::Target { found, .. } => *found,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(found, [Target::Missing, Target::NotAFile, Target::Missing]);
}

#[test]
fn a_target_that_goes_away_after_the_reading_stops_its_link() {
    let host = Host::new();
    host.file("boot/old");
    let wanted = [host.once("10.0.2.7", "boot/old"), host.once("10.0.2.8", "boot/ipxe")];
    let changes = plan(&host.suffixed(), &wanted);
    fs::remove_file(host.at("boot/old")).unwrap();
    let outcomes = apply(&changes);
    assert!(failed(&outcomes[0]).starts_with("the boot path is not a regular file"));
    assert_eq!(outcomes[1], Outcome::Done);
    assert_eq!(host.target("links/10.0.2.7"), None);
}

#[test]
fn what_was_not_read_is_not_armed() {
    let host = Host::new();
    let read = present(&host.suffixed(), &[host.once("10.0.2.7", "boot/ipxe")]);
    host.file("boot/other");
    for link in [host.once("10.0.2.8", "boot/ipxe"), host.once("10.0.2.7", "boot/other")] {
        let refused = Changes::arm(&host.suffixed(), &[link], &read, UnderPersistent::Refuse);
        assert!(matches!(refused.unwrap_err().conflicts(), [Conflict::NotRead { .. }]));
    }
}

#[test]
fn a_layout_without_persistent_links_refuses_one() {
    let host = Host::new();
    let layout = Layout::once_only(&host.path("links"));
    let wanted = [host.persistent("10.0.2.7", "boot/ipxe")];
    let present = present(&layout, &wanted);
    let refused = Changes::arm(&layout, &wanted, &present, UnderPersistent::Refuse);
    assert!(matches!(refused.unwrap_err().conflicts(), [Conflict::NoPlace { .. }]));
}

#[test]
fn links_are_put_in_place_in_the_order_given() {
    let host = Host::new();
    let order = [9, 3, 7, 1, 8, 2, 6, 5, 4];
    let wanted: Vec<_> =
        order.iter().map(|n| host.once(&format!("10.0.2.{n}"), "boot/ipxe")).collect();
    let changes = plan(&host.suffixed(), &wanted);
    let again = plan(&host.suffixed(), &wanted);
    assert_eq!(changes.script(), again.script());
    let script = changes.script();
    let places: Vec<_> = script.lines().filter(|line| line.starts_with("staged ")).collect();
    let expected: Vec<_> =
        order.iter().enumerate().map(|(i, n)| format!("staged {i} 10.0.2.{n}")).collect();
    assert_eq!(places, expected);
}

#[test]
fn a_thousand_links_are_one_script() {
    let host = Host::new();
    let wanted: Vec<_> = (0..1000)
        .map(|n| host.once(&format!("10.1.{}.{}", n / 250, n % 250), "boot/ipxe"))
        .collect();
    let layout = host.suffixed();
    let changes = plan(&layout, &wanted);
    let all = |outcomes: &[Outcome], wanted: &Outcome| {
        outcomes.iter().filter(|outcome| *outcome == wanted).count()
    };
    assert_eq!(all(&apply(&changes), &Outcome::Done), 1000);
    assert_eq!(present(&layout, &wanted).entries().count(), 1000);
    assert_eq!(all(&apply(&changes.undo()), &Outcome::Done), 1000);
    assert_eq!(all(&apply(&changes.undo()), &Outcome::Absent), 1000);
    assert_eq!(all(&apply(&changes), &Outcome::Done), 1000);
    let outcomes = apply(&Changes::disarm(&layout, wanted.iter().map(|link| link.client)));
    assert_eq!((outcomes.len(), all(&outcomes, &Outcome::Done)), (2000, 1000));
    assert_eq!(all(&outcomes, &Outcome::Absent), 1000);
    assert_eq!(host.names("links"), ["once", "static"]);
}

#[test]
fn a_script_that_arrives_in_part_does_nothing() {
    let host = Host::new();
    let wanted: Vec<_> = (1..=5).map(|n| host.once(&format!("10.0.2.{n}"), "boot/ipxe")).collect();
    let changes = plan(&host.suffixed(), &wanted);
    host.link("links/10.9.9.9", "/kept");
    let disarm = Changes::disarm(&host.suffixed(), [ip("10.9.9.9")]);
    for script in [changes.script(), disarm.script()] {
        let lines: Vec<usize> = script.match_indices('\n').map(|(at, _)| at).collect();
        // Every line boundary, and the middle of every line of the calls.
        for end in lines[..lines.len() - 1].iter().flat_map(|at| [*at, *at + 3]) {
            if end + "pxe_links\n".len() > script.len() {
                continue;
            }
            let output = Command::new("sh")
                .args(["-s"])
                .stdin(text(&script[..end]))
                .stderr(Stdio::null())
                .output()
                .unwrap();
            assert_eq!(changes.parse_report(&output.stdout), vec![Outcome::Unknown; 5]);
        }
    }
    assert_eq!(host.names("links"), ["10.9.9.9", "once", "static"]);
}

fn text(text: &str) -> Stdio {
    use std::io::{Seek as _, Write as _};
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file.rewind().unwrap();
    file.into()
}

#[test]
fn what_a_killed_host_did_not_report_is_unknown() {
    let host = Host::new();
    let wanted: Vec<_> = (1..=20).map(|n| host.once(&format!("10.0.2.{n}"), "boot/ipxe")).collect();
    let changes = plan(&host.suffixed(), &wanted);
    // The shell kills itself when it is about to report the eighth link.
    let deadly = changes.script().replace("say() {", "say() { [ \"$1\" != 7 ] || kill -9 $$; ");
    let outcomes = changes.parse_report(&run(&deadly));
    assert_eq!(outcomes[..7], vec![Outcome::Done; 7]);
    assert_eq!(outcomes[7..], vec![Outcome::Unknown; 13]);
    // Undoing finds all of them, reported or not.
    assert_eq!(apply(&changes.undo()), vec![Outcome::Done; 20]);
}

#[test]
fn a_full_disk_fails_every_link_and_changes_none() {
    let host = Host::new();
    let place = host.at("links");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k,nr_inodes=4", "full"])
        .arg(&place)
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !mounted {
        assert!(std::env::var_os("CI").is_none(), "a tmpfs cannot be mounted");
        println!("skipped: a tmpfs cannot be mounted here");
        return;
    }
    let result = std::panic::catch_unwind(|| {
        // The root of the file system is one inode; two are left for links, none for more.
        host.link("links/10.0.2.1", "/old");
        let wanted = [host.once("10.0.2.1", "boot/ipxe"), host.once("10.0.2.2", "boot/ipxe")];
        let changes = plan(&host.suffixed(), &wanted);
        let fill = (0..).take_while(|n| fs::write(host.at(&format!("links/fill{n}")), "").is_ok());
        fill.count();
        for outcomes in [apply(&changes), changes.apply_local()] {
            assert!(failed(&outcomes[0]).contains("No space left"), "{outcomes:?}");
            assert!(failed(&outcomes[1]).contains("No space left"), "{outcomes:?}");
        }
        assert_eq!(host.target("links/10.0.2.1").unwrap().to_str(), Some("/old"));
        // Removing needs no space.
        let disarm = Changes::disarm(&host.suffixed(), [ip("10.0.2.1")]);
        assert_eq!(apply(&disarm), [Outcome::Done, Outcome::Absent]);
    });
    assert!(Command::new("umount").arg(&place).status().unwrap().success());
    result.unwrap();
}
