use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use pxe_links::{BootPath, Entry, Layout, Lifetime, PathError, Place, ReadError, Reading, Target};

use crate::host::{Host, ip, read, run_in, shells};

#[test]
fn once_and_persistent_links_and_targets_come_in_one_script() {
    let host = Host::new();
    host.link("links/10.0.2.7", host.at("boot/ipxe"));
    host.link("links/10.0.2.8.static", "/srv/gone");
    fs::create_dir(host.at("links/10.0.2.9")).unwrap();
    let layout = host.suffixed();
    let reading = Reading::of(&layout, [ip("10.0.2.7"), ip("10.0.2.8"), ip("10.0.2.9")])
        .with_targets([host.path("boot/ipxe"), host.path("boot"), host.path("boot/gone")]);
    for shell in shells() {
        let present = reading.parse(&run_in(shell, &reading.script())).unwrap();
        let entry = |client, lifetime| present.entry(Place::Pxe(ip(client), lifetime)).unwrap();
        assert!(entry("10.0.2.7", Lifetime::Once).points_at(&host.path("boot/ipxe")));
        assert_eq!(*entry("10.0.2.7", Lifetime::Persistent), Entry::None);
        assert_eq!(*entry("10.0.2.8", Lifetime::Once), Entry::None);
        assert_eq!(entry("10.0.2.8", Lifetime::Persistent).target().unwrap(), "/srv/gone");
        assert_eq!(*entry("10.0.2.9", Lifetime::Once), Entry::NotALink);
        assert_eq!(present.entry(Place::Pxe(ip("10.0.2.10"), Lifetime::Once)), None);
        assert_eq!(present.target(&host.path("boot/ipxe")), Some(Target::File));
        assert_eq!(present.target(&host.path("boot")), Some(Target::NotAFile));
        assert_eq!(present.target(&host.path("boot/gone")), Some(Target::Missing));
        assert_eq!(present.target(&host.path("links")), None);
    }
    read(&reading).unwrap();
}

#[test]
fn a_listing_names_every_client_that_has_a_link() {
    let host = Host::new();
    host.link("links/once/10.0.2.7", "/a");
    host.link("links/once/fe80::1", "/b");
    host.link("links/static/10.0.2.7", "/c");
    host.file("links/static/10.0.2.200");
    // Names no client is asked for under.
    for other in ["links/once/010.0.0.1", "links/once/10.0.2", "links/once/default", "links/x"] {
        host.link(other, "/d");
    }
    let reading = Reading::all(&host.directories());
    for shell in shells() {
        let present = reading.parse(&run_in(shell, &reading.script())).unwrap();
        let found: Vec<String> =
            present.entries().map(|(place, entry)| format!("{place} {entry:?}")).collect();
        let expected = [
            r#"10.0.2.7 (once) Link("/a")"#,
            r#"10.0.2.7 (persistent) Link("/c")"#,
            "10.0.2.200 (persistent) NotALink",
            r#"fe80::1 (once) Link("/b")"#,
        ];
        assert_eq!(found, expected, "{shell:?}");
        let absent = present.entry(Place::Pxe(ip("10.9.9.9"), Lifetime::Once));
        assert_eq!(absent, Some(&Entry::None));
    }
    read(&reading).unwrap();
}

#[test]
fn a_listing_tells_lifetimes_by_the_suffix() {
    let host = Host::new();
    host.link("links/10.0.2.7", "/a");
    host.link("links/10.0.2.7.static", "/b");
    let present = read(&Reading::all(&host.suffixed())).unwrap();
    let entry = |lifetime| present.entry(Place::Pxe(ip("10.0.2.7"), lifetime)).unwrap();
    assert_eq!(entry(Lifetime::Once).target().unwrap(), "/a");
    assert_eq!(entry(Lifetime::Persistent).target().unwrap(), "/b");
    assert_eq!(present.entries().count(), 2);
    assert_eq!(
        read(&Reading::all(&Layout::once_only(&host.path("links")))).unwrap().entries().count(),
        1
    );
}

#[test]
fn a_target_of_any_bytes_is_read_and_forges_nothing() {
    let host = Host::new();
    let hostile: [&[u8]; 6] = [
        b"/a\npxe-links 0 none 0:\npxe-links end ok 0:",
        b"\n\npxe-links 1 none 0:\n\n",
        b"/\xff\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89 \x01\x1b[31m",
        b"$(touch pwned) `touch pwned` '\"\\ *",
        b"pxe-links",
        "/ü/\u{202e}x".as_bytes(),
    ];
    let clients: Vec<_> = (1..=6).map(|n| ip(&format!("10.0.2.{n}"))).collect();
    for (client, target) in clients.iter().zip(hostile) {
        host.link(&format!("links/{client}"), OsStr::from_bytes(target));
    }
    let layout = host.suffixed();
    for reading in [Reading::of(&layout, clients.clone()), Reading::all(&layout)] {
        for shell in shells() {
            let present = reading.parse(&run_in(shell, &reading.script())).unwrap();
            for (client, target) in clients.iter().zip(hostile) {
                let entry = present.entry(Place::Pxe(*client, Lifetime::Once)).unwrap();
                assert_eq!(*entry, Entry::Link(target.to_vec()), "{shell:?}");
            }
        }
        read(&reading).unwrap();
    }
}

