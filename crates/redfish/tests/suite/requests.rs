//! How many requests an operation takes, on every recorded BMC.

use http::Method;
use redfish::fake::{FakeBmc, Rule};
use redfish::{Bmc, BootRequest, BootSource, ErrorKind, Known, PowerAction, Profile, ResetType};

use crate::site::{client, recording};

/// Recording, rules its maker is known for, and how many reads an unknown BMC takes more than a known
/// one for its state and for a reinstall.
fn machines() -> Vec<(&'static str, Vec<Rule>, usize, usize)> {
    let mode_is_read_only = || vec![Rule::ReadOnlyProperty("BootSourceOverrideMode")];
    let tagged = || vec![Rule::RequireIfMatch];
    let dgx = "/redfish/v1/Systems/DGX";
    let future = Rule::FutureState(dgx.to_owned(), format!("{dgx}/SD"));
    let whole = Rule::RequireProperty("BootSourceOverrideMode");
    vec![
        ("ami-dgx-h100", vec![Rule::RequireIfMatch, whole.clone(), future], 1, 2),
        ("dell-idrac9-6.00", vec![Rule::RefuseIfMatchOnActions], 0, 1),
        ("hpe-ilo5", mode_is_read_only(), 0, 1),
        ("hpe-ilo6-dl380a", mode_is_read_only(), 0, 1),
        ("lenovo-xcc", tagged(), 0, 2),
        ("nvidia-gb200", vec![], 1, 2),
        ("openbmc-stock", vec![], 0, 1),
        ("supermicro-x13", vec![whole, Rule::ResetOmitted], 1, 2),
    ]
}

fn fake(name: &str, rules: &[Rule]) -> Option<FakeBmc> {
    let fake = FakeBmc::of_resources(&recording(name)?);
    Some(rules.iter().cloned().fold(fake, FakeBmc::with_rule))
}

/// Boots once from the network, reads that back, resets; what is known afterwards.
fn reinstall(bmc: &Bmc<&FakeBmc>) -> Known {
    let written = bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap();
    assert!(written.read_back.is_set(), "{written:?}");
    let _sent = bmc.power(PowerAction::Reset).unwrap();
    bmc.known()
}

#[test]
fn a_status_takes_one_request_where_the_path_is_known_and_two_at_most_elsewhere() {
    for (name, rules, more, _) in machines() {
        let Some(fake) = fake(name, &rules) else { return };
        let cold = client(&fake);
        cold.power_state().unwrap();
        assert_eq!(fake.requests().len(), 1 + more, "{name}: {:#?}", fake.lines());
        assert!(more <= 1, "{name}");

        fake.forget_requests();
        client(&fake).with_known(cold.known()).power_state().unwrap();
        assert_eq!(fake.requests().len(), 1, "{name}");

        let system = cold.known().system().unwrap().to_string();
        fake.forget_requests();
        let profile = Profile { system: Some(system), ..Profile::default() };
        client(&fake).with_profile(profile).power_state().unwrap();
        assert_eq!(fake.requests().len(), 1, "{name}");
    }
}

#[test]
fn a_one_time_boot_with_read_back_and_reset_takes_three_requests_and_two_reads_more_at_most() {
    for (name, rules, _, more) in machines() {
        let Some(fake) = fake(name, &rules) else { return };
        let known = reinstall(&client(&fake));
        assert_eq!(fake.requests().len(), 3 + more, "{name}: {:#?}", fake.lines());
        assert!(more <= 2, "{name}");
        let changes = |fake: &FakeBmc| {
            let requests = fake.requests();
            requests.iter().filter(|asked| asked.method != Method::GET).count()
        };
        assert_eq!(changes(&fake), 2, "{name}: nothing is refused and sent again");

        fake.forget_requests();
        reinstall(&client(&fake).with_known(known));
        let lines = fake.lines();
        assert_eq!(lines.len(), 3, "{name}: {lines:#?}");
        let order = ["PATCH ", "GET ", "POST "];
        assert!(
            lines.iter().zip(order).all(|(line, method)| line.starts_with(method)),
            "{lines:?}"
        );
        assert_eq!(changes(&fake), 2, "{name}");
    }
}

#[test]
fn the_list_of_reset_types_is_read_after_a_refusal_only() {
    for (name, rules, _, _) in machines() {
        let Some(fake) = fake(name, &rules) else { return };
        let bmc = client(&fake);
        let is_list = |line: &String| line.ends_with("ActionInfo");
        let _sent = bmc.power(PowerAction::Off).unwrap();
        let _sent = bmc.power(PowerAction::On).unwrap();
        let _sent = bmc.reset(&ResetType::ForceRestart).unwrap();
        assert!(!fake.lines().iter().any(is_list), "{name}: {:#?}", fake.lines());
        bmc.reset(&ResetType::from("Nonsense")).unwrap_err();
        assert!(fake.lines().iter().filter(|line| is_list(line)).count() <= 1, "{name}");
    }
}

#[test]
fn a_cray_blade_takes_the_requests_up_to_the_refusal() {
    let Some(fake) = fake("cray-ex425", &[]) else { return };
    let error = client(&fake).set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SeveralSystems { .. }));
    // The collection, and both nodes: which of them can be reset shows in themselves.
    assert_eq!(fake.requests().len(), 3);

    fake.forget_requests();
    let system = Some("/redfish/v1/Systems/Node1".to_owned());
    let profile = Profile { system, ..Profile::default() };
    let bmc = client(&fake).with_profile(profile);
    let error = bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NoBootOverride);
    assert_eq!(fake.lines(), ["GET /redfish/v1/Systems/Node1"]);
}

#[test]
fn a_bmc_that_forbids_everything_is_asked_once() {
    let Some(fake) = fake("forbidden-403", &[]) else { return };
    let bmc = client(&fake);
    bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap_err();
    assert_eq!(fake.requests().len(), 1);
    bmc.power(PowerAction::Reset).unwrap_err();
    assert_eq!(fake.requests().len(), 2);
}
