//! The DMTF's protocol validator as the judge of the built-in service.

use crate::client::{Bench, PASSWORD, USER};
use crate::python::python;

/// Assertions that are not passed, by the beginning of their names, and why.
const REASONS: [(&str, &str); 9] = [
    ("SERV_SSE_", "there is no event stream"),
    ("SERV_EVENT_", "there is no event service"),
    ("SEC_SESSION_TERMINATION_SIDE_EFFECTS", "is tried on an event stream"),
    ("SERV_SSDP_", "nothing is announced by multicast"),
    ("SEC_DEFAULT_CERT_REPLACE", "certificates are no resources"),
    ("PROTO_REDIRECT_ENFORCES_TARGET_PRIVS", "nothing is redirected"),
    ("REQ_DATA_MOD_ERRORS", "none of its own POSTs is refused"),
    ("RESP_STATUS_INTERNAL_SERVER_ERROR", "no request leads to one"),
    // Both of openapi.yaml alone, which is optional.
    ("openapi.yaml", "there is no OpenAPI document"),
];

#[test]
fn the_protocol_validator_passes_all_but_what_is_listed_with_a_reason() {
    let Some(mut python) = python("redfish_protocol_validator") else { return };
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    let script = "from redfish_protocol_validator.console_scripts import main; main()";
    let output = python
        .args(["-c", script, "--rhost", &format!("https://{}", bench.running.address())])
        .args(["--user", USER, "--password", PASSWORD, "--no-cert-check", "--avoid-http-redirect"])
        .args(["--report-type", "tsv", "--report-dir"])
        .arg(folder.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    let mut files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
    let report = files.find(|file| file.extension().is_some_and(|it| it == "tsv"));
    let report = std::fs::read_to_string(report.unwrap_or_else(|| panic!("no report: {told}")));
    let report = report.unwrap();
    let mut passed = 0;
    let mut met = [false; REASONS.len()];
    for line in report.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (assertion, path, result) = (columns[0], columns[3], columns[4]);
        if result == "PASS" {
            passed += 1;
            continue;
        }
        assert_eq!(result, "NOT_TESTED", "{line}");
        let reason = REASONS
            .iter()
            .position(|(name, _)| assertion.starts_with(name) || path.ends_with(name));
        met[reason.unwrap_or_else(|| panic!("without a reason: {line}"))] = true;
    }
    // So many that a validator which could not log in does not pass for one that did.
    assert!(passed > 300, "{passed} passed: {report}");
    assert!(met.iter().all(|met| *met), "a reason that is not needed: {met:?}");
}
