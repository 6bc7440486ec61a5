//! Virtual media: which slot, what is sent, and what is read back.

use http::Method;
use redfish::fake::{FakeBmc, Fault, Rule};
use redfish::{Account, Change, Delivery, ErrorKind, MediaRequest, Password};
use serde_json::{Value, json};

use crate::site::{client, recording};

const MEDIA: &str = "/redfish/v1/Systems/1/VirtualMedia";
const IMAGE: &str = "https://images.example.org/rescue.iso";

/// A slot with actions, empty.
fn slot(kinds: &[&str]) -> Value {
    json!({"MediaTypes": kinds, "Inserted": false, "ConnectedVia": "NotConnected", "Image": null, "actions": true})
}

fn slots(slots: &[(&str, Value)]) -> FakeBmc {
    let fake = FakeBmc::new();
    let mut members = Vec::new();
    for (id, body) in slots {
        let path = format!("{MEDIA}/{id}");
        members.push(json!({"@odata.id": path}));
        let mut body = body.clone();
        if body.as_object_mut().unwrap().remove("actions").is_some() {
            body["Actions"] = json!({
                "#VirtualMedia.InsertMedia": {"target": format!("{path}/Actions/VirtualMedia.InsertMedia")},
                "#VirtualMedia.EjectMedia": {"target": format!("{path}/Actions/VirtualMedia.EjectMedia")},
            });
        }
        body["@odata.id"] = json!(path);
        body["Id"] = json!(id);
        fake.set(&path, body);
    }
    fake.set(MEDIA, json!({"Members": members}));
    let mut system = fake.resource("/redfish/v1/Systems/1").unwrap();
    system["VirtualMedia"] = json!({"@odata.id": MEDIA});
    fake.set("/redfish/v1/Systems/1", system);
    fake
}

fn changes(fake: &FakeBmc) -> Vec<String> {
    let lines = fake.lines().into_iter().filter(|line| !line.starts_with("GET"));
    lines.map(|line| line.replace(MEDIA, "~").replace("/Actions/VirtualMedia", "")).collect()
}

fn insert(fake: &FakeBmc, request: &MediaRequest) -> String {
    match client(fake).insert_media(request) {
        Ok(Change::Done(media)) => format!("done {}", media.id()),
        Ok(Change::Already(media)) => format!("already {}", media.id()),
        Ok(other) => format!("{other:?}"),
        Err(error) => error.kind().to_string(),
    }
}

