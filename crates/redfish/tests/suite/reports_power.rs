//! Public reports about power and about which machine is meant, each by what went wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::Method;
use redfish::fake::{FakeBmc, FakeClock, Rule};
use redfish::{
    Bmc, ErrorKind, Limits, PowerAction, PowerOutcome, PowerState, Profile, ResetType, Transport,
    TransportError,
};
use serde_json::{Value, json};

use crate::site::{account, client, recording};

const SYSTEM: &str = "/redfish/v1/Systems/1";

fn change(fake: &FakeBmc, change: impl FnOnce(&mut Value)) {
    let mut system = fake.resource(SYSTEM).unwrap();
    change(&mut system);
    fake.set(SYSTEM, system);
}

fn machine_that_is_off() -> FakeBmc {
    let fake = FakeBmc::new();
    change(&fake, |system| system["PowerState"] = json!("Off"));
    fake
}

fn resets(fake: &FakeBmc) -> Vec<String> {
    let posts = fake.requests().into_iter().filter(|asked| asked.method == Method::POST);
    posts.map(|asked| asked.body["ResetType"].as_str().unwrap().to_owned()).collect()
}

/// openmanage issue 132, infra-operator issue 434.
#[test]
fn dell_answered_409_to_an_off_and_fencing_failed_although_it_was_off() {
    let fake = machine_that_is_off().with_rule(Rule::RefuseSameState(409));
    let bmc = client(&fake);
    // Seen before anything is sent.
    assert_eq!(bmc.power(PowerAction::Off).unwrap(), PowerOutcome::Already(PowerState::Off));
    // Sent at once to a machine that is known, and refused.
    assert_eq!(bmc.power(PowerAction::Off).unwrap(), PowerOutcome::Already(PowerState::Off));
    assert_eq!(resets(&fake), ["ForceOff"]);
}

/// ansible-ilo issue 1, cloudstack issue 12921.
#[test]
fn ilo_answered_400_to_a_reset_and_nobody_said_that_the_machine_is_off() {
    let fake = machine_that_is_off().with_rule(Rule::RefuseSameState(400));
    let error = client(&fake).power(PowerAction::Reset).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::MachineIsOff);
    assert_eq!(fake.resource(SYSTEM).unwrap()["PowerState"], "Off");

    let _sent = client(&fake).power(PowerAction::ResetOrOn).unwrap();
    assert_eq!(fake.resource(SYSTEM).unwrap()["PowerState"], "On");
}

/// badfish issues 66 and 118, openmanage issue 91.
#[test]
fn a_graceful_restart_that_was_hard_coded_was_refused() {
    let fake = FakeBmc::new();
    let name = "ResetType@Redfish.AllowableValues";
    // iDRAC 9 with firmware 3.34.
    let types =
        json!(["On", "ForceOff", "ForceRestart", "GracefulShutdown", "PushPowerButton", "Nmi"]);
    change(&fake, |system| system["Actions"]["#ComputerSystem.Reset"][name] = types);
    let _sent = client(&fake).power(PowerAction::Reset).unwrap();
    assert_eq!(resets(&fake), ["ForceRestart"]);
    let error = client(&fake).reset(&ResetType::GracefulRestart).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::ResetTypeNotOffered { offered, .. } if offered.len() == 6)
    );
    assert_eq!(resets(&fake).len(), 1, "nothing that is not offered is sent");

    // A machine without the preferred type gets the next one.
    change(&fake, |system| {
        system["Actions"]["#ComputerSystem.Reset"][name] = json!(["On", "ForceOff"]);
    });
    let _sent = client(&fake).power(PowerAction::Reset).unwrap();
    assert_eq!(resets(&fake)[1..], ["ForceOff", "On"]);
}

