//! A scenario for every row of the table of vendors: what a careless client meets.

use bmc_sim::{Action, Make};
use serde_json::{Value, json};

use crate::client::{Client, PASSWORD, Reply, SYSTEM, USER};
use crate::vendor_rules::{Bench, Scenario};

const SETTINGS: &str = "/redfish/v1/Systems/1/Settings";
const CD: &str = "/redfish/v1/Managers/1/VirtualMedia/CD";
const SESSIONS: &str = "/redfish/v1/SessionService/Sessions";

pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario {
        row: "settings-object-takes-the-override",
        make: Make::NvidiaGb200,
        look: |bench| once(bench, SYSTEM, &json!({})),
        with: "400 PropertyNotWritable",
        without: "200",
    },
    Scenario {
        row: "ami-names-the-future-state",
        make: Make::MegaRac,
        look: |bench| once(bench, SYSTEM, &json!({"BootSourceOverrideMode": "UEFI"})),
        with: "400 OperationSupportedInFutureStateURI",
        without: "400 PropertyNotWritable",
    },
    Scenario {
        row: "ibm-has-no-writable-override",
        make: Make::OpenBmcIbm,
        look: |bench| once(bench, SYSTEM, &json!({})),
        with: "400 PropertyNotWritable",
        without: "204",
    },
    Scenario {
        row: "mode-is-refused",
        make: Make::Ilo5,
        look: |bench| once(bench, SYSTEM, &json!({"BootSourceOverrideMode": "UEFI"})),
        with: "400 PropertyNotWritable",
        without: "200",
    },
    Scenario {
        row: "mode-is-refused",
        make: Make::SupermicroX10,
        look: |bench| once(bench, SYSTEM, &json!({"BootSourceOverrideMode": "UEFI"})),
        with: "400 PropertyUnknown",
        without: "200",
    },
    Scenario {
        row: "mode-is-refused",
        make: Make::Idrac10,
        look: |bench| once(bench, SETTINGS, &json!({"BootSourceOverrideMode": "UEFI"})),
        with: "400 PropertyNotWritable",
        without: "200",
    },
    Scenario {
        row: "mode-queues-a-job",
        make: Make::Idrac9,
        look: |bench| {
            once(bench, SYSTEM, &json!({"BootSourceOverrideMode": "UEFI"}));
            let again = once(bench, SYSTEM, &json!({"BootSourceOverrideMode": "UEFI"}));
            bench.client().reset("ForceRestart");
            format!("{again}, then {}", boots(bench))
        },
        with: "400 SYS011, then 2 boots, last from its own order",
        without: "200, then 1 boots, last from Pxe",
    },
    Scenario {
        row: "whole-override-or-none",
        make: Make::AsrockRack,
        look: |bench| once(bench, SYSTEM, &json!({})),
        with: "400 PropertyMissing",
        without: "200",
    },
    Scenario {
        row: "what-is-left-out-falls-back",
        make: Make::Supermicro,
        look: |bench| {
            once(bench, SYSTEM, &json!({}));
            bench.client().patch(SYSTEM, &json!({"Boot": {"BootSourceOverrideTarget": "Hdd"}}));
            let held = bench.bmc.boot_override().unwrap();
            format!("{:?} {} {:?}", held.enabled, held.target, held.mode.as_deref())
        },
        with: "Disabled Hdd Some(\"Legacy\")",
        without: "Once Hdd Some(\"UEFI\")",
    },
    Scenario {
        row: "idrac8-does-a-part-and-refuses",
        make: Make::Idrac8,
        look: |bench| {
            let said = once(bench, SYSTEM, &json!({"BootSourceOverrideMode": "Legacy"}));
            format!("{said}, {}", held(bench))
        },
        with: "400 , Once Pxe UEFI",
        without: "200, Once Pxe Legacy",
    },
    Scenario {
        row: "idrac8-does-a-part-and-says-200",
        make: Make::Idrac8,
        look: |bench| {
            let mut body = override_once();
            body["Boot"]["BootSourceOverrideMode"] = json!("Legacy");
            let reply = bench.client().patch(SYSTEM, &body);
            let told = reply.json().get("@Message.ExtendedInfo").is_some();
            format!("{} told {told}, {}", reply.status, held(bench))
        },
        with: "200 told true, Once Pxe UEFI",
        without: "400 told false, Once Pxe UEFI",
    },
    Scenario {
        row: "openbmc-writes-one-by-one",
        make: Make::OpenBmc,
        look: |bench| {
            let said = once(bench, SYSTEM, &json!({"BootSourceOverrideMode": "Sideways"}));
            format!("{said}, {}", held(bench))
        },
        with: "400 PropertyValueNotInList, Once Pxe UEFI",
        without: "400 PropertyValueNotInList, Disabled None UEFI",
    },
    Scenario {
        row: "hpe-disables-with-a-target-only",
        make: Make::Ilo5,
        look: |bench| disable(bench, &json!({})),
        with: "400 PropertyValueConflict",
        without: "200",
    },
    Scenario {
        row: "disabling-needs-target-none",
        make: Make::Plain,
        look: |bench| {
            let none = json!({"BootSourceOverrideTarget": "None"});
            format!("{}, {}", disable(bench, &json!({})), disable(bench, &none))
        },
        with: "400 PropertyMissing, 200",
        without: "200, 200",
    },
    Scenario {
        row: "disabling-needs-the-mode-too",
        make: Make::Plain,
        look: |bench| {
            let none = json!({"BootSourceOverrideTarget": "None"});
            let all = json!({"BootSourceOverrideTarget": "None", "BootSourceOverrideMode": "UEFI"});
            format!("{}, {}", disable(bench, &none), disable(bench, &all))
        },
        with: "400 PropertyMissing, 200",
        without: "200, 200",
    },
    Scenario {
        row: "continuous-is-refused-in-uefi",
        make: Make::LenovoXcc,
        // The recorded list says so too: here it is as long as everybody's.
        look: |bench| {
            bench.bmc.merge_resource(
                SYSTEM,
                &json!({"Boot": {
                    "BootSourceOverrideEnabled@Redfish.AllowableValues":
                        ["Once", "Continuous", "Disabled"],
                }}),
            );
            once(bench, SYSTEM, &json!({"BootSourceOverrideEnabled": "Continuous"}))
        },
        with: "400 PropertyValueNotInList",
        without: "200",
    },
    Scenario {
        row: "no-http-boot-uri",
        make: Make::Idrac9,
        look: |bench| once(bench, SYSTEM, &json!({"HttpBootUri": "http://boot/x.efi"})),
        with: "400 PropertyUnknown",
        without: "200",
    },
    Scenario {
        row: "gh200-takes-an-unlisted-target",
        make: Make::NvidiaGh200,
        look: |bench| once(bench, SETTINGS, &json!({"BootSourceOverrideTarget": "UefiHttp"})),
        with: "200",
        without: "400 PropertyValueNotInList",
    },
    Scenario {
        row: "no-boot-writes-during-self-test",
        make: Make::Ilo5,
        look: |bench| {
            bench.client().reset("ForceRestart");
            once(bench, SYSTEM, &json!({}))
        },
        with: "400 UnableToModifyDuringSystemPOST",
        without: "200",
    },
    Scenario {
        row: "pxe-reads-as-uefi-boot-next",
        make: Make::Supermicro,
        look: |bench| reads_back(bench),
        with: "Once UefiBootNext",
        without: "Once Pxe",
    },
    Scenario {
        row: "pxe-reads-as-uefi-target",
        make: Make::Idrac9,
        look: |bench| reads_back(bench),
        with: "Once UefiTarget",
        without: "Once Pxe",
    },
    Scenario {
        row: "once-reads-as-continuous",
        make: Make::Virtual,
        look: |bench| reads_back(bench),
        with: "Continuous Pxe",
        without: "Once Pxe",
    },
    Scenario {
        row: "supermicro-does-not-store",
        make: Make::Supermicro,
        look: |bench| reads_back(bench),
        with: "Disabled None",
        without: "Once UefiBootNext",
    },
    Scenario {
        row: "if-match-is-required",
        make: Make::LenovoXcc,
        look: |bench| said(&bench.client().patch(SYSTEM, &override_once())),
        with: "428 PreconditionRequired",
        without: "200",
    },
    Scenario {
        row: "kaytus-says-428-for-a-stale-tag",
        make: Make::Kaytus,
        look: |bench| tagged(bench, "\"stale\""),
        with: "428 PreconditionRequired",
        without: "412 PreconditionFailed",
    },
    Scenario {
        row: "star-is-refused",
        make: Make::Plain,
        look: |bench| tagged(bench, "*"),
        with: "412 PreconditionFailed",
        without: "200",
    },
    Scenario {
        row: "weak-tags-never-match",
        make: Make::Plain,
        look: |bench| {
            let tag = bench.client().get(SYSTEM).header("ETag").unwrap().to_owned();
            let strong = tag.trim_start_matches("W/");
            format!("{}, {}", tagged(bench, &tag), tagged(bench, strong))
        },
        with: "412 PreconditionFailed, 200",
        without: "200, 412 PreconditionFailed",
    },
    Scenario {
        row: "idrac10-actions-take-no-if-match",
        make: Make::Idrac10,
        look: |bench| said(&bench.client().with("If-Match", "*").reset("ForceRestart")),
        with: "412 PreconditionFailed",
        without: "204",
    },
    Scenario {
        row: "idrac10-tags-are-weak-inside-the-quotes",
        make: Make::Idrac10,
        look: |bench| tags(bench),
        with: "\"W/'100'\" \"W/'100'\" 200",
        without: "W/\"100\" W/\"100\" 200",
    },
    Scenario {
        row: "idrac10-tags-of-compressed-answers",
        make: Make::Idrac10,
        look: |bench| {
            let mut client = bench.client().with("Accept-Encoding", "gzip");
            let tag = client.get(SYSTEM).header("ETag").unwrap().to_owned();
            tagged(bench, &tag)
        },
        with: "412 PreconditionFailed",
        without: "200",
    },
    Scenario {
        row: "tags-are-numbers",
        make: Make::Plain,
        look: |bench| tags(bench),
        with: "16583862 16583862 200",
        without: "W/\"100\" W/\"100\" 200",
    },
    Scenario {
        row: "tags-without-quotes",
        make: Make::Plain,
        look: |bench| tags(bench),
        with: "100 100 200",
        without: "W/\"100\" W/\"100\" 200",
    },
    Scenario {
        row: "tags-in-single-quotes",
        make: Make::Plain,
        look: |bench| tags(bench),
        with: "'100' '100' 200",
        without: "W/\"100\" W/\"100\" 200",
    },
    Scenario {
        row: "tags-are-empty",
        make: Make::Plain,
        look: |bench| {
            let read = bench.client().get(SYSTEM);
            format!("{:?} {}", read.header("ETag"), read.json()["@odata.etag"])
        },
        with: "None \"\"",
        without: "Some(\"W/\\\"100\\\"\") \"W/\\\"100\\\"\"",
    },
    Scenario {
        row: "the-bodys-tag-is-another",
        make: Make::Plain,
        look: |bench| {
            let read = bench.client().get(SYSTEM).json();
            tagged(bench, read["@odata.etag"].as_str().unwrap())
        },
        with: "412 PreconditionFailed",
        without: "200",
    },
    Scenario {
        row: "dell-refuses-the-state-it-has",
        make: Make::Idrac9,
        look: |bench| said(&bench.client().reset("On")),
        with: "409 PSU501",
        without: "204",
    },
    Scenario {
        row: "hpe-refuses-the-state-it-has",
        make: Make::Ilo5,
        look: |bench| said(&bench.client().reset("On")),
        with: "400 InvalidOperationForSystemState",
        without: "200",
    },
    Scenario {
        row: "dell-restarts-only-what-is-on",
        make: Make::Idrac9,
        look: restart_when_off,
        with: "409 PSU501",
        without: "409 ResourceInStandby",
    },
    Scenario {
        row: "hpe-restarts-only-what-is-on",
        make: Make::Ilo5,
        look: restart_when_off,
        with: "400 InvalidOperationForSystemState",
        without: "409 ResourceInStandby",
    },
    Scenario {
        row: "openbmc-restarts-what-is-off",
        make: Make::OpenBmc,
        look: restart_when_off,
        with: "204",
        without: "409 ResourceInStandby",
    },
    Scenario {
        row: "idrac8-restarts-by-force",
        make: Make::Idrac8,
        look: |bench| {
            bench.client().reset("GracefulRestart");
            acts(bench)
        },
        with: "ForceRestart",
        without: "GracefulRestart",
    },
    Scenario {
        row: "idrac10-rests-after-off",
        make: Make::Idrac10,
        look: |bench| {
            bench.client().reset("ForceOff");
            said(&bench.client().reset("On"))
        },
        with: "409 ActionParameterValueConflict",
        without: "204",
    },
    Scenario {
        row: "power-cycle-stays-off",
        make: Make::Plain,
        look: |bench| {
            bench.client().reset("PowerCycle");
            format!("{:?}", bench.bmc.power().unwrap())
        },
        with: "Off",
        without: "On",
    },
    Scenario {
        row: "cray-falls-back-to-off",
        make: Make::CrayEx,
        look: |bench| {
            bench.client().reset("ForceOff");
            let reply = bench.client().reset("On");
            format!("{} {:?}", reply.status, bench.bmc.power().unwrap())
        },
        with: "204 Off",
        without: "204 On",
    },
    Scenario {
        row: "cray-needs-the-chassis",
        make: Make::CrayEx,
        look: |bench| {
            let chassis = "/redfish/v1/Chassis/1/Actions/Chassis.Reset";
            bench.client().reset("ForceOff");
            bench.client().post(chassis, &json!({"ResetType": "ForceOff"}));
            let early = said(&bench.client().reset("On"));
            bench.client().post(chassis, &json!({"ResetType": "On"}));
            bench.client().reset("ForceOff");
            format!("{early}, {}", bench.client().reset("On").status)
        },
        with: "400 ResourceInStandby, 204",
        without: "204, 204",
    },
    Scenario {
        row: "cray-takes-its-time",
        make: Make::CrayEx,
        look: |bench| {
            bench.client().reset("ForceOff");
            bench.client().get(SYSTEM).json()["PowerState"].to_string()
        },
        with: "\"PoweringOff\"",
        without: "\"Off\"",
    },
    Scenario {
        row: "hpe-answers-with-an-error-of-success",
        make: Make::Ilo5,
        look: |bench| {
            let reply = bench.client().reset("ForceRestart");
            format!("{} {}", reply.status, reply.json()["error"]["code"])
        },
        with: "200 \"Base.1.18.Success\"",
        without: "204 null",
    },
    Scenario {
        row: "updates-answer-without-a-body",
        make: Make::OpenBmc,
        look: |bench| once(bench, SYSTEM, &json!({})),
        with: "204",
        without: "200",
    },
    Scenario {
        row: "resets-answer-with-a-task",
        make: Make::Ibmc,
        look: |bench| {
            let reply = bench.client().reset("ForceRestart");
            format!("{} {:?}", reply.status, reply.header("Location").is_some())
        },
        with: "202 true",
        without: "204 false",
    },
    Scenario {
        row: "ilo4-messages-at-the-top",
        make: Make::Ilo4,
        look: |bench| {
            bench.client().reset("Sideways").json()["Messages"][0]["MessageID"].to_string()
        },
        with: "\"iLO.0.10.ActionParameterValueNotInList\"",
        without: "null",
    },
    Scenario {
        row: "idrac8-message-is-no-list",
        make: Make::Idrac8,
        look: |bench| {
            let refused = bench.client().reset("Sideways").json();
            refused["error"]["@Message.ExtendedInfo"].is_object().to_string()
        },
        with: "true",
        without: "false",
    },
    Scenario {
        row: "ilo4-redirects-to-the-slash",
        make: Make::Ilo4,
        look: |bench| {
            let reply = bench.client().get("/redfish/v1");
            format!("{} {:?}", reply.status, reply.header("Location"))
        },
        with: "308 Some(\"/redfish/v1/\")",
        without: "200 None",
    },
    Scenario {
        row: "supermicro-redirects-the-login",
        make: Make::SupermicroX10,
        look: |bench| {
            let body = json!({"UserName": USER, "Password": PASSWORD});
            let first = bench.client().post(SESSIONS, &body).status;
            format!("{first}, {}", bench.client().post(&format!("{SESSIONS}/"), &body).status)
        },
        with: "308, 201",
        without: "201, 201",
    },
    Scenario {
        row: "hpe-registries-are-compressed",
        make: Make::Ilo5,
        look: |bench| {
            let path = "/redfish/v1/Registries/Base";
            bench.bmc.merge_resource(path, &json!({"Id": "Base"}));
            let mut plain = bench.client().with("Accept-Encoding", "identity");
            let mut gzip = bench.client().with("Accept-Encoding", "gzip");
            format!("{}, {}", plain.get(path).status, gzip.get(path).status)
        },
        with: "406, 200",
        without: "200, 200",
    },
    Scenario {
        row: "dell-has-eight-sessions",
        make: Make::Idrac9,
        look: |bench| {
            let body = json!({"UserName": USER, "Password": PASSWORD});
            let login = |_| said(&bench.client().post(SESSIONS, &body));
            (0..9).map(login).collect::<Vec<_>>().pop().unwrap()
        },
        with: "503 RAC0218",
        without: "201",
    },
    Scenario {
        row: "hpe-session-timeout-in-minutes",
        make: Make::Ilo5,
        // The built-in service says 1800.
        look: |bench| format!("{:?}", bench.bmc.rules().session_timeout),
        with: "108000s",
        without: "1800s",
    },
    Scenario {
        row: "openbmc-locks-out",
        make: Make::OpenBmc,
        look: |bench| {
            for _ in 0..5 {
                Client::new(bench.running.address()).with_basic(USER, "wrong").get(SYSTEM);
            }
            bench.client().get(SYSTEM).status.to_string()
        },
        with: "401",
        without: "200",
    },
    Scenario {
        row: "one-indicator-at-a-time",
        make: Make::Plain,
        look: |bench| {
            let both = json!({"IndicatorLED": "Lit", "LocationIndicatorActive": true});
            said(&bench.client().patch(SYSTEM, &both))
        },
        with: "400 PropertyValueConflict",
        without: "200",
    },
    Scenario {
        row: "supermicro-keeps-the-image-name",
        make: Make::Supermicro,
        look: |bench| {
            insert(bench, &json!({"Image": "http://boot/x.iso"}));
            bench.client().post(&format!("{CD}/Actions/VirtualMedia.EjectMedia"), &json!({}));
            let drive = bench.client().get(CD).json();
            format!("{} {}", drive["Inserted"], drive["ImageName"])
        },
        with: "false \"x.iso\"",
        without: "false null",
    },
    Scenario {
        row: "media-need-the-protocol",
        make: Make::Plain,
        look: |bench| {
            let bare = insert(bench, &json!({"Image": "http://boot/x.iso"}));
            let told = json!({"Image": "http://boot/x.iso", "TransferProtocolType": "HTTP"});
            format!("{bare}, {}", insert(bench, &told))
        },
        with: "400 ActionParameterMissing, 204",
        without: "204, 409 ResourceInUse",
    },
    Scenario {
        row: "media-refuse-an-empty-user",
        make: Make::Plain,
        look: |bench| insert(bench, &json!({"Image": "http://boot/x.iso", "UserName": ""})),
        with: "400 ActionParameterValueNotInList",
        without: "204",
    },
];

