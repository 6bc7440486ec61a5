//! How much a reinstall asks of others, counted where it arrives.

use std::path::Path;

use lab::Lab;

use crate::harness::{lab_or_skip, run};

/// Method and path of every request to a machine's service processor.
fn requests(lab: &Lab, node: &str) -> Vec<String> {
    let requests = lab.bmc(node).requests().unwrap();
    requests.iter().map(|request| format!("{} {}", request.method, request.target)).collect()
}

/// How many logins the sshd of a host has let in.
fn logins(lab: &Lab, host: &str) -> usize {
    let log = lab.path_on(host, "/var/log/sshd.log").unwrap();
    logins_in(&log)
}

fn logins_in(log: &Path) -> usize {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().filter(|line| line.starts_with("Accepted publickey")).count()
}

#[test]
fn a_reinstall_of_eight_is_four_requests_a_machine_and_one_session_to_the_pxe_host() {
    let Some(lab) = lab_or_skip(8) else { return };
    let before = logins(&lab, "installer");
    let said = run(&lab, &["-y", "provision", "reinstall", "-n", "exe[0001-0008]"]).ended_with(0);
    assert_eq!(logins(&lab, "installer") - before, 1, "{said:#?}");
    for number in 1..=8 {
        // Nothing is known of the service processor: one request finds and reads its system.
        assert_eq!(
            requests(&lab, &format!("exe000{number}")),
            [
                "GET /redfish/v1/Systems?only",
                "PATCH /redfish/v1/Systems/1",
                "GET /redfish/v1/Systems/1",
                "POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset",
            ],
            "{said:#?}"
        );
    }
    assert!(requests(&lab, "wlm01").is_empty(), "nobody asked for it");
}

#[test]
fn a_configured_system_path_is_not_searched_for() {
    let Some(lab) = lab_or_skip(1) else { return };
    let path = "bmc.redfish.systemPath=/redfish/v1/Systems/1";
    run(&lab, &["-y", "--set", path, "provision", "reinstall", "-n", "exe0001"]).ended_with(0);
    let requests = requests(&lab, "exe0001");
    assert_eq!(requests.len(), 4, "{requests:?}");
    assert!(requests.iter().all(|request| request.contains("/Systems/1")), "{requests:?}");
}

#[test]
fn what_a_dry_run_asks_changes_nothing_and_needs_no_service_processor() {
    let Some(lab) = lab_or_skip(2) else { return };
    let before = logins(&lab, "installer");
    run(&lab, &["provision", "reinstall", "-n", "exe[0001-0002]", "--dry-run"]).ended_with(0);
    assert_eq!(logins(&lab, "installer") - before, 1);
    assert!(requests(&lab, "exe0001").is_empty());
}
