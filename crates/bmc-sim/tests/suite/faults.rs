//! Scripted misfortunes.

use std::io::Read as _;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use bmc_sim::{Answer, Bmc, Effect, Fault, Power, RequestRecord, Rules, State};
use serde_json::json;

use crate::client::{Bench, RESET, SYSTEM};

/// A bench whose next reset meets `effect`.
fn reset_meets(effect: Effect) -> Bench {
    let bench = Bench::new();
    bench.bmc.add_fault(Fault::new(effect).on("POST", "*/ComputerSystem.Reset").times(1));
    bench
}

const OFF: &str = "{\"ResetType\": \"ForceOff\"}";

#[test]
fn a_lost_reply_was_acted_on_and_a_lost_request_was_not() {
    for (effect, power) in [
        (Effect::LoseReply, Power::Off),
        (Effect::LoseRequest, Power::On),
        (Effect::ResetConnection, Power::On),
    ] {
        let bench = reset_meets(effect.clone());
        let mut client = bench.client();
        client.get(SYSTEM);
        assert!(client.send("POST", RESET, OFF).is_err(), "{effect:?}");
        assert_eq!(bench.bmc.power(), Some(power), "{effect:?}");
        assert_eq!(bench.bmc.requests()[1].status, None, "{effect:?}");
        // Spent: the next one is answered.
        assert_eq!(client.send("POST", RESET, OFF).unwrap().status, 204, "{effect:?}");
    }
}

#[test]
fn a_black_hole_never_answers_and_ends_with_the_server() {
    let bench = reset_meets(Effect::BlackHole);
    let mut client = bench.client();
    let (tell, told) = mpsc::channel();
    let waiting = thread::spawn(move || {
        let outcome = client.send("POST", RESET, OFF);
        tell.send(outcome.is_err()).unwrap();
    });
    assert!(told.recv_timeout(Duration::from_millis(200)).is_err());
    // Others are served meanwhile.
    assert_eq!(bench.client().get(SYSTEM).json()["PowerState"], "On");
    bench.running.stop();
    assert!(told.recv_timeout(Duration::from_secs(5)).unwrap());
    waiting.join().unwrap();
}

#[test]
fn a_delay_is_before_the_deed_or_after_it() {
    let time = Duration::from_millis(200);
    for (effect, at_half) in
        [(Effect::Delay(time), Power::On), (Effect::DelayReply(time), Power::Off)]
    {
        let bench = reset_meets(effect.clone());
        let mut client = bench.client();
        client.get(SYSTEM);
        let begun = Instant::now();
        let asking = thread::spawn(move || client.send("POST", RESET, OFF).unwrap().status);
        while bench.bmc.requests().len() < 2 {
            thread::sleep(Duration::from_millis(2));
        }
        thread::sleep(time / 4);
        assert_eq!(bench.bmc.power(), Some(at_half), "{effect:?}");
        assert_eq!(asking.join().unwrap(), 204);
        assert!(begun.elapsed() >= time, "{effect:?}");
        assert_eq!(bench.bmc.power(), Some(Power::Off));
    }
}

