use std::fs;

use pxe_links::grub::{GrubClient, GrubError, GrubTree, MacAddress};
use pxe_links::{Entry, Outcome, PathError, Place, Target};

use crate::host::{Host, apply, failed, read, run_in, shells};

fn tree(host: &Host) -> GrubTree {
    fs::create_dir_all(host.at("tftp/grub/1.0")).unwrap();
    host.file("tftp/grub/1.0/install");
    GrubTree::new(host.path("tftp"), host.path("tftp/grub")).unwrap()
}

fn client(address: &str) -> GrubClient {
    GrubClient::Address(address.parse().unwrap())
}

#[test]
fn names_are_the_ones_grub_asks_for() {
    assert_eq!(client("10.88.0.51").file_name(), "grub.cfg-0A580033");
    let mac: MacAddress = "52-54-00-12-34-01".parse().unwrap();
    let file_name = GrubClient::Hardware(mac).file_name();
    assert_eq!(file_name, "grub.cfg-01-52-54-00-12-34-01");
    for wrong in [
        "",
        "52:54:00:12:34",
        "52:54:00:12:34:01:02",
        "5:4:0:2:4:1",
        "52:54:00:12:34:0x",
        "+2:54:00:12:34:01",
    ] {
        assert!(wrong.parse::<MacAddress>().is_err(), "{wrong}");
    }
}

#[test]
fn a_link_is_relative_inside_the_root() {
    for shell in shells() {
        let host = Host::new();
        let tree = tree(&host);
        host.file("tftp/common.cfg");
        let wanted = [
            (client("10.0.2.7"), tree.target("1.0/install").unwrap()),
            (client("10.0.2.8"), tree.target(host.path("tftp/common.cfg").as_str()).unwrap()),
        ];
        let changes = tree.set(wanted).unwrap();
        let outcomes = changes.parse_report(&run_in(shell, &changes.script()));
        assert_eq!(outcomes, [Outcome::Done, Outcome::Done], "{shell:?}");
        let link = |name: &str| host.target(&format!("tftp/grub/{name}")).unwrap();
        assert_eq!(link("grub.cfg-0A000207").to_str(), Some("1.0/install"));
        assert_eq!(link("grub.cfg-0A000208").to_str(), Some("../common.cfg"));
        assert!(host.at("tftp/grub/grub.cfg-0A000208").is_file());
        let unset = tree.unset([client("10.0.2.7"), client("10.0.2.9")]);
        let outcomes = unset.parse_report(&run_in(shell, &unset.script()));
        assert_eq!(outcomes, [Outcome::Done, Outcome::Absent]);
        assert_eq!(host.names("tftp/grub"), ["1.0", "grub.cfg-0A000208"]);
    }
}

#[test]
fn a_target_outside_the_root_is_refused() {
    let tree = GrubTree::new("/srv/tftp".parse().unwrap(), "/srv/tftp/grub".parse().unwrap());
    let tree = tree.unwrap();
    for target in ["/etc/passwd", "/srv/tftpx/file", "/srv/tftp"] {
        let refused = tree.target(target);
        assert!(matches!(refused, Err(GrubError::Outside { .. })), "{target} {refused:?}");
    }
    for (target, wrong) in [
        ("../../etc/passwd", PathError::Parent),
        ("a\nb", PathError::Control),
        ("", PathError::Empty),
    ] {
        let refused = tree.target(target).unwrap_err();
        assert!(matches!(refused, GrubError::Path { source, .. } if source == wrong));
    }
    assert!(GrubTree::new("/srv/tftp".parse().unwrap(), "/srv/grub".parse().unwrap()).is_err());
}

#[test]
fn a_target_that_leads_out_of_the_root_by_a_link_is_found_out() {
    for shell in shells() {
        let host = Host::new();
        let tree = tree(&host);
        host.link("tftp/grub/out", host.at("boot/ipxe"));
        host.link("tftp/grub/in", "1.0/install");
        let targets =
            ["out", "in", "1.0/install", "1.0", "gone"].map(|text| tree.target(text).unwrap());
        let reading = tree.reading([client("10.0.2.7")], &targets);
        let present = reading.parse(&run_in(shell, &reading.script())).unwrap();
        let found = targets.each_ref().map(|target| present.target(target.path()).unwrap());
        let expected =
            [Target::Outside, Target::File, Target::File, Target::NotAFile, Target::Missing];
        assert_eq!(found, expected, "{shell:?}");
        assert_eq!(present.entry(Place::Grub(client("10.0.2.7"))), Some(&Entry::None));
        read(&reading).unwrap();
    }
}

#[test]
fn a_configuration_that_is_a_file_is_kept() {
    let host = Host::new();
    let tree = tree(&host);
    host.file("tftp/grub/grub.cfg-0A000207");
    let set = tree.set([(client("10.0.2.7"), tree.target("1.0/install").unwrap())]).unwrap();
    for changes in [set, tree.unset([client("10.0.2.7")])] {
        failed(&apply(&changes)[0]);
        failed(&changes.apply_local()[0]);
    }
    assert!(host.at("tftp/grub/grub.cfg-0A000207").is_file());
}

#[test]
fn one_client_given_twice_is_refused() {
    let tree = GrubTree::new("/srv/tftp".parse().unwrap(), "/srv/tftp".parse().unwrap()).unwrap();
    let target = tree.target("x").unwrap();
    let twice = tree.set([(client("10.0.2.7"), target.clone()), (client("10.0.2.7"), target)]);
    assert_eq!(twice, Err(GrubError::Twice { client: client("10.0.2.7") }));
}
