//! Which rows of the table of vendors the project's own client notices: what it sends, or what it
//! says of it, differs where a row is dropped.
//!
//! A row it does not notice is one that its requests never run into (it sends the tag, it leaves the
//! mode out): such a row is seen by the scenarios of a careless client only.

use std::collections::{BTreeSet, HashMap};
use std::fmt::{Debug, Write as _};
use std::sync::Arc;

use bmc_sim::{Make, vendor_rules};
use redfish::fake::FakeClock;
use redfish::https::{Client, Trust};
use redfish::{
    Account, Authentication, BootMode, BootRequest, BootSource, ModeOption, Password, PowerAction,
    ResetType,
};
use serde_json::json;

use crate::client::{PASSWORD, SYSTEM, USER};
use crate::vendor_rules::{Bench, bench};

/// Rows that nothing the client does runs into, and why.
const UNNOTICED: &[(&str, &str)] = &[
    ("ami-names-the-future-state", "it writes the settings object in the first place"),
    ("continuous-is-refused-in-uefi", "the list of the resource says so, and it looks there first"),
    ("hpe-disables-with-a-target-only", "it disables with the target as it is"),
    ("hpe-registries-are-compressed", "it reads no registry"),
    ("hpe-session-timeout-in-minutes", "its sessions end with the operation"),
    ("idrac10-tags-of-compressed-answers", "it asks for identity"),
    ("idrac10-actions-take-no-if-match", "it sends none with an action"),
    ("idrac8-message-is-no-list", "it reads either form to the same effect"),
    ("if-match-is-required", "it sends If-Match with every write"),
    ("kaytus-says-428-for-a-stale-tag", "its tags are fresh, or a star"),
    ("no-http-boot-uri", "it does not write HttpBootUri"),
    ("one-indicator-at-a-time", "it does not write both"),
    ("openbmc-writes-one-by-one", "it sends no part that is refused"),
    ("the-bodys-tag-is-another", "it prefers the header's"),
    ("updates-answer-without-a-body", "it reads back whatever the answer holds"),
    ("what-is-left-out-falls-back", "it sends all three"),
];

/// One transport for all: making one takes longer than a scenario.
fn transport() -> Client {
    Client::new(Trust::Insecure).unwrap()
}

fn client_of(bench: &Bench, password: &str, client: &Client) -> redfish::Bmc<Client> {
    let account = Account::new(USER, Password::new(password.to_owned())).unwrap();
    let endpoint = bench.running.address().to_string().parse().unwrap();
    redfish::Bmc::new(endpoint, account, client.clone()).with_clock(Arc::new(FakeClock::default()))
}

