//! Reset: what is taken, what the machine is told, and when.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use bmc_sim::{
    Action, Bmc, BootOverride, BootSource, Machine, MemoryMachine, Power, Precondition, Reply, Tree,
};
use serde_json::json;

use crate::client::{Bench, RESET, SYSTEM};

fn bench(power: Power) -> (Bench, Arc<MemoryMachine>) {
    let machine = Arc::new(MemoryMachine::new(power));
    let told: Arc<dyn Machine> = Arc::clone(&machine) as _;
    (Bench::of(Bmc::builder().machine(told)), machine)
}

fn own_order() -> BootSource {
    BootSource { mode: Some("UEFI".to_owned()), ..BootSource::default() }
}

#[test]
fn each_reset_type_becomes_the_action_its_name_promises() {
    for (power, word, action) in [
        (Power::On, "ForceOff", Some(Action::ForceOff)),
        (Power::On, "GracefulShutdown", Some(Action::GracefulShutdown)),
        (Power::On, "PushPowerButton", Some(Action::GracefulShutdown)),
        (Power::On, "ForceRestart", Some(Action::ForceRestart(own_order()))),
        (Power::On, "GracefulRestart", Some(Action::GracefulRestart(own_order()))),
        (Power::On, "PowerCycle", Some(Action::PowerCycle(own_order()))),
        (Power::On, "Nmi", Some(Action::Nmi)),
        (Power::On, "On", None),
        (Power::On, "ForceOn", None),
        (Power::Off, "On", Some(Action::On(own_order()))),
        (Power::Off, "ForceOn", Some(Action::On(own_order()))),
        (Power::Off, "PushPowerButton", Some(Action::On(own_order()))),
        (Power::Off, "ForceOff", None),
        (Power::Off, "GracefulShutdown", None),
    ] {
        let (bench, machine) = bench(power);
        assert_eq!(bench.client().reset(word).status, 204, "{power:?} {word}");
        assert_eq!(machine.actions(), Vec::from_iter(action), "{power:?} {word}");
    }
}

#[test]
fn the_power_a_get_shows_is_the_machines() {
    let (bench, machine) = bench(Power::On);
    let mut client = bench.client();
    for power in [Power::Off, Power::PoweringOn, Power::On, Power::PoweringOff, Power::Paused] {
        machine.set_power(power);
        assert_eq!(client.get(SYSTEM).json()["PowerState"], power.as_str());
        assert_eq!(bench.bmc.power(), Some(power));
    }
}

#[test]
fn what_is_not_a_reset_changes_nothing() {
    let (bench, machine) = bench(Power::On);
    let mut client = bench.client();
    for (body, message) in [
        (json!({"ResetType": "Explode"}), "ActionParameterValueNotInList"),
        (json!({"ResetType": "forceoff"}), "ActionParameterValueNotInList"),
        (json!({"ResetType": null}), "ActionParameterValueNotInList"),
        (json!({"ResetType": ["ForceOff"]}), "ActionParameterValueNotInList"),
        (json!({}), "ActionParameterMissing"),
        (json!({"ResetType": "ForceOff", "Delay": 5}), "ActionParameterUnknown"),
        (json!("ForceOff"), "MalformedJSON"),
    ] {
        let refused = client.post(RESET, &body);
        assert_eq!((refused.status, refused.message_id().as_str()), (400, message), "{body}");
    }
    assert_eq!(client.send("POST", RESET, "{\"ResetType\": \"ForceOff\"").unwrap().status, 400);
    assert_eq!(client.send("POST", RESET, "").unwrap().message_id(), "ActionParameterMissing");
    assert_eq!(client.get(RESET).status, 404);
    assert!(machine.actions().is_empty());
}

#[test]
fn allowed_types_are_read_from_the_action_info_where_they_are_not_inline() {
    let info = "/redfish/v1/Systems/1/ResetActionInfo";
    let tree = Tree::built_in()
        .with(
            info,
            &json!({"Parameters": [{"Name": "ResetType", "AllowableValues": ["On", "Off"]}]}),
        )
        .with(
            SYSTEM,
            &json!({"Actions": {"#ComputerSystem.Reset": {
                "ResetType@Redfish.AllowableValues": null,
                "@Redfish.ActionInfo": info,
            }}}),
        );
    let mut system = tree.resource(SYSTEM).unwrap().clone();
    let action = system.pointer_mut("/Actions/#ComputerSystem.Reset").unwrap();
    action.as_object_mut().unwrap().shift_remove("ResetType@Redfish.AllowableValues");
    let tree = tree.with(SYSTEM, &json!({"Actions": null})).with(SYSTEM, &system);
    let bench = Bench::of(Bmc::builder().tree(tree));
    assert_eq!(bench.client().reset("ForceOff").status, 400);
    assert_eq!(bench.client().get(info).status, 200);
    assert_eq!(bench.client().reset("Off").status, 204);
    assert_eq!(bench.bmc.power(), Some(Power::Off));
}

