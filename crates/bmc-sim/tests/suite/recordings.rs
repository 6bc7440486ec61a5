//! Recordings of real BMCs, where they lie beside the workspace.

use std::path::{Path, PathBuf};

use bmc_sim::{Bmc, BootWrites, Power, Tree};
use serde_json::{Value, json};

use crate::client::{Bench, Client};

/// The folder of recordings; `None`, and a word about it, where there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let shared = std::env::var_os("CLUSTERCTL_SHARED").map(PathBuf::from);
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = shared.unwrap_or_else(|| workspace.join("../shared")).join("data/redfish");
    if !folder.is_dir() {
        println!("skipped: no recordings at {}", folder.display());
        return None;
    }
    Some(folder)
}

pub(crate) fn bench(name: &str) -> Option<Bench> {
    let tree = Tree::recording(folder()?.join(format!("{name}.json"))).unwrap();
    Some(Bench::of(Bmc::builder().tree(tree)))
}

/// How one make takes a one-time network boot and a reset.
struct Make {
    name: &'static str,
    system: &'static str,
    /// Where the override is written; `None`: nowhere.
    writes_to: Option<&'static str>,
    mode: Option<&'static str>,
    if_match: bool,
    restart: &'static str,
    refused: &'static str,
}

const MAKES: [Make; 9] = [
    Make {
        name: "dell-idrac9-6.00",
        system: "/redfish/v1/Systems/System.Embedded.1",
        writes_to: Some("/redfish/v1/Systems/System.Embedded.1"),
        mode: None,
        if_match: false,
        restart: "PowerCycle",
        refused: "ForceOn",
    },
    Make {
        name: "hpe-ilo5",
        system: "/redfish/v1/Systems/1",
        writes_to: Some("/redfish/v1/Systems/1"),
        mode: None,
        if_match: false,
        restart: "ForceRestart",
        refused: "PowerCycle",
    },
    Make {
        name: "hpe-ilo6-dl380a",
        system: "/redfish/v1/Systems/1",
        writes_to: Some("/redfish/v1/Systems/1"),
        mode: None,
        if_match: false,
        restart: "ForceRestart",
        refused: "PowerCycle",
    },
    Make {
        name: "lenovo-xcc",
        system: "/redfish/v1/Systems/1",
        writes_to: Some("/redfish/v1/Systems/1"),
        mode: None,
        if_match: true,
        restart: "ForceRestart",
        refused: "PowerCycle",
    },
    Make {
        name: "supermicro-x13",
        system: "/redfish/v1/Systems/1",
        writes_to: Some("/redfish/v1/Systems/1"),
        mode: Some("UEFI"),
        if_match: false,
        restart: "ForceRestart",
        refused: "PushPowerButton",
    },
    Make {
        name: "ami-dgx-h100",
        system: "/redfish/v1/Systems/DGX",
        writes_to: Some("/redfish/v1/Systems/DGX/SD"),
        mode: Some("UEFI"),
        if_match: true,
        restart: "ForceRestart",
        refused: "GracefulRestart",
    },
    Make {
        name: "nvidia-gb200",
        system: "/redfish/v1/Systems/System_0",
        writes_to: Some("/redfish/v1/Systems/System_0/Settings"),
        mode: None,
        if_match: false,
        restart: "PowerCycle",
        refused: "PushPowerButton",
    },
    Make {
        name: "openbmc-stock",
        system: "/redfish/v1/Systems/system",
        writes_to: Some("/redfish/v1/Systems/system"),
        mode: None,
        if_match: false,
        restart: "ForceRestart",
        refused: "PushPowerButton",
    },
    Make {
        name: "cray-ex425",
        system: "/redfish/v1/Systems/Node0",
        writes_to: None,
        mode: None,
        if_match: true,
        restart: "Off",
        refused: "ForceRestart",
    },
];

impl Make {
    fn boot_once(&self, client: Client, tag: Option<&str>, to: &str) -> u16 {
        let mut client = match tag {
            Some(tag) => client.with("If-Match", tag),
            None => client,
        };
        let mut boot =
            json!({"BootSourceOverrideTarget": "Pxe", "BootSourceOverrideEnabled": "Once"});
        if let Some(mode) = self.mode {
            boot["BootSourceOverrideMode"] = json!(mode);
        }
        client.patch(to, &json!({ "Boot": boot })).status
    }

    fn reset(&self, bench: &Bench, kind: &str) -> u16 {
        let target = format!("{}/Actions/ComputerSystem.Reset", self.system);
        bench.client().post(&target, &json!({ "ResetType": kind })).status
    }
}

