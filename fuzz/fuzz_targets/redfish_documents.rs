//! Arbitrary documents of a BMC, each at its place: no operation panics or asks without end, and what
//! no document says is never a state.
//!
//! The input is a list of documents, parted by the byte 0xFF: one byte for the place, then the
//! document. Places that are not named have a plain one.

#![no_main]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use libfuzzer_sys::fuzz_target;
use redfish::fake::FakeClock;
use redfish::{
    Account, Bmc, BootRequest, BootSource, IndicatorAction, IndicatorState, MediaRequest, Password,
    PowerAction, PowerState, SensorScope, Transport, TransportError,
};
use serde_json::{Value, json};

const PLACES: [&str; 20] = [
    "/redfish/v1",
    "/redfish/v1/Systems",
    "/redfish/v1/Systems/1",
    "/redfish/v1/Systems/1/Settings",
    "/redfish/v1/Systems/1/ResetActionInfo",
    "/redfish/v1/Chassis",
    "/redfish/v1/Chassis/1",
    "/redfish/v1/Chassis/1/Thermal",
    "/redfish/v1/Chassis/1/Power",
    "/redfish/v1/Chassis/1/Sensors",
    "/redfish/v1/Chassis/1/EnvironmentMetrics",
    "/redfish/v1/Managers",
    "/redfish/v1/Managers/1",
    "/redfish/v1/Managers/1/LogServices",
    "/redfish/v1/Managers/1/LogServices/SEL",
    "/redfish/v1/Managers/1/LogServices/SEL/Entries",
    "/redfish/v1/Managers/1/VirtualMedia",
    "/redfish/v1/Managers/1/VirtualMedia/1",
    "/redfish/v1/UpdateService/FirmwareInventory",
    "/redfish/v1/UpdateService/FirmwareInventory/1",
];
/// All operations together stay below this, on inputs of some thousand bytes.
const MOST_REQUESTS: usize = 20_000;

fn link(path: &str) -> Value {
    json!({ "@odata.id": path })
}

/// The plain document of a place: it leads on to the others.
fn plain(place: &str) -> Value {
    let reset = json!({
        "target": "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset",
        "@Redfish.ActionInfo": PLACES[4],
    });
    match place {
        "/redfish/v1/Systems" => json!({ "Members": [link(PLACES[2])] }),
        "/redfish/v1/Systems/1" => json!({
            "@odata.id": PLACES[2],
            "@Redfish.Settings": { "SettingsObject": link(PLACES[3]) },
            "Links": { "Chassis": [link(PLACES[6])], "ManagedBy": [link(PLACES[12])] },
            "Actions": { "#ComputerSystem.Reset": reset },
        }),
        "/redfish/v1/Chassis" => json!({ "Members": [link(PLACES[6])] }),
        "/redfish/v1/Chassis/1" => json!({
            "Thermal": link(PLACES[7]),
            "Power": link(PLACES[8]),
            "Sensors": link(PLACES[9]),
            "EnvironmentMetrics": link(PLACES[10]),
        }),
        "/redfish/v1/Managers" => json!({ "Members": [link(PLACES[12])] }),
        "/redfish/v1/Managers/1" => json!({
            "LogServices": link(PLACES[13]),
            "VirtualMedia": link(PLACES[16]),
        }),
        "/redfish/v1/Managers/1/LogServices" => json!({ "Members": [link(PLACES[14])] }),
        "/redfish/v1/Managers/1/LogServices/SEL" => json!({ "Entries": link(PLACES[15]) }),
        "/redfish/v1/Managers/1/VirtualMedia" => json!({ "Members": [link(PLACES[17])] }),
        "/redfish/v1/UpdateService/FirmwareInventory" => json!({ "Members": [link(PLACES[19])] }),
        _ => json!({}),
    }
}

struct Documents {
    at: HashMap<&'static str, Vec<u8>>,
    asked: Mutex<usize>,
}

impl Documents {
    fn read(data: &[u8]) -> Self {
        let mut at: HashMap<_, _> =
            PLACES.iter().map(|place| (*place, plain(place).to_string().into_bytes())).collect();
        for document in data.split(|byte| *byte == 0xFF) {
            if let Some((place, body)) = document.split_first() {
                at.insert(PLACES[usize::from(*place) % PLACES.len()], body.to_vec());
            }
        }
        Self { at, asked: Mutex::default() }
    }

    /// Whether any document, or anything in one, has this property with this value.
    fn say(&self, property: &str, value: &Value) -> bool {
        fn says(document: &Value, property: &str, value: &Value) -> bool {
            match document {
                Value::Object(object) => {
                    object.get(property) == Some(value)
                        || object.values().any(|inner| says(inner, property, value))
                }
                Value::Array(items) => items.iter().any(|inner| says(inner, property, value)),
                _ => false,
            }
        }
        self.at.values().any(|body| {
            let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
            let first = serde_json::Deserializer::from_slice(body).into_iter::<Value>().next();
            matches!(first, Some(Ok(document)) if says(&document, property, value))
        })
    }
}

impl Transport for Documents {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        *self.asked.lock().unwrap() += 1;
        let path = request.uri().path().trim_end_matches('/');
        if request.method() != http::Method::GET {
            return Ok(http::Response::new(Vec::new()));
        }
        Ok(match self.at.get(path) {
            Some(body) => http::Response::new(body.clone()),
            None => {
                let mut missing = http::Response::new(Vec::new());
                *missing.status_mut() = http::StatusCode::NOT_FOUND;
                missing
            }
        })
    }
}

fuzz_target!(|data: &[u8]| {
    let documents = Documents::read(data);
    let bmc = || {
        let account = Account::new("a", Password::new("b".to_owned())).unwrap();
        Bmc::new("bmc.example.org".parse().unwrap(), account, &documents)
            .with_clock(Arc::new(FakeClock::default()))
    };

    match bmc().power_state() {
        Ok(PowerState::On) => assert!(documents.say("PowerState", &json!("On"))),
        Ok(PowerState::Off) => assert!(documents.say("PowerState", &json!("Off"))),
        _ => {}
    }
    if let Ok(indicator) = bmc().indicator() {
        let is_known = documents.say("LocationIndicatorActive", &json!(true))
            || documents.say("IndicatorLED", &json!("Lit"));
        assert!(indicator.state() != IndicatorState::On || is_known);
    }
    if let Ok(media) = bmc().media() {
        let inserted = media.iter().any(|slot| slot.is_inserted() == Some(false));
        let is_known = documents.say("Inserted", &json!(false))
            || documents.say("ConnectedVia", &json!("NotConnected"));
        assert!(!inserted || is_known);
    }
    let _ = bmc().sensors(SensorScope::System);
    let _ = bmc().sensors(SensorScope::AllChassis);
    let _ = bmc().events(100);
    let _ = bmc().firmware();
    let _ = bmc().info();
    let _ = bmc().ping();
    let _ = bmc().diagnose();
    let _ = bmc().boot_override();
    let one = bmc();
    let _ = one.set_boot_override(&BootRequest::once(BootSource::PXE));
    let _ = one.clear_boot_override();
    let _ = one.set_indicator(IndicatorAction::Blink);
    let _ = one.insert_media(&MediaRequest::new("http://a/b.iso"));
    let _ = one.eject_media(None);
    let _ = one.clear_events();
    for action in PowerAction::ALL {
        let _ = one.power(action);
    }
    drop(one);
    let asked = *documents.asked.lock().unwrap();
    assert!(asked < MOST_REQUESTS, "{asked} requests");
});