#[test]
fn an_image_goes_into_the_first_free_slot_of_its_kind() {
    let fake = slots(&[("1", slot(&["Floppy", "USBStick"])), ("2", slot(&["CD", "DVD"]))]);
    assert_eq!(insert(&fake, &MediaRequest::new(IMAGE)), "done 2");
    assert_eq!(changes(&fake), [format!(r#"POST ~/2.InsertMedia {{"Image":"{IMAGE}"}}"#)]);
    assert_eq!(insert(&fake, &MediaRequest::new("http://a/disk.IMG?x=1.iso")), "done 1");
}

#[test]
fn an_image_that_is_inserted_is_not_inserted_again() {
    let fake = slots(&[("1", slot(&["CD"])), ("2", slot(&["CD"]))]);
    insert(&fake, &MediaRequest::new(IMAGE));
    fake.forget_requests();
    assert_eq!(insert(&fake, &MediaRequest::new(IMAGE)), "already 1");
    assert_eq!(changes(&fake), Vec::<String>::new());
}

#[test]
fn a_slot_with_another_image_is_not_taken_over() {
    let fake = slots(&[("CD", slot(&["CD"]))]);
    insert(&fake, &MediaRequest::new(IMAGE));
    fake.forget_requests();
    let other = MediaRequest::new("http://a/b.iso");
    assert_eq!(insert(&fake, &other), "no virtual media is free for this image; there is CD");
    assert_eq!(
        insert(&fake, &other.in_slot("CD")),
        "virtual media CD holds another image; eject it first"
    );
    assert_eq!(changes(&fake), Vec::<String>::new());
}

#[test]
fn a_slot_that_is_named_wrong_is_refused_with_the_list() {
    let fake = slots(&[("1", slot(&["CD"])), ("2", slot(&["CD"]))]);
    let request = MediaRequest::new(IMAGE).in_slot("3");
    assert_eq!(insert(&fake, &request), r#"no virtual media "3"; there is 1, 2"#);
    assert_eq!(insert(&fake, &MediaRequest::new(IMAGE).in_slot("2")), "done 2");
}

#[test]
fn supermicro_that_keeps_the_name_of_an_ejected_image_has_a_free_slot() {
    let fake = slots(&[("1", slot(&["CD"]))]);
    insert(&fake, &MediaRequest::new(IMAGE));
    assert!(client(&fake).eject_media(None).unwrap().is_done());
    assert_eq!(fake.resource(&format!("{MEDIA}/1")).unwrap()["Image"], IMAGE);
    assert_eq!(client(&fake).media().unwrap()[0].is_inserted(), Some(false));
    assert_eq!(insert(&fake, &MediaRequest::new("http://a/other.iso")), "done 1");
}

#[test]
fn lenovo_without_actions_is_patched_in_an_external_slot() {
    let plain = || {
        let mut slot = slot(&["CD", "DVD"]);
        slot.as_object_mut().unwrap().remove("actions");
        slot
    };
    let fake = slots(&[("Remote1", plain()), ("EXT1", plain())]).with_rule(Rule::RequireIfMatch);
    assert_eq!(insert(&fake, &MediaRequest::new(IMAGE)), "done EXT1");
    assert!(client(&fake).eject_media(Some("EXT1")).unwrap().is_done());
    let writes = changes(&fake);
    assert_eq!(writes[1], format!(r#"PATCH ~/EXT1 {{"Image":"{IMAGE}","Inserted":true}}"#));
    assert_eq!(writes[2], r#"PATCH ~/EXT1 {"Image":null,"Inserted":false}"#);
}

#[test]
fn a_property_that_is_not_writable_is_left_out_of_the_patch() {
    let mut plain = slot(&["CD"]);
    plain.as_object_mut().unwrap().remove("actions");
    let fake = slots(&[("EXT1", plain)]).with_rule(Rule::ReadOnlyProperty("Inserted"));
    client(&fake).insert_media(&MediaRequest::new(IMAGE)).unwrap().shown().unwrap();
    assert_eq!(changes(&fake)[1], format!(r#"PATCH ~/EXT1 {{"Image":"{IMAGE}"}}"#));
}

#[test]
fn a_transfer_protocol_that_is_missed_is_added_once() {
    let fake = slots(&[("1", slot(&["CD"]))])
        .with_rule(Rule::RequireParameter("TransferProtocolType"))
        .with_rule(Rule::RequireParameter("TransferMethod"));
    assert_eq!(insert(&fake, &MediaRequest::new("nfs://files/a.iso")), "done 1");
    let writes = changes(&fake);
    assert_eq!(writes.len(), 3);
    assert_eq!(
        writes[2],
        r#"POST ~/1.InsertMedia {"Image":"nfs://files/a.iso","TransferProtocolType":"NFS","TransferMethod":"Stream"}"#
    );

    let fake = slots(&[("1", slot(&["CD"]))]).with_rule(Rule::RequireParameter("Other"));
    assert_eq!(insert(&fake, &MediaRequest::new(IMAGE)), "refused by the BMC");
    assert_eq!(changes(&fake).len(), 1);
}

#[test]
fn an_empty_user_is_not_sent_and_a_password_never_printed() {
    let fake = slots(&[("1", slot(&["CD"]))]);
    insert(&fake, &MediaRequest::new(IMAGE));
    assert!(!changes(&fake)[0].contains("UserName"));

    let fake = slots(&[("1", slot(&["CD"]))]);
    let account = Account::new("reader", Password::new("hunter2".to_owned())).unwrap();
    let request = MediaRequest::new(IMAGE).with_account(account);
    assert!(!format!("{request:?}").contains("hunter2"));
    assert_eq!(insert(&fake, &request), "done 1");
    let body =
        &fake.requests().into_iter().find(|asked| asked.method == Method::POST).unwrap().body;
    assert_eq!((&body["UserName"], &body["Password"]), (&json!("reader"), &json!("hunter2")));
}

#[test]
fn of_several_images_the_one_to_eject_has_to_be_named() {
    let fake = slots(&[("1", slot(&["CD"])), ("2", slot(&["CD"]))]);
    for image in ["http://a/1.iso", "http://a/2.iso"] {
        insert(&fake, &MediaRequest::new(image));
    }
    let error = client(&fake).eject_media(None).unwrap_err();
    insta::assert_snapshot!(error.kind(), @"several virtual media hold an image, name one: 1, 2");
    assert!(client(&fake).eject_media(Some("2")).unwrap().is_done());
    assert!(client(&fake).eject_media(None).unwrap().is_done());
    let _already = client(&fake).eject_media(None).unwrap();
    assert_eq!(changes(&fake).len(), 4);
}

#[test]
fn a_slot_that_does_not_say_is_neither_free_nor_taken() {
    let fake = slots(&[("1", json!({"MediaTypes": ["CD"]}))]);
    assert_eq!(client(&fake).media().unwrap()[0].is_inserted(), None);
    let fake =
        slots(&[("1", json!({"MediaTypes": ["CD"], "Inserted": null, "ConnectedVia": "Applet"}))]);
    assert_eq!(client(&fake).media().unwrap()[0].is_inserted(), Some(true));
}

#[test]
fn what_is_not_connected_is_not_inserted_whatever_else_is_left_behind() {
    let left_behind = json!({
        "MediaTypes": ["CD"],
        "Inserted": true,
        "ConnectedVia": "NotConnected",
        "Image": "http://a/old.iso",
    });
    let fake = slots(&[("1", left_behind)]);
    assert_eq!(client(&fake).media().unwrap()[0].is_inserted(), Some(false));
}

#[test]
fn an_insert_that_is_taken_and_not_done_is_seen() {
    let fake = slots(&[("1", slot(&["CD"]))]).with_rule(Rule::ForgetWrites);
    let change = client(&fake).insert_media(&MediaRequest::new(IMAGE)).unwrap();
    assert!(matches!(change, Change::NotTaken(_)), "{change:?}");
}

#[test]
fn an_insert_whose_reply_is_lost_is_settled_by_the_slot() {
    let fake = slots(&[("1", slot(&["CD"]))]);
    fake.fail_next(Method::POST, Fault::LoseReply);
    assert_eq!(insert(&fake, &MediaRequest::new(IMAGE)), "done 1");

    let fake = slots(&[("1", slot(&["CD"]))]);
    fake.fail_next(Method::POST, Fault::Silent);
    let error = client(&fake).insert_media(&MediaRequest::new(IMAGE)).unwrap_err();
    assert_eq!(error.delivery(), Delivery::PerhapsCarriedOut);
    assert_eq!(changes(&fake).len(), 1);
}

#[test]
fn a_task_is_waited_for_before_the_slot_is_read() {
    let fake = slots(&[("1", slot(&["CD"]))]).with_rule(Rule::Tasks);
    // The fake has no monitor: the task has aged out, and the slot decides.
    assert_eq!(insert(&fake, &MediaRequest::new(IMAGE)), "done 1");
    assert!(fake.lines().iter().any(|line| line.ends_with("TaskMonitors/1")));
}

#[test]
fn a_bmc_without_virtual_media_is_said_to_have_none() {
    let error = client(&FakeBmc::new()).insert_media(&MediaRequest::new(IMAGE)).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::NotOffered { what: "virtual media" });
}

#[test]
fn every_recorded_machine_takes_an_image_where_it_has_a_slot() {
    let mut shown = Vec::new();
    for name in [
        "ami-dgx-h100",
        "dell-idrac9-6.00",
        "hpe-ilo5",
        "hpe-ilo6-dl380a",
        "lenovo-xcc",
        "nvidia-gb200",
        "openbmc-stock",
        "supermicro-x13",
    ] {
        let Some(resources) = recording(name) else { return };
        let fake = FakeBmc::of_resources(&resources);
        let outcome = insert(&fake, &MediaRequest::new("http://a/b.iso"));
        let sent = changes(&fake).join("; ").replace("/redfish/v1/", "");
        shown.push(format!("{name}: {outcome}; {sent}").trim_end_matches("; ").to_owned());
    }
    insta::assert_snapshot!(shown.join("\n"), @r#"
    ami-dgx-h100: no virtual media is free for this image; there is none
    dell-idrac9-6.00: done 1; POST Systems/System.Embedded.1/VirtualMedia/1.InsertMedia {"Image":"http://a/b.iso"}
    hpe-ilo5: done 2; POST Managers/1/VirtualMedia/2.InsertMedia {"Image":"http://a/b.iso"}
    hpe-ilo6-dl380a: done 2; POST Managers/1/VirtualMedia/2.InsertMedia {"Image":"http://a/b.iso"}
    lenovo-xcc: done EXT1; PATCH ~/EXT1 {"Image":"http://a/b.iso","Inserted":true}
    nvidia-gb200: done USB2; POST Managers/BMC_0/VirtualMedia/USB2.InsertMedia {"Image":"http://a/b.iso"}
    openbmc-stock: the BMC shows no virtual media
    supermicro-x13: done VirtualMedia1; POST Managers/1/VirtualMedia/VirtualMedia1.InsertMedia {"Image":"http://a/b.iso"}
    "#);
}
