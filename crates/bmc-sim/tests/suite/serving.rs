//! Listeners, threads, connections, certificates.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bmc_sim::{Bmc, Effect, Fault, Identity, MemoryMachine, Power};
use proptest::prelude::*;

use crate::client::{Bench, Client, PASSWORD, SYSTEM, USER, connect, listener};

#[test]
fn many_bmcs_are_up_in_well_under_a_second() {
    let begun = Instant::now();
    let benches: Vec<Bench> = (0..64).map(|_| Bench::new()).collect();
    let up = begun.elapsed();
    let mut prints: Vec<String> = benches.iter().map(|bench| bench.bmc.fingerprint()).collect();
    prints.sort();
    prints.dedup();
    assert_eq!(prints.len(), 64);
    for bench in benches.iter().step_by(16) {
        assert_eq!(bench.client().get(SYSTEM).status, 200);
    }
    // Generous: the machine that runs the tests may be busy.
    assert!(up < Duration::from_secs(5), "{up:?}");
}

#[test]
fn requests_share_a_connection_until_somebody_closes_it() {
    let bench = Bench::new();
    let mut client = bench.client();
    (0..3).for_each(|_| assert_eq!(client.get(SYSTEM).status, 200));
    assert_eq!((bench.bmc.handshakes(), bench.bmc.requests()[2].connection), (1, 1));
    let mut closing = bench.client().with("Connection", "close");
    assert_eq!(closing.get(SYSTEM).header("Connection"), Some("close"));
    assert_eq!(closing.get(SYSTEM).status, 200);
    assert_eq!(bench.bmc.handshakes(), 3);
    assert_eq!(bench.bmc.state().connections, 3);
}

#[test]
fn a_stopped_bmc_refuses_connections_and_comes_back_with_its_state() {
    let Bench { bmc, running } = Bench::new();
    let address = running.address();
    let mut open = Client::new(address).with_basic(USER, PASSWORD);
    assert_eq!(open.reset("ForceOff").status, 204);
    running.stop();
    assert!(open.send("GET", SYSTEM, "").is_err());
    let refused = TcpStream::connect(address).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);

    let again = bmc.serve(listener()).unwrap();
    let mut client = Client::new(again.address()).with_basic(USER, PASSWORD);
    assert_eq!(client.get(SYSTEM).json()["PowerState"], "Off");
    assert_eq!(bmc.power(), Some(Power::Off));
}

#[test]
fn one_bmc_can_listen_in_several_places() {
    let bench = Bench::new();
    let other = bench.bmc.serve(listener()).unwrap();
    bench.client().reset("ForceOff");
    let mut client = Client::new(other.address()).with_basic(USER, PASSWORD);
    assert_eq!(client.get(SYSTEM).json()["PowerState"], "Off");
}