/// libredfish pull requests 107 and 124.
#[test]
fn the_baseboard_of_the_gpus_was_acted_on_for_it_was_listed_first() {
    for (name, system) in [("nvidia-gb200", "System_0"), ("ami-dgx-h100", "DGX")] {
        let Some(resources) = recording(name) else { return };
        let fake = FakeBmc::of_resources(&resources);
        let path = "/redfish/v1/Systems";
        let mut collection = fake.resource(path).unwrap();
        let members = collection["Members"].as_array_mut().unwrap();
        members.sort_by_key(|member| !member.to_string().contains("HGX"));
        assert!(members[0].to_string().contains("HGX"));
        fake.set(path, collection);
        assert_eq!(client(&fake).system().unwrap().path().id(), system);
    }
}

/// terraform-provider-redfish issue 192.
#[test]
fn of_several_systems_none_could_be_chosen() {
    let Some(resources) = recording("cray-ex425") else { return };
    let fake = FakeBmc::of_resources(&resources);
    let error = client(&fake).power(PowerAction::Off).unwrap_err();
    let offered = vec!["Node0".to_owned(), "Node1".to_owned()];
    assert_eq!(*error.kind(), ErrorKind::SeveralSystems { offered: offered.clone() });
    for node in offered {
        let profile = Profile { system: Some(node.clone()), ..Profile::default() };
        assert_eq!(client(&fake).with_profile(profile).system().unwrap().path().id(), node);
    }
    let profile = Profile { system: Some("Node7".to_owned()), ..Profile::default() };
    let error = client(&fake).with_profile(profile).power(PowerAction::Off).unwrap_err();
    assert!(error.to_string().ends_with("there is Node0, Node1"), "{error}");
    assert!(fake.requests().iter().all(|asked| asked.method == Method::GET));
}

/// powerman issue 148 and pull request 149.
#[test]
fn a_native_power_cycle_left_machines_off() {
    let fake = FakeBmc::new();
    let _sent = client(&fake).power(PowerAction::Cycle).unwrap();
    assert_eq!(resets(&fake), ["ForceOff", "On"], "although PowerCycle is offered");
    let last = fake.requests().into_iter().rev().take(3).map(|asked| asked.method);
    let order = [Method::POST, Method::GET, Method::POST];
    assert!(last.eq(order), "the on waits until the machine is seen off");
    assert_eq!(fake.resource(SYSTEM).unwrap()["PowerState"], "On");
}

/// Takes a while to switch on, as EX235a does.
struct Slow {
    clock: Arc<FakeClock>,
    time: Duration,
    asked: AtomicUsize,
}

impl Transport for Slow {
    fn send(
        &self,
        _request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let state = if self.clock.waited() < self.time { "PoweringOn" } else { "On" };
        let body = json!({"@odata.id": SYSTEM, "PowerState": state}).to_string();
        Ok(http::Response::new(body.into_bytes()))
    }
}

/// powerman issue 67.
#[test]
fn switching_on_took_46_seconds_and_the_time_for_it_was_fixed() {
    let state_after = |time: u64| {
        let clock = Arc::new(FakeClock::default());
        let slow = Slow {
            clock: clock.clone(),
            time: Duration::from_secs(46),
            asked: AtomicUsize::new(0),
        };
        let bmc = Bmc::new("x.example.org".parse().unwrap(), account(), &slow)
            .with_clock(clock)
            // The time of an operation is another one than the time to wait for a state.
            .with_limits(Limits { operation: Duration::from_secs(5) });
        bmc.wait_for(&PowerState::On, Duration::from_secs(time)).unwrap()
    };
    assert_eq!(state_after(90), PowerState::On);
    assert_eq!(state_after(40), PowerState::PoweringOn);
}

/// Redfish-Tacklebox issue 69.
#[test]
fn there_was_no_way_to_read_the_power_state() {
    let fake = machine_that_is_off();
    assert_eq!(client(&fake).power_state().unwrap(), PowerState::Off);
    assert_eq!(fake.requests().len(), 1);
}
