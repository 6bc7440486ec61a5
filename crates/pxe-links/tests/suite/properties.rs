use std::net::Ipv4Addr;

use proptest::prelude::*;
use pxe_links::{BootPath, Changes, Lifetime, Link, Outcome, Reading, UnderPersistent};

use crate::host::{Host, ip, run};

/// What may be at a link's place before a change.
#[derive(Debug, Clone, Copy)]
enum Before {
    Nothing,
    Ours,
    Theirs,
    Directory,
    File,
}

fn before() -> impl Strategy<Value = Before> {
    use Before::{Directory, File, Nothing, Ours, Theirs};
    prop_oneof![4 => Just(Nothing), 3 => Just(Ours), 2 => Just(Theirs), 1 => Just(Directory), 1 => Just(File)]
}

fn prepared(state: &[(Before, Before)]) -> Host {
    let host = Host::new();
    for (number, (once, persistent)) in state.iter().enumerate() {
        for (before, suffix) in [(once, ""), (persistent, ".static")] {
            let path = format!("links/10.0.2.{number}{suffix}");
            match before {
                Before::Nothing => {}
                Before::Ours => host.link(&path, host.at("boot/ipxe")),
                Before::Theirs => host.link(&path, "/their's"),
                Before::Directory => std::fs::create_dir(host.at(&path)).unwrap(),
                Before::File => host.file(&path),
            }
        }
    }
    host
}

/// Outcomes without the wording of reasons.
fn kinds(outcomes: &[Outcome]) -> Vec<String> {
    let kind = |outcome: &Outcome| match outcome {
        Outcome::Failed { .. } => "failed".to_owned(),
        other => format!("{other:?}"),
    };
    outcomes.iter().map(kind).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    /// The script and the local application leave the same links and report the same.
    #[test]
    fn script_and_local_application_agree(
        state in prop::collection::vec((before(), before()), 1..6),
        arm in any::<bool>(),
        conditional in any::<bool>(),
    ) {
        let (there, here) = (prepared(&state), prepared(&state));
        let plan = |host: &Host| {
            let layout = host.suffixed();
            let links: Vec<Link> = (0..state.len())
                .map(|number| host.once(&format!("10.0.2.{number}"), "boot/ipxe"))
                .collect();
            if arm {
                // Plans what the reading of an empty host allows: the script judges by itself.
                let empty = prepared(&[]);
                let reading = Reading::of(&empty.suffixed(), links.iter().map(|link| link.client));
                let present = reading.with_targets([host.path("boot/ipxe")]).read_local().unwrap();
                Changes::arm(&layout, &links, &present, UnderPersistent::Refuse).unwrap()
            } else if conditional {
                Changes::disarm_links(&layout, &links)
            } else {
                Changes::disarm(&layout, links.iter().map(|link| link.client))
            }
        };
        let changes = plan(&there);
        let by_script = changes.parse_report(&run(&changes.script()));
        let locally = plan(&here).apply_local();
        prop_assert_eq!(kinds(&by_script), kinds(&locally));
        prop_assert_eq!(there.names("links"), here.names("links"));
        for name in there.names("links") {
            let path = format!("links/{name}");
            let relative = |host: &Host| {
                host.target(&path).map(|target| {
                    target.strip_prefix(host.at("")).map(Into::into).unwrap_or(target.clone())
                })
            };
            prop_assert_eq!(relative(&there), relative(&here));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_boot_path_reads_back_what_it_prints(text in "/[ -~äß/]{0,40}") {
        if let Ok(path) = text.parse::<BootPath>() {
            prop_assert_eq!(path.to_string().parse::<BootPath>().unwrap(), path);
        }
    }

    /// Whatever the host prints: one outcome for each change, and no panic.
    #[test]
    fn any_output_gives_one_outcome_per_change(output in prop::collection::vec(any::<u8>(), 0..200)) {
        let layout = pxe_links::Layout::directories(&"/srv".parse().unwrap());
        let changes = Changes::disarm(&layout, [ip("10.0.0.1"), ip("10.0.0.2")]);
        prop_assert_eq!(changes.parse_report(&output), vec![Outcome::Unknown; 4]);
        let _ = Reading::of(&layout, [ip("10.0.0.1")]).parse(&output);
    }

    /// A report that is cut off tells of a change only what it tells whole.
    #[test]
    fn a_cut_report_never_lies(
        texts in prop::collection::vec(".{0,20}|(?s).{0,10}\npxe-links 0 done 0:\n", 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut report = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            report.extend(format!("pxe-links {number} replaced {}:{text}\n", text.len()).bytes());
        }
        let layout = pxe_links::Layout::once_only(&"/srv".parse().unwrap());
        let clients = (0..texts.len()).map(|n| Ipv4Addr::from_bits(u32::try_from(n).unwrap()).into());
        let changes = Changes::disarm(&layout, clients);
        let whole = changes.parse_report(&report);
        for (outcome, text) in whole.iter().zip(&texts) {
            prop_assert_eq!(outcome, &Outcome::Replaced { target: text.clone() });
        }
        let partial = changes.parse_report(&report[..cut.index(report.len() + 1)]);
        for (partial, whole) in partial.iter().zip(&whole) {
            prop_assert!(partial == whole || *partial == Outcome::Unknown);
        }
    }

    #[test]
    fn every_link_has_a_place_of_its_own(a in any::<u32>(), b in any::<u32>()) {
        let root = "/srv".parse().unwrap();
        let suffixed = pxe_links::Layout::suffixed(&root, ".static").unwrap();
        let (a, b) = (Ipv4Addr::from_bits(a).into(), Ipv4Addr::from_bits(b).into());
        for layout in [suffixed, pxe_links::Layout::directories(&root)] {
            let once = layout.link_path(a, Lifetime::Once);
            prop_assert_ne!(&once, &layout.link_path(a, Lifetime::Persistent));
            prop_assert_eq!(once == layout.link_path(b, Lifetime::Once), a == b);
        }
    }
}