fn override_once() -> Value {
    json!({"Boot": {"BootSourceOverrideTarget": "Pxe", "BootSourceOverrideEnabled": "Once"}})
}

/// A one-time network boot with these members too, and any tag.
fn once(bench: &Bench, path: &str, more: &Value) -> String {
    let mut body = override_once();
    for (name, value) in more.as_object().unwrap() {
        body["Boot"][name] = value.clone();
    }
    said(&bench.client().with("If-Match", "*").patch(path, &body))
}

fn disable(bench: &Bench, more: &Value) -> String {
    let mut boot = more.clone();
    boot["BootSourceOverrideEnabled"] = json!("Disabled");
    said(&bench.client().patch(SYSTEM, &json!({ "Boot": boot })))
}

fn tagged(bench: &Bench, tag: &str) -> String {
    said(&bench.client().with("If-Match", tag).patch(SYSTEM, &json!({"AssetTag": "x"})))
}

/// The header's tag, the body's, and what becomes of the header's sent back.
fn tags(bench: &Bench) -> String {
    let read = bench.client().get(SYSTEM);
    let (header, body) = (read.header("ETag").unwrap(), read.json()["@odata.etag"].take());
    let body = body.as_str().map_or_else(|| body.to_string(), str::to_owned);
    format!("{header} {body} {}", tagged(bench, header))
}