#[test]
fn an_answer_that_is_cut_off_anywhere_is_no_answer() {
    let host = Host::new();
    host.link("links/10.0.2.7", "/a\npxe-links 1 none 0:\npxe-links end ok 0:\n");
    let reading = Reading::of(&host.suffixed(), [ip("10.0.2.7")]).with_targets([host.path("boot")]);
    let whole = run_in(&["sh", "-s"], &reading.script());
    for length in 0..whole.len() {
        assert_eq!(reading.parse(&whole[..length]), Err(ReadError::Incomplete), "{length}");
    }
    reading.parse(&whole).unwrap();
}

#[test]
fn a_banner_before_the_answer_does_no_harm() {
    let host = Host::new();
    let reading = Reading::of(&host.suffixed(), [ip("10.0.2.7")]);
    let mut output = b"Welcome: to\nthe PXE host: 7\n".to_vec();
    output.extend(run_in(&["sh", "-s"], &reading.script()));
    reading.parse(&output).unwrap();
}

#[test]
fn a_directory_that_cannot_be_looked_into_is_not_an_empty_one() {
    let host = Host::new();
    host.file("plain");
    for root in ["gone", "plain"] {
        let layout = Layout::directories(&host.path(root));
        for reading in [Reading::of(&layout, [ip("10.0.2.7")]), Reading::all(&layout)] {
            let error = read(&reading).unwrap_err();
            assert!(matches!(error, ReadError::Directory { .. }), "{error:?}");
        }
    }
    // A file where the directory of persistent links should be.
    fs::remove_dir(host.at("links/static")).unwrap();
    host.file("links/static");
    let reading = Reading::of(&host.directories(), [ip("10.0.2.7")]);
    let error = reading.parse(&run_in(&["sh", "-s"], &reading.script())).unwrap_err();
    insta::assert_snapshot!(error.to_string().replace(host.at("").to_str().unwrap(), "/"),
        @r#"the directory "/links/static" of links cannot be read: not a directory"#);
}

#[test]
fn a_directory_of_persistent_links_that_was_never_made_holds_none() {
    let host = Host::new();
    fs::remove_dir(host.at("links/static")).unwrap();
    for reading in
        [Reading::of(&host.directories(), [ip("10.0.2.7")]), Reading::all(&host.directories())]
    {
        let present = read(&reading).unwrap();
        let place = Place::Pxe(ip("10.0.2.7"), Lifetime::Persistent);
        assert_eq!(present.entry(place), Some(&Entry::None));
    }
}

#[test]
fn a_boot_path_is_absolute_and_printable() {
    let refused = |text: &str| text.parse::<BootPath>().unwrap_err();
    assert_eq!(refused(""), PathError::Empty);
    assert_eq!(refused("boot"), PathError::Relative);
    assert_eq!(refused("/srv/../etc/shadow"), PathError::Parent);
    assert_eq!(refused("/srv/a\nb"), PathError::Control);
    assert_eq!(refused("/srv/\u{9b}31m"), PathError::Control);
    assert_eq!(refused(&format!("/{}", "x".repeat(4095))), PathError::TooLong);
    for (text, path) in [("/", "/"), ("/a//", "/a"), ("/a b'$(x)", "/a b'$(x)"), ("/..x", "/..x")] {
        assert_eq!(text.parse::<BootPath>().unwrap().as_str(), path);
    }
}

#[test]
fn a_suffix_that_reads_as_an_address_is_refused() {
    let root = "/srv".parse().unwrap();
    for suffix in ["", "/x", "1", ".7", ":a", ".bad", "a\nb"] {
        assert!(Layout::suffixed(&root, suffix).is_err(), "{suffix:?}");
    }
    Layout::suffixed(&root, ".static").unwrap();
}

#[test]
fn a_client_over_a_mapped_address_is_the_same_client() {
    let layout = Layout::directories(&"/srv".parse().unwrap());
    let path = layout.link_path(ip("::ffff:10.0.2.7"), Lifetime::Once).unwrap();
    assert_eq!(path.as_str(), "/srv/once/10.0.2.7");
}
