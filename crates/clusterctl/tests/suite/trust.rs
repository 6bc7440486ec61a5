//! Whose files and directories are believed.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use crate::workplace::{SITE, Workplace};

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_document_that_others_may_write_is_not_believed() {
    for others in [0o620, 0o602, 0o666] {
        let place = Workplace::new();
        mode(&place.configuration().join("site.yaml"), others);
        for command in [&["node", "list"][..], &["config", "validate"]] {
            assert!(place.refuses(command).contains("site.yaml"), "{others:o}");
        }
    }
    let place = Workplace::new();
    mode(&place.configuration(), 0o770);
    place.refuses(&["node", "list"]);
}

/// A command that would write its state before it reaches the host of a service processor that is
/// not there.
const CHANGE: [&str; 6] = ["-y", "bmc", "power", "on", "-n", "exe0001"];

fn with_unreachable_bmc() -> Workplace {
    let place = Workplace::new();
    place.site(&format!(
        "{SITE}\nbmc: {{credential: bmc, order: [redfish], redfish: {{port: 9, timeout: 1s}}}}\ncredentials: {{bmc: {{username: admin, password: {{fromEnv: BMC}}}}}}"
    ));
    place.inventory("nodes:\n  - {nodes: exe0001, bmcAddress: 127.0.0.1}");
    place
}

#[test]
fn a_state_directory_that_is_not_ones_own_alone_is_refused() {
    let variables = [("BMC", "secret")];
    let place = with_unreachable_bmc();
    let ran = place.run_with(&variables, &CHANGE);
    assert_eq!(ran.code, 3, "a private one will do: {ran:?}");

    for loose in [0o770, 0o707, 0o777] {
        let place = with_unreachable_bmc();
        place.folder(&place.root().join("state"));
        place.folder(&place.state());
        mode(&place.state(), loose);
        place.refuses_with(&variables, &CHANGE);
    }

    let place = with_unreachable_bmc();
    place.folder(&place.root().join("state"));
    place.folder(&place.root().join("elsewhere"));
    symlink(place.root().join("elsewhere"), place.state()).unwrap();
    place.refuses_with(&variables, &CHANGE);

    let place = with_unreachable_bmc();
    place.folder(&place.root().join("state"));
    place.folder(&place.state());
    if std::os::unix::fs::chown(place.state(), Some(12345), None).is_ok() {
        place.refuses_with(&variables, &CHANGE);
    } else {
        eprintln!("skipped: only root can give a directory away");
    }
}