#[test]
fn each_make_takes_a_one_time_network_boot_in_its_own_way() {
    for make in &MAKES {
        let Some(bench) = bench(make.name) else { return };
        let name = make.name;
        let Some(to) = make.writes_to else {
            assert_eq!(bench.bmc.boot_override(), None, "{name}");
            assert_eq!(make.boot_once(bench.client(), Some("*"), make.system), 400, "{name}");
            continue;
        };
        if to != make.system {
            assert_eq!(make.boot_once(bench.client(), Some("*"), make.system), 400, "{name}");
        }
        let untagged = make.boot_once(bench.client(), None, to);
        assert_eq!(untagged == 428, make.if_match, "{name}: {untagged}");
        let tag = bench.client().get(to).header("ETag").unwrap().to_owned();
        let done = make.boot_once(bench.client(), Some(&tag), to);
        // Where the first write was done, its tag is new, and this one has it.
        assert!((200..300).contains(&done), "{name}: {done}");
        let shown = bench.client().get(to).json()["Boot"].take();
        assert_eq!(shown["BootSourceOverrideEnabled"], "Once", "{name}");
        let reads_as = if name == "supermicro-x13" { "UefiBootNext" } else { "Pxe" };
        assert_eq!(shown["BootSourceOverrideTarget"], reads_as, "{name}");
        if bench.bmc.power() == Some(Power::Off) {
            assert_eq!(make.reset(&bench, "On") / 100, 2, "{name}");
        } else {
            assert_eq!(make.reset(&bench, make.restart) / 100, 2, "{name}");
        }
        let shown = bench.client().get(to).json()["Boot"].take();
        assert_eq!(shown["BootSourceOverrideEnabled"], "Disabled", "{name}");
    }
}

#[test]
fn each_make_resets_by_the_types_it_lists_and_shows_the_power() {
    for make in &MAKES {
        let Some(bench) = bench(make.name) else { return };
        let power = || bench.client().get(make.system).json()["PowerState"].take();
        assert_eq!(make.reset(&bench, make.refused), 400, "{}", make.name);
        if power() == "Off" {
            assert_eq!(make.reset(&bench, "On") / 100, 2, "{}", make.name);
        }
        assert_eq!(power(), "On", "{}", make.name);
        assert_eq!(make.reset(&bench, "ForceOff") / 100, 2, "{}", make.name);
        assert_eq!(power(), "Off", "{}", make.name);
        assert_eq!(make.reset(&bench, "On") / 100, 2, "{}", make.name);
        assert_eq!(power(), "On", "{}", make.name);
        assert_eq!(make.reset(&bench, make.restart) / 100, 2, "{}", make.name);
    }
}

#[test]
fn the_refusal_of_a_repeated_power_state_is_the_vendors() {
    for (name, status, message) in
        [("dell-idrac9-6.00", 409, "PSU501"), ("hpe-ilo5", 400, "InvalidOperationForSystemState")]
    {
        let Some(bench) = bench(name) else { return };
        let make = MAKES.iter().find(|make| make.name == name).unwrap();
        let target = format!("{}/Actions/ComputerSystem.Reset", make.system);
        let refused = bench.client().post(&target, &json!({"ResetType": "On"}));
        assert_eq!((refused.status, refused.message_id().as_str()), (status, message));
    }
}

#[test]
fn a_baseboard_without_a_reset_has_no_machine() {
    let Some(bench) = bench("nvidia-gb200") else { return };
    let state = bench.bmc.state();
    let powers: Vec<_> =
        state.systems.iter().map(|it| (it.path.rsplit('/').next().unwrap(), it.power)).collect();
    assert_eq!(powers, [("System_0", Some(Power::On)), ("HGX_Baseboard_0", None)]);
    assert_eq!(bench.bmc.rules().boot_writes, BootWrites::Settings);
}

#[test]
fn a_blade_controller_switches_its_nodes_apart() {
    let Some(bench) = bench("cray-ex425") else { return };
    let target = "/redfish/v1/Systems/Node1/Actions/ComputerSystem.Reset";
    assert_eq!(bench.client().post(target, &json!({"ResetType": "ForceOff"})).status, 204);
    let powers: Vec<_> = bench.bmc.state().systems.iter().map(|system| system.power).collect();
    assert_eq!(powers, [Some(Power::On), Some(Power::Off)]);
    let order = json!({"Boot": {"BootOrder": ["HSN0-PXE-IP4", "ME0-PXE-IP4"]}});
    let mut client = bench.client().with("If-Match", "*");
    assert_eq!(client.patch("/redfish/v1/Systems/Node0", &order).status, 200);
}

#[test]
fn every_recorded_resource_is_served_as_it_was_recorded() {
    let Some(folder) = folder() else { return };
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let tree = Tree::recording(&path).unwrap();
        let bench = Bench::of(Bmc::builder().tree(tree));
        let recording: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let resources = recording["resources"].as_object().unwrap();
        let mut client = bench.client();
        for (resource, body) in resources.iter().step_by(7) {
            if resource.contains("/SessionService/Sessions") {
                continue;
            }
            let served = client.get(resource);
            assert_eq!(served.status, 200, "{} {resource}", path.display());
            assert_eq!(&served.json(), body, "{} {resource}", path.display());
        }
        // Recorded sessions are not logged in here.
        let sessions = client.get("/redfish/v1/SessionService/Sessions").json();
        let has_any = resources.contains_key("/redfish/v1/SessionService/Sessions");
        assert_eq!(sessions["Members"] == json!([]), has_any, "{}", path.display());
    }
}

#[test]
fn a_file_that_is_no_recording_is_an_error_that_names_it() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, message) in [
        ("Cargo.toml", "is not JSON"),
        ("src/tree/built_in.json", "has no resources"),
        ("nowhere.json", "cannot read the recording"),
    ] {
        let error = Tree::recording(here.join(file)).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains(file), "{error}");
    }
}
