//! The simulated BMC on real TLS, as every recorded one by the rules of its maker.

use bmc_sim::Tree;
use redfish::https::Client;
use redfish::{
    Bmc, BootClear, BootRequest, BootSource, IndicatorAction, MediaRequest, PowerAction,
    PowerOutcome, PowerState, Profile, ResetType, SensorScope,
};

use crate::server::Simulated;
use crate::site::recording_file;

/// Recordings of one system that can be switched and has a boot override.
const MACHINES: [&str; 8] = [
    "ami-dgx-h100",
    "dell-idrac9-6.00",
    "hpe-ilo5",
    "hpe-ilo6-dl380a",
    "lenovo-xcc",
    "nvidia-gb200",
    "openbmc-stock",
    "supermicro-x13",
];

fn simulated(name: &str) -> Option<Simulated> {
    Some(Simulated::of(Tree::recording(recording_file(name)?).unwrap()))
}

/// What each machine says to a question; nothing where the recordings are not at hand.
fn each(ask: impl Fn(&Bmc<Client>) -> String) -> Option<String> {
    let mut lines = Vec::new();
    for name in MACHINES {
        let simulated = simulated(name)?;
        lines.push(format!("{name}: {}", ask(&simulated.client())));
    }
    Some(lines.join("\n"))
}

#[test]
fn a_one_time_boot_is_set_read_back_used_up_and_cleared() {
    for name in MACHINES {
        let Some(simulated) = simulated(name) else { return };
        let bmc = simulated.client();
        let written = bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap();
        assert!(written.read_back.is_set(), "{name}: {written:?}");
        let _sent = bmc.power(PowerAction::ResetOrOn).unwrap();
        assert_eq!(bmc.boot_override().unwrap().is_set(), Some(false), "{name}");

        let written = bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap();
        assert!(written.read_back.is_set(), "{name}: {written:?}");
        let cleared = bmc.clear_boot_override().unwrap();
        assert!(matches!(cleared, BootClear::Cleared), "{name}: {cleared:?}");
    }
}

#[test]
fn a_machine_is_switched_off_and_on_and_off_again_is_nothing() {
    for name in MACHINES {
        let Some(simulated) = simulated(name) else { return };
        let bmc = simulated.client();
        let _sent = bmc.power(PowerAction::Off).unwrap();
        assert_eq!(bmc.power_state().unwrap(), PowerState::Off, "{name}");
        let again = bmc.power(PowerAction::Off).unwrap();
        let is_off = matches!(&again, PowerOutcome::Already(PowerState::Off))
            // Some take it without a word.
            || matches!(&again, PowerOutcome::Sent { reset: ResetType::ForceOff, .. });
        assert!(is_off, "{name}: {again:?}");
        let _sent = bmc.power(PowerAction::Cycle).unwrap();
        assert_eq!(bmc.power_state().unwrap(), PowerState::On, "{name}");
    }
}

#[test]
fn an_indicator_is_switched_and_read_back() {
    for name in MACHINES {
        let Some(simulated) = simulated(name) else { return };
        let bmc = simulated.client();
        // iDRAC rests at lit.
        for action in [IndicatorAction::Off, IndicatorAction::On] {
            let changed = bmc.set_indicator(action).unwrap();
            assert!(changed.is_done(), "{name} {action}: {changed:?}");
        }
    }
}

#[test]
fn an_image_is_inserted_and_ejected() {
    for name in ["dell-idrac9-6.00", "hpe-ilo5", "lenovo-xcc", "nvidia-gb200", "supermicro-x13"] {
        let Some(simulated) = simulated(name) else { return };
        let bmc = simulated.client();
        let request = MediaRequest::new("https://images.example.org/rescue.iso");
        let inserted = bmc.insert_media(&request).unwrap();
        assert!(inserted.is_done(), "{name}: {inserted:?}");
        let ejected = bmc.eject_media(None).unwrap();
        assert!(ejected.is_done(), "{name}: {ejected:?}");
    }
}

#[test]
fn the_system_event_log_is_read_and_cleared() {
    for name in ["hpe-ilo5", "lenovo-xcc", "nvidia-gb200", "openbmc-stock", "supermicro-x13"] {
        let Some(simulated) = simulated(name) else { return };
        let bmc = simulated.client();
        let before = bmc.events(1000).unwrap();
        assert!(before.is_complete, "{name}");
        let cleared = bmc.clear_events().unwrap();
        assert_eq!((cleared.log, cleared.left), (before.log, Some(0)), "{name}");
        assert_eq!(bmc.events(1000).unwrap().events.len(), 0, "{name}");
    }
}

#[test]
fn sensors_and_firmware_are_those_of_the_recording() {
    let Some(shown) = each(|bmc| {
        let sensors = bmc.sensors(SensorScope::System).unwrap().len();
        let firmware = bmc.firmware().unwrap().len();
        format!("{sensors} sensors, {firmware} components")
    }) else {
        return;
    };
    insta::assert_snapshot!(shown, @"
    ami-dgx-h100: 138 sensors, 66 components
    dell-idrac9-6.00: 63 sensors, 23 components
    hpe-ilo5: 62 sensors, 48 components
    hpe-ilo6-dl380a: 64 sensors, 34 components
    lenovo-xcc: 42 sensors, 43 components
    nvidia-gb200: 1 sensors, 30 components
    openbmc-stock: 1 sensors, 1 components
    supermicro-x13: 65 sensors, 106 components
    ");
}

#[test]
fn a_diagnosis_changes_nothing() {
    for name in MACHINES {
        let Some(simulated) = simulated(name) else { return };
        let before = simulated.bmc.state().systems;
        simulated.client().diagnose().unwrap().machine.unwrap();
        assert!(simulated.bmc.requests().iter().all(|asked| asked.method == "GET"), "{name}");
        assert_eq!(simulated.bmc.state().systems, before, "{name}");
    }
}

#[test]
fn a_cray_node_is_switched_and_its_neighbour_is_not() {
    let Some(simulated) = simulated("cray-ex425") else { return };
    let profile = Profile { system: Some("Node1".to_owned()), ..Profile::default() };
    let bmc = simulated.client().with_profile(profile);
    let _sent = bmc.power(PowerAction::Off).unwrap();
    assert_eq!(bmc.power_state().unwrap(), PowerState::Off);
    let neighbour = Profile { system: Some("Node0".to_owned()), ..Profile::default() };
    let neighbour = simulated.client().with_profile(neighbour);
    assert_eq!(neighbour.power_state().unwrap(), PowerState::On);
}