fn reads_back(bench: &Bench) -> String {
    once(bench, SYSTEM, &json!({"BootSourceOverrideMode": "UEFI"}));
    let boot = bench.client().get(SYSTEM).json()["Boot"].take();
    let word = |name: &str| boot[name].as_str().unwrap_or_default().to_owned();
    format!("{} {}", word("BootSourceOverrideEnabled"), word("BootSourceOverrideTarget"))
}

fn held(bench: &Bench) -> String {
    let held = bench.bmc.boot_override().unwrap();
    format!("{:?} {} {}", held.enabled, held.target, held.mode.unwrap_or_default())
}

fn restart_when_off(bench: &Bench) -> String {
    bench.client().reset("ForceOff");
    said(&bench.client().reset("ForceRestart"))
}

fn insert(bench: &Bench, parameters: &Value) -> String {
    said(&bench.client().post(&format!("{CD}/Actions/VirtualMedia.InsertMedia"), parameters))
}

fn acts(bench: &Bench) -> String {
    let actions = bench.machine.actions();
    let name = |action: &Action| format!("{action:?}").split('(').next().unwrap().to_owned();
    actions.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn boots(bench: &Bench) -> String {
    let actions = bench.machine.actions();
    let boots: Vec<_> = actions.iter().filter_map(Action::boot).collect();
    let last = boots.last().and_then(|boot| boot.target.clone());
    format!("{} boots, last from {}", boots.len(), last.as_deref().unwrap_or("its own order"))
}

/// Status and message.
fn said(reply: &Reply) -> String {
    if reply.status < 400 {
        return reply.status.to_string();
    }
    format!("{} {}", reply.status, reply.message_id())
}