#[test]
fn a_reset_the_machine_cannot_follow_is_answered_by_the_rule() {
    let (bench, machine) = bench(Power::Off);
    let mut client = bench.client();
    for word in ["ForceRestart", "GracefulRestart", "PowerCycle", "Nmi"] {
        assert_eq!(client.reset(word).status, 409, "{word}");
    }
    assert_eq!(client.reset("ForceOff").status, 204);
    let refuse = |status, id: &str| Precondition::Refuse { status, message_id: id.to_owned() };
    bench.bmc.change_rules(|rules| {
        rules.repeated_power = refuse(409, "IDRAC.2.7.PSU501");
        rules.restart_when_off = Precondition::Accept;
    });
    let refused = client.reset("ForceOff");
    assert_eq!((refused.status, refused.message_id().as_str()), (409, "PSU501"));
    assert!(machine.actions().is_empty());
    assert_eq!(client.reset("Nmi").status, 204);
    assert!(machine.actions().is_empty());
    assert_eq!(client.reset("PowerCycle").status, 204);
    assert_eq!(machine.actions(), [Action::On(own_order())]);
    assert_eq!(client.reset("On").status, 409);
}

#[test]
fn a_slow_power_change_shows_itself_until_it_is_done() {
    let (bench, machine) = bench(Power::On);
    let mut client = bench.client();
    bench.bmc.change_rules(|rules| rules.power_delay = Duration::from_millis(150));
    let power = |bench: &Bench| bench.client().get(SYSTEM).json()["PowerState"].clone();
    assert_eq!(client.reset("ForceOff").status, 204);
    assert_eq!(power(&bench), "PoweringOff");
    assert!(machine.actions().is_empty());
    wait_until(|| !machine.actions().is_empty());
    wait_until(|| power(&bench) == "Off");

    bench.bmc.change_rules(|rules| rules.transitional_states = false);
    assert_eq!(client.reset("On").status, 204);
    assert_eq!(power(&bench), "Off");
    wait_until(|| power(&bench) == "On");
}

#[test]
fn the_override_in_force_when_the_machine_boots_counts_not_when_it_was_asked() {
    let (bench, machine) = bench(Power::Off);
    bench.bmc.change_rules(|rules| rules.power_delay = Duration::from_millis(100));
    bench.client().reset("On");
    bench.bmc.set_boot_override(BootOverride::once("Pxe"));
    wait_until(|| !machine.actions().is_empty());
    assert!(machine.actions()[0].boot().unwrap().is_pxe());
    assert_eq!(bench.bmc.boot_override(), Some(BootOverride::default()));
}

#[test]
fn a_power_change_that_is_not_due_dies_with_its_bmc() {
    let (bench, machine) = bench(Power::On);
    bench.bmc.change_rules(|rules| rules.power_delay = Duration::from_mins(10));
    assert_eq!(bench.client().reset("ForceOff").status, 204);
    let begun = Instant::now();
    drop(bench);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(machine.actions().is_empty());
}

#[test]
fn an_action_is_answered_in_every_known_shape() {
    for (reply, status) in [
        (Reply::NoContent, 204),
        (Reply::Resource, 200),
        (Reply::Message, 200),
        (Reply::Empty, 200),
        (Reply::Task, 202),
    ] {
        let (bench, machine) = bench(Power::On);
        bench.bmc.change_rules(|rules| rules.action_reply = reply);
        let mut client = bench.client();
        let answer = client.reset("Nmi");
        assert_eq!((answer.status, machine.actions().len()), (status, 1), "{reply:?}");
        match reply {
            Reply::NoContent | Reply::Empty => assert!(answer.body.is_empty()),
            Reply::Resource | Reply::Message => assert_eq!(answer.message_id(), "Success"),
            Reply::Task => {
                assert_eq!(answer.json()["TaskState"], "New");
                let task = client.get(answer.header("Location").unwrap());
                assert_eq!(task.json()["TaskState"], "Completed");
            }
        }
    }
}

/// A machine that reboots by itself as soon as it is told to, and asks its BMC where from.
#[derive(Default)]
struct Reentrant {
    bmc: OnceLock<Bmc>,
    boots: Mutex<Vec<BootSource>>,
}

impl Machine for Reentrant {
    fn power(&self) -> Power {
        Power::On
    }

    fn act(&self, _: Action) {
        let bmc = self.bmc.get().unwrap();
        bmc.state();
        self.boots.lock().unwrap().push(bmc.boot());
    }
}

#[test]
fn a_machine_may_ask_its_bmc_while_it_acts() {
    let machine = Arc::new(Reentrant::default());
    let bench = Bench::of(Bmc::builder().machine(Arc::clone(&machine) as _));
    machine.bmc.set(bench.bmc.clone()).ok().unwrap();
    bench.bmc.set_boot_override(BootOverride::continuous("Hdd"));
    assert_eq!(bench.client().reset("GracefulRestart").status, 204);
    assert_eq!(machine.boots.lock().unwrap()[0].target.as_deref(), Some("Hdd"));
}

#[test]
fn a_machine_for_a_system_that_is_not_there_is_an_error() {
    let machine = || Arc::new(MemoryMachine::default());
    let error = Bmc::builder().machine_of("Node7", machine()).build().unwrap_err();
    assert_eq!(error.to_string(), "no system Node7 that can be reset");
    assert!(Bmc::builder().machine_of("1", machine()).build().is_ok());
}

fn wait_until(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(10), "it never came");
        std::thread::sleep(Duration::from_millis(5));
    }
}
