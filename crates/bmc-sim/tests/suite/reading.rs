//! GET and its query parameters.

use bmc_sim::{Bmc, Tree};
use serde_json::{Value, json};

use crate::client::{Bench, Client, SYSTEM};

#[test]
fn the_root_is_public_and_the_rest_is_not() {
    let bench = Bench::new();
    let mut anyone = Client::new(bench.running.address());
    for path in ["/redfish", "/redfish/", "/redfish/v1", "/redfish/v1/", "/redfish/v1/odata"] {
        assert_eq!(anyone.get(path).status, 200, "{path}");
    }
    for path in ["/redfish/v1/Systems", SYSTEM, "/redfish/v1/nowhere", "/"] {
        let refused = anyone.get(path);
        assert_eq!(refused.status, 401, "{path}");
        assert!(refused.header("WWW-Authenticate").unwrap().starts_with("Basic"));
    }
    let root = anyone.get("/redfish/v1/").json();
    assert_eq!(root["Links"]["Sessions"]["@odata.id"], "/redfish/v1/SessionService/Sessions");
}

#[test]
fn every_resource_answers_with_and_without_a_trailing_slash() {
    let bench = Bench::new();
    let mut client = bench.client();
    let mut seen = Vec::new();
    let mut waiting = vec!["/redfish/v1".to_owned()];
    while let Some(path) = waiting.pop() {
        if seen.contains(&path) {
            continue;
        }
        let body = client.get(&path).json();
        assert_eq!(client.get(&format!("{path}/")).json(), body, "{path}");
        links(&body, &mut waiting);
        seen.push(path);
    }
    assert!(seen.len() > 25, "{seen:?}");
}

fn links(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) if members.len() == 1 => {
            let link = members.get("@odata.id").and_then(Value::as_str);
            found.extend(link.map(|link| link.trim_end_matches('/').to_owned()));
        }
        Value::Object(members) => members.values().for_each(|member| links(member, found)),
        Value::Array(items) => items.iter().for_each(|item| links(item, found)),
        _ => {}
    }
}

#[test]
fn what_is_not_there_is_404_and_what_cannot_be_done_405() {
    let bench = Bench::new();
    let mut client = bench.client();
    let missing = client.get("/redfish/v1/Systems/2");
    assert_eq!((missing.status, missing.message_id().as_str()), (404, "ResourceMissingAtURI"));
    assert_eq!(client.send("DELETE", SYSTEM, "").unwrap().status, 405);
    assert_eq!(client.send("PUT", SYSTEM, "{}").unwrap().status, 405);
    assert_eq!(client.post(SYSTEM, &json!({})).status, 405);
    assert_eq!(client.patch("/redfish/v1/Systems", &json!({"Name": "x"})).status, 405);
    assert_eq!(client.post("/redfish/v1/Systems/1/Actions/Nothing", &json!({})).status, 404);
    assert_eq!(client.patch("/redfish/v1/Systems/2", &json!({"AssetTag": "x"})).status, 404);
}

#[test]
fn a_reply_names_the_methods_its_schema_and_the_protocol() {
    let bench = Bench::new();
    let mut client = bench.client();
    for (path, allow) in [
        (SYSTEM, "GET, HEAD, PATCH"),
        ("/redfish/v1/", "GET, HEAD"),
        ("/redfish/v1/Systems", "GET, HEAD"),
        ("/redfish/v1/SessionService/Sessions", "GET, HEAD, POST"),
        ("/redfish/v1/Managers/1/VirtualMedia/CD", "GET, HEAD, PATCH"),
        ("/redfish/v1/AccountService/Accounts/1", "GET, HEAD, PATCH, DELETE"),
    ] {
        let reply = client.get(path);
        assert_eq!(reply.header("Allow"), Some(allow), "{path}");
        assert_eq!(reply.header("OData-Version"), Some("4.0"));
    }
    let link = client.get(SYSTEM);
    assert!(link.header("Link").unwrap().contains("/ComputerSystem.v1_22_0.json>"));
    assert_eq!(client.patch("/redfish/v1/", &json!({"Name": "x"})).status, 405);
    let mut newer = bench.client().with("OData-Version", "4.1");
    assert_eq!(newer.get(SYSTEM).status, 412);
    let metadata = Client::new(bench.running.address()).get("/redfish/v1/$metadata");
    assert_eq!(metadata.header("Content-Type"), Some("application/xml"));
    assert!(String::from_utf8(metadata.body).unwrap().contains("<Singleton Name=\"Systems\""));
}