/// Everything the client does, one after another: what it said, what it sent, what the machine did.
fn transcript(bench: &Bench, transport: &Client) -> String {
    let client = |bench, password| client_of(bench, password, transport);
    let mut text = String::new();
    let mut step = |name: &str, outcome: &dyn Debug| {
        let _ = writeln!(text, "{name}: {outcome:?}");
    };
    let bmc = client(bench, PASSWORD);
    let boot = |request: &BootRequest| bmc.set_boot_override(request);
    step("status", &bmc.power_state());
    step("already on", &bmc.power(PowerAction::On));
    step("once", &boot(&BootRequest::once(BootSource::PXE)));
    step("show", &bmc.boot_override());
    step("restart", &bmc.power(PowerAction::Reset));
    step("once after a restart", &boot(&BootRequest::once(BootSource::PXE)));
    step("clear", &bmc.clear_boot_override());
    step("clear again", &bmc.clear_boot_override());
    let legacy = ModeOption::Set(BootMode::Legacy);
    step("mode", &boot(&BootRequest::once(BootSource::PXE).with_mode(legacy)));
    step("every", &boot(&BootRequest::continuous(BootSource::HDD)));
    step("http", &boot(&BootRequest::once(BootSource::UEFI_HTTP).even_if_not_listed()));
    step("graceful", &bmc.reset(&ResetType::GracefulRestart));
    step("cycle", &bmc.reset(&ResetType::PowerCycle));
    step("status", &bmc.power_state());
    step("off", &bmc.power(PowerAction::Off));
    step("already off", &bmc.power(PowerAction::Off));
    step("restart when off", &bmc.reset(&ResetType::ForceRestart));
    step("on", &bmc.power(PowerAction::On));
    step("status", &bmc.power_state());
    let drive = "/redfish/v1/Managers/1/VirtualMedia/CD";
    let act = |name: &str, body| {
        let path = format!("{drive}/Actions/VirtualMedia.{name}").parse().unwrap();
        bmc.post(&path, &body).map(|reply| format!("{reply:?}"))
    };
    step("insert", &act("InsertMedia", json!({"Image": "http://boot/x.iso", "UserName": ""})));
    step("eject", &act("EjectMedia", json!({})));
    step("drive", &bmc.get(&drive.parse().unwrap()).map(|body| body["ImageName"].clone()));
    let chassis = |kind: &str| {
        let path = "/redfish/v1/Chassis/1/Actions/Chassis.Reset".parse().unwrap();
        bmc.post(&path, &json!({ "ResetType": kind })).is_ok()
    };
    step("off in a chassis that is off", &(bmc.power(PowerAction::Off), chassis("ForceOff")));
    step("on in a chassis that is off", &(bmc.power(PowerAction::On), chassis("On")));
    step("on again", &bmc.power(PowerAction::On));
    step("root", &bmc.get(&"/redfish/v1".parse().unwrap()).map(|body| body["Id"].clone()));
    let many: Vec<_> = (0..9)
        .map(|_| {
            let bmc = client(bench, PASSWORD).with_authentication(Authentication::Session);
            step("session", &bmc.get(&SYSTEM.parse().unwrap()).is_ok());
            bmc
        })
        .collect();
    step("sessions", &many.iter().filter(|bmc| bmc.is_out_of_sessions()).count());
    drop(many);
    for _ in 0..5 {
        step("wrong password", &client(bench, "wrong").power_state());
    }
    step("right password", &client(bench, PASSWORD).power_state());
    step("machine", &bench.machine.actions());
    for request in bench.bmc.requests() {
        let body = request.body.map(|body| body.to_string()).unwrap_or_default();
        let tag = request.if_match.unwrap_or_default();
        let _ = writeln!(text, "{} {} {body} [{tag}]", request.method, request.target);
    }
    // Nothing of the listener's port, which differs from run to run.
    text.replace(&bench.running.address().port().to_string(), "PORT")
}

#[test]
fn every_row_is_noticed_by_the_client_or_there_is_a_reason_why_not() {
    let client = transport();
    let mut plain: HashMap<Make, String> = HashMap::new();
    let mut unnoticed = BTreeSet::new();
    for row in vendor_rules() {
        let makes = if row.makes.is_empty() { &[Make::NvidiaGb200][..] } else { row.makes };
        let noticed = makes.iter().any(|make| {
            let as_made =
                plain.entry(*make).or_insert_with(|| transcript(&bench(*make, |it| it), &client));
            // A row that the make has anyway is dropped from it; another one is added.
            let other = bench(*make, |builder| {
                if row.always {
                    builder.without_rule(row.name)
                } else {
                    builder.with_rule(row.name)
                }
            });
            *as_made != transcript(&other, &client)
        });
        if !noticed {
            unnoticed.insert(row.name);
        }
    }
    let known: BTreeSet<&str> = UNNOTICED.iter().map(|(row, _)| *row).collect();
    let unexplained: Vec<_> = unnoticed.difference(&known).collect();
    assert!(unexplained.is_empty(), "dropped without any notice: {unexplained:?}");
    let stale: Vec<_> = known.difference(&unnoticed).collect();
    assert!(stale.is_empty(), "noticed by now, so there is no reason to give: {stale:?}");
}

#[test]
fn one_run_of_the_client_is_like_another() {
    let client = transport();
    let runs: Vec<_> =
        (0..2).map(|_| transcript(&bench(Make::Plain, |builder| builder), &client)).collect();
    assert_eq!(runs[0], runs[1]);
}