#[test]
fn a_delayed_request_is_done_although_its_client_has_left() {
    let bench = reset_meets(Effect::Delay(Duration::from_millis(100)));
    let mut client = bench.client();
    client.get(SYSTEM);
    let asking = thread::spawn(move || {
        let head = format!(
            "POST {RESET} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YWRtaW46cGFzc3dvcmQ=\r\nContent-Length: {}\r\n\r\n{OFF}",
            OFF.len()
        );
        client.write_and_leave(head.as_bytes());
    });
    asking.join().unwrap();
    let begun = Instant::now();
    while bench.bmc.power() != Some(Power::Off) {
        assert!(begun.elapsed() < Duration::from_secs(5), "the reset was never done");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_stop_cuts_a_delay_short() {
    let bench = reset_meets(Effect::Delay(Duration::from_mins(10)));
    let mut client = bench.client();
    let asking = thread::spawn(move || client.send("POST", RESET, OFF).is_err());
    while bench.bmc.requests().is_empty() {
        thread::sleep(Duration::from_millis(2));
    }
    let begun = Instant::now();
    bench.running.stop();
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(asking.join().unwrap());
    assert_eq!(bench.bmc.power(), Some(Power::On));
}

#[test]
fn an_answer_is_given_without_acting_or_after_it() {
    let refused = Effect::refuse(400, "iLO.2.15.UnableToModifyDuringSystemPOST", "Not during POST");
    let bench = reset_meets(refused);
    let reply = bench.client().send("POST", RESET, OFF).unwrap();
    assert_eq!(
        (reply.status, reply.message_id().as_str()),
        (400, "UnableToModifyDuringSystemPOST")
    );
    assert_eq!(bench.bmc.power(), Some(Power::On));
    assert_eq!(bench.bmc.requests()[0].status, Some(400));

    let lying = Effect::ActAndAnswer(Answer::error(400, "Base.1.0.GeneralError", "refused"));
    let bench = reset_meets(lying);
    assert_eq!(bench.client().send("POST", RESET, OFF).unwrap().status, 400);
    assert_eq!(bench.bmc.power(), Some(Power::Off));
}

#[test]
fn the_common_answers_have_their_headers() {
    let meet = |effect| {
        let bench = reset_meets(effect);
        bench.client().send("POST", RESET, OFF).unwrap()
    };
    let busy = meet(Effect::unavailable(Duration::from_secs(7)));
    assert_eq!((busy.status, busy.header("Retry-After")), (503, Some("7")));
    let page = meet(Effect::html(503));
    assert_eq!(page.header("Content-Type"), Some("text/html"));
    assert!(page.body.starts_with(b"<html>"));
    for status in [301, 302, 307, 308] {
        let moved = meet(Effect::redirect(status, "https://other.example/redfish/v1/"));
        assert_eq!(moved.status, status);
        assert_eq!(moved.header("Location"), Some("https://other.example/redfish/v1/"));
    }
    assert_eq!(meet(Effect::status(500)).message_id(), "GeneralError");
    assert_eq!(meet(Effect::status(401)).status, 401);
}

#[test]
fn a_scripted_header_cannot_break_the_response() {
    let reply = {
        let bench = reset_meets(Effect::redirect(307, "/a\r\nX-Injected: yes"));
        bench.client().send("POST", RESET, OFF).unwrap()
    };
    assert_eq!((reply.status, reply.header("X-Injected")), (307, None));
}

#[test]
fn a_pretended_success_looks_like_one() {
    let bench = Bench::new();
    bench.bmc.add_fault(Fault::new(Effect::Pretend));
    let mut client = bench.client();
    assert_eq!(client.reset("ForceOff").status, 204);
    let reply = client.patch(SYSTEM, &json!({"AssetTag": "x"}));
    assert_eq!((reply.status, &reply.json()["AssetTag"]), (200, &json!("")));
    assert_eq!(client.get(SYSTEM).json()["PowerState"], "On");
    bench.bmc.clear_faults();
    assert_eq!(bench.bmc.resource(SYSTEM).unwrap()["AssetTag"], "");
    assert_eq!(bench.bmc.power(), Some(Power::On));
}

#[test]
fn a_body_may_be_cut_doubled_or_missing() {
    let get = |effect| {
        let bench = Bench::new();
        bench.bmc.add_fault(Fault::new(effect).on("GET", SYSTEM).times(1));
        bench.client().send("GET", SYSTEM, "")
    };
    assert!(get(Effect::Truncate(40)).is_err());
    // More than there is cuts nothing.
    assert_eq!(get(Effect::Truncate(1 << 20)).unwrap().status, 200);
    let doubled = get(Effect::TwoDocuments).unwrap();
    let documents: Vec<_> = serde_json::Deserializer::from_slice(&doubled.body)
        .into_iter::<serde_json::Value>()
        .map(Result::unwrap)
        .collect();
    assert_eq!(documents.len(), 2);
    let empty = get(Effect::EmptyBody).unwrap();
    assert_eq!((empty.status, empty.body.len()), (200, 0));
}

#[test]
fn a_truncated_body_really_sends_its_part() {
    let bench = Bench::new();
    bench.bmc.add_fault(Fault::new(Effect::Truncate(40)));
    let mut stream = crate::client::connect(bench.running.address()).unwrap();
    std::io::Write::write_all(&mut stream, b"GET /redfish/v1/ HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert_eq!(body.len(), 40);
    assert!(!head.contains("Content-Length: 40"), "{head}");
}

#[test]
fn a_fault_may_meet_only_reused_connections() {
    let bench = Bench::new();
    bench.bmc.add_fault(Fault::new(Effect::ResetConnection).on_reused_connections());
    let mut client = bench.client();
    for _ in 0..2 {
        assert_eq!(client.send("GET", SYSTEM, "").unwrap().status, 200);
        assert!(client.send("GET", SYSTEM, "").is_err());
    }
    assert_eq!(bench.bmc.handshakes(), 2);
    let nths: Vec<u64> = bench.bmc.requests().iter().map(|record| record.nth).collect();
    assert_eq!(nths, [1, 2, 1, 2]);
}

#[test]
fn faults_can_be_listed_and_removed_one_by_one() {
    let bench = Bench::new();
    let first = bench.bmc.add_fault(Fault::new(Effect::html(500)).on_path("/redfish/v1/"));
    let second = Fault::new(Effect::html(502)).on_path("/redfish/v1");
    bench.bmc.add_fault(second.clone());
    let mut client = bench.client();
    assert_eq!(client.get("/redfish/v1/").status, 500);
    bench.bmc.remove_fault(first);
    assert_eq!(
        bench.bmc.faults().into_iter().map(|(_, fault)| fault).collect::<Vec<_>>(),
        [second]
    );
    assert_eq!(client.get("/redfish/v1").status, 502);
    bench.bmc.clear_faults();
    assert_eq!(client.get("/redfish/v1/").status, 200);
}

#[test]
fn what_a_control_socket_carries_survives_it() {
    fn there_and_back<T>(value: &T)
    where
        T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
    {
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    }
    let bench = Bench::of(Bmc::builder());
    bench.client().reset("Nmi");
    for effect in [
        Effect::Delay(Duration::from_millis(1500)),
        Effect::BlackHole,
        Effect::unavailable(Duration::from_secs(1)),
        Effect::Truncate(3),
    ] {
        there_and_back(
            &Fault::new(effect).on("GET", "*").after(1).times(2).on_reused_connections(),
        );
    }
    there_and_back::<State>(&bench.bmc.state());
    there_and_back::<Vec<RequestRecord>>(&bench.bmc.requests());
    there_and_back::<Rules>(&bench.bmc.rules());
    // What is not said is the default.
    assert_eq!(serde_json::from_str::<Rules>("{}").unwrap(), Rules::default());
    let short: Fault =
        serde_json::from_str(r#"{"when": {"method": "GET"}, "effect": "BlackHole"}"#).unwrap();
    assert_eq!(short.when.times, None);
}