#[test]
fn only_leads_to_the_only_member() {
    let bench = Bench::new();
    let mut client = bench.client();
    let only = client.get("/redfish/v1/Systems?only");
    assert_eq!(only.json()["@odata.id"], SYSTEM);
    assert_eq!(only.header("ETag"), client.get(SYSTEM).header("ETag"));
    // Two members: the collection.
    let media = client.get("/redfish/v1/Managers/1/VirtualMedia?only").json();
    assert_eq!(media["Members@odata.count"], 2);
    assert_eq!(client.get("/redfish/v1/Systems/1?only").status, 400);
    assert_eq!(client.get("/redfish/v1/Systems?only=1").status, 400);
}

#[test]
fn a_service_without_only_takes_no_notice_of_it() {
    let tree = Tree::built_in()
        .with("/redfish/v1", &json!({"ProtocolFeaturesSupported": {"OnlyMemberQuery": false}}));
    let bench = Bench::of(Bmc::builder().tree(tree));
    let body = bench.client().get("/redfish/v1/Systems?only").json();
    assert_eq!(body["Members@odata.count"], 1);
}

#[test]
fn select_keeps_what_was_asked_for_and_the_annotations() {
    let bench = Bench::new();
    let body = bench.client().get("/redfish/v1/Systems/1?$select=PowerState,Boot/BootOrder").json();
    let names: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["@odata.type", "@odata.id", "@odata.etag", "PowerState", "Boot"]);
}

#[test]
fn expand_replaces_links_as_deep_as_asked() {
    let bench = Bench::new();
    let mut client = bench.client();
    let systems = client.get("/redfish/v1/Systems?$expand=.($levels=1)").json();
    assert_eq!(systems["Members"][0]["PowerState"], "On");
    assert_eq!(systems["Members"][0]["EthernetInterfaces"].as_object().unwrap().len(), 1);
    let deeper = client.get("/redfish/v1/Systems?%24expand=.(%24levels=2)").json();
    assert_eq!(deeper["Members"][0]["EthernetInterfaces"]["Members@odata.count"], 1);
    // A dot leaves the links alone, a star does not.
    assert_eq!(deeper["Members"][0]["Links"]["Chassis"][0].as_object().unwrap().len(), 1);
    let all = client.get("/redfish/v1/Systems/1?$expand=*").json();
    assert_eq!(all["Links"]["Chassis"][0]["ChassisType"], "RackMount");
    // An object with a single member that is no link is looked into.
    let root = client.get("/redfish/v1/?$expand=*").json();
    assert_eq!(root["Links"]["Sessions"]["Members@odata.count"], 0);
}

#[test]
fn an_unknown_parameter_counts_only_with_a_dollar_sign() {
    let bench = Bench::new();
    let mut client = bench.client();
    assert_eq!(client.get("/redfish/v1/Systems?nonsense=1").status, 200);
    assert_eq!(client.get("/redfish/v1/Systems?$nonsense=1").status, 501);
    assert_eq!(client.get("/redfish/v1/Systems?%zz&%2&%").status, 200);
}

#[test]
fn head_is_a_get_without_a_body() {
    let bench = Bench::new();
    let mut client = bench.client();
    let reply = client.send("HEAD", SYSTEM, "").unwrap();
    assert_eq!((reply.status, reply.body.len()), (200, 0));
    assert!(reply.header("Content-Length").unwrap().parse::<usize>().unwrap() > 100);
    // The connection is still in step.
    assert_eq!(client.get(SYSTEM).status, 200);
    assert_eq!(bench.bmc.handshakes(), 1);
}