#[test]
fn nothing_runs_on_after_a_stop() {
    let machine = Arc::new(MemoryMachine::default());
    let bench = Bench::of(Bmc::builder().machine(Arc::clone(&machine) as _));
    // One silent connection before the handshake, one within a request, one asleep in a delay.
    let mut idle = TcpStream::connect(bench.running.address()).unwrap();
    let mut half = connect(bench.running.address()).unwrap();
    half.write_all(b"GET /redfish/v1 HTT").unwrap();
    bench.bmc.add_fault(Fault::new(Effect::DelayReply(Duration::from_mins(10))));
    let mut client = bench.client();
    let asleep = std::thread::spawn(move || client.send("GET", SYSTEM, "").is_err());
    while bench.bmc.requests().is_empty() {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(Arc::strong_count(&machine) > 1);
    let begun = Instant::now();
    drop(bench);
    assert!(begun.elapsed() < Duration::from_secs(5));
    // Whatever still ran would hold the BMC, and the BMC its machine.
    assert_eq!(Arc::strong_count(&machine), 1);
    let mut rest = Vec::new();
    assert!(matches!(idle.read_to_end(&mut rest), Ok(0) | Err(_)));
    let _ = half.read_to_end(&mut rest);
    assert!(rest.is_empty() && asleep.join().unwrap());
}

#[test]
fn connections_above_the_limit_are_dropped_and_room_is_made_again() {
    let bench = Bench::new();
    let address = bench.running.address();
    let open: Vec<_> = (0..200).map(|_| TcpStream::connect(address).unwrap()).collect();
    let mut one_more = TcpStream::connect(address).unwrap();
    assert!(matches!(one_more.read(&mut [0]), Ok(0) | Err(_)));
    drop(open);
    let begun = Instant::now();
    while bench.client().send("GET", SYSTEM, "").is_err() {
        assert!(begun.elapsed() < Duration::from_secs(5), "no room was made");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_paused_bmc_takes_connections_but_answers_none_until_it_resumes() {
    let bench = Bench::new();
    let mut open = bench.client();
    open.get(SYSTEM);
    bench.running.pause();
    let mut waiting = bench.client();
    let asking = std::thread::spawn(move || waiting.get(SYSTEM).status);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(bench.bmc.handshakes(), 1);
    // A connection that was open goes on.
    assert_eq!(open.get(SYSTEM).status, 200);
    bench.running.resume();
    assert_eq!(asking.join().unwrap(), 200);
    bench.running.pause();
    bench.running.stop();
}

#[test]
fn a_replaced_certificate_is_shown_to_the_next_connection() {
    let bench = Bench::new();
    let mut client = bench.client();
    let first = client.certificate();
    assert_eq!(first, bench.bmc.identity().certificate());
    let other = Identity::generate(["bmc.example.org", "127.0.0.1"]).unwrap();
    assert_ne!(other.fingerprint(), bench.bmc.fingerprint());
    bench.bmc.set_identity(other.clone());
    assert_eq!(bench.bmc.fingerprint(), other.fingerprint());
    assert_eq!(client.certificate(), first);
    assert_eq!(bench.client().certificate(), other.certificate());
    assert_eq!(bench.bmc.state().fingerprint, other.fingerprint());
}

#[test]
fn a_certificate_and_its_key_can_be_brought_along() {
    let signed = rcgen::generate_simple_self_signed(["bmc.example.org".to_owned()]).unwrap();
    let (chain, key) = (signed.cert.pem(), signed.signing_key.serialize_pem());
    let identity = Identity::from_pem(&chain, &key).unwrap();
    let bench = Bench::of(Bmc::builder().identity(identity.clone()));
    assert_eq!(bench.client().certificate(), identity.certificate());
    let other = Identity::generate(["x"]).unwrap();
    assert!(!format!("{other:?}").contains("PRIVATE"));
    for (chain, key) in [("", key.as_str()), (chain.as_str(), ""), ("nonsense", "nonsense")] {
        assert!(Identity::from_pem(chain, key).is_err());
    }
}

#[test]
fn a_connection_without_tls_is_closed_and_counted_as_no_handshake() {
    let bench = Bench::new();
    let mut plain = TcpStream::connect(bench.running.address()).unwrap();
    plain.write_all(b"GET /redfish/v1/ HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut rest = Vec::new();
    let _ = plain.read_to_end(&mut rest);
    assert!(!rest.starts_with(b"HTTP"));
    assert_eq!(bench.bmc.handshakes(), 0);
    assert_eq!(bench.client().get(SYSTEM).status, 200);
}

#[test]
fn what_is_no_request_is_answered_and_closed() {
    let bench = Bench::new();
    for (bytes, status) in [
        ("NONSENSE\r\n\r\n".to_owned(), 400),
        (format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000)), 431),
        ("POST / HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n".to_owned(), 413),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned(), 411),
    ] {
        let reply = bench.client().raw(bytes.as_bytes(), false).unwrap();
        assert_eq!((reply.status, reply.header("Connection")), (status, Some("close")));
    }
    assert!(bench.bmc.requests().is_empty());
}

#[test]
fn a_client_that_expects_to_be_told_to_continue_is_told() {
    let bench = Bench::new();
    let mut stream = connect(bench.running.address()).unwrap();
    let head = "POST /redfish/v1/SessionService/Sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut told = [0; 25];
    stream.read_exact(&mut told).unwrap();
    assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"{}").unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 400");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever an authenticated client says, it gets an answer, and the BMC goes on.
    #[test]
    fn no_request_makes_a_connection_die(
        method in "(GET|PATCH|POST|DELETE|PUT|HEAD)",
        path in "(/redfish/v1(/(Systems|Managers|Chassis|SessionService|1|Sessions|Actions|ComputerSystem.Reset|#|%|\\?only|\\?\\$expand=\\*)){0,5}|/\\PC{0,20})",
        body in "(\\{\"(Boot|ResetType|Image|IndicatorLED)\": (null|1|\"Pxe\"|\\{\\}|\\[\\])\\}|\\PC{0,40})",
    ) {
        let bench = Bench::new();
        let mut client = bench.client();
        let path: String = path.chars().filter(char::is_ascii_graphic).collect();
        let reply = client.send(&method, &path, &body).unwrap();
        prop_assert!((200..600).contains(&reply.status) && reply.status != 500);
        prop_assert_eq!(bench.client().get(SYSTEM).status, 200);
    }
}
