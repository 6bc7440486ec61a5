//! The shape that serialises: what it holds, and that its schema is the one in the repository.

use std::path::Path;

use dhcpd_conf::shape::{Configuration, Findings};
use dhcpd_conf::{ConfigSet, Document};

/// `UPDATE_SCHEMA=1` writes them.
#[test]
fn the_schemas_in_the_repository_are_those_of_the_types() {
    let configuration = ("configuration", Configuration::VERSION);
    let findings = ("findings", Findings::VERSION);
    for ((name, version), schema) in [
        (configuration, schemars::schema_for!(Configuration)),
        (findings, schemars::schema_for!(Findings)),
    ] {
        let path = format!("schema/{name}-{version}.json");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "run with UPDATE_SCHEMA=1");
    }
}

#[test]
fn findings_tell_kind_severity_and_every_place() {
    let document = Document::parse("host a { }\nhost a { }\n").unwrap();
    let findings = document.lint();
    let json = serde_json::to_value(Findings::new(["f".to_owned()], &findings)).unwrap();
    assert_eq!(
        json,
        serde_json::json!({"version": 1, "files": ["f"], "findings": [{
            "kind": "duplicate-host",
            "severity": "error",
            "message": "2 hosts are named a",
            "help": "rename or remove all but one: the server refuses a second host of the same name",
            "places": [
                {"file": null, "line": 1, "column": 1},
                {"file": null, "line": 2, "column": 1},
            ],
        }]})
    );
}

#[test]
fn hosts_tell_what_they_set_what_they_get_and_from_where() {
    let document = Document::parse(
        "filename \"r\"; group g { next-server 10.0.0.2;\n# rack 7\nhost a { hardware infiniband 0:2:c9:3:0:2e:59:1;\n\
         fixed-address 10.0.0.7, a.b; option dhcp-client-identifier \"ff:00\";\nif known { filename \"c\"; } } }",
    )
    .unwrap();
    let json = serde_json::to_value(Configuration::of_document(&document)).unwrap();
    let host = &json["hosts"][0];
    assert_eq!(host["name"], "a");
    assert_eq!(host["comments"], serde_json::json!(["rack 7"]));
    assert_eq!(host["place"], serde_json::json!({"file": null, "line": 3, "column": 1}));
    let hardware = serde_json::json!({"type": "infiniband", "address": "00:02:c9:03:00:2e:59:01"});
    assert_eq!(host["hardware"], hardware);
    assert_eq!(host["guid"], hardware["address"]);
    assert_eq!(host["clientId"], serde_json::json!({"kind": "text", "value": "ff:00"}));
    assert_eq!(host["fixedAddresses"], serde_json::json!(["10.0.0.7", "a.b"]));
    let effective = |name: &str| {
        let list = host["effective"].as_array().unwrap();
        list.iter().find(|it| it["name"] == name).unwrap().clone()
    };
    let server = effective("next-server");
    assert_eq!((&server["certain"], &server["value"]["scope"]), (&true.into(), &"group".into()));
    let file = effective("filename");
    assert_eq!((&file["certain"], &file["value"]["text"]), (&false.into(), &"r".into()));
    assert_eq!(file["value"]["scope"], "global");
    assert_eq!(file["changes"][0]["condition"], "known");
    assert_eq!(json["groups"][0]["hosts"], serde_json::json!(["a"]));
}

#[test]
fn networks_and_files_are_listed() {
    let read = |path: &Path| match path.to_str() {
        Some("/main") => {
            Ok("shared-network w { subnet 10.0.0.0 netmask 255.0.0.0 { include \"/more\"; } }")
        }
        Some("/more") => Ok("range 10.0.0.1 10.0.0.9; option routers 10.0.0.1;"),
        _ => Err("absent"),
    };
    let set = ConfigSet::load("/main", |path| read(path).map(Vec::from)).unwrap();
    let json = serde_json::to_value(Configuration::of_set(&set)).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["files"], serde_json::json!(["/main", "/more"]));
    let subnet = &json["subnets"][0];
    assert_eq!((&subnet["network"], &subnet["sharedNetwork"]), (&"10.0.0.0/8".into(), &"w".into()));
    assert_eq!(subnet["ranges"][0]["last"], "10.0.0.9");
    assert_eq!(subnet["settings"][0]["place"]["file"], "/more");
    assert_eq!(json["sharedNetworks"][0]["subnets"][0], "10.0.0.0/8");
}
