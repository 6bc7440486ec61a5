//! A BMC on real TLS: certificates, addresses, connections.

use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Barrier};
use std::time::Duration;

use proptest::prelude::*;
use redfish::https::{Client, MinTls, Resolver, Trust};
use redfish::{
    Bmc, CertificateProblem, Delivery, Endpoint, Error, ErrorKind, FilePins, Limits, PinStore as _,
    PowerState, ResetType,
};

use crate::server::{Loopback, Server, bmc};
use crate::site::account;

fn pins(directory: &tempfile::TempDir) -> Arc<FilePins> {
    Arc::new(FilePins::new(directory.path().join("state/bmc-pins")))
}

fn is_changed(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Certificate(CertificateProblem::Changed { .. }))
}

#[test]
fn a_first_contact_is_recorded_before_anything_is_sent() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&["anything"]);
    let pins = pins(&directory);
    let bmc = bmc(server.endpoint(), Trust::Pinned(pins.clone()));
    assert_eq!(bmc.power_state().unwrap(), PowerState::On);

    let recorded = pins.recorded(&server.endpoint()).unwrap().unwrap();
    assert_eq!(pins.first_contacts(), [(server.endpoint(), recorded)]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = pins.path().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_changed_certificate_is_refused_with_both_fingerprints_and_without_credentials() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&["anything"]);
    let pins = pins(&directory);
    let other = "ab".repeat(32).parse().unwrap();
    pins.record(&server.endpoint(), &other).unwrap();

    let error = bmc(server.endpoint(), Trust::Pinned(pins)).power_state().unwrap_err();
    assert!(is_changed(&error) && error.is_unreachable(), "{error:?}");
    assert_eq!(error.delivery(), Delivery::NotSent);
    assert!(error.to_string().contains(&"ab".repeat(32)), "{error}");
    assert_eq!(server.seen.requests(), Vec::<String>::new());
}

#[test]
fn of_two_first_contacts_at_once_with_different_certificates_one_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for round in 0..8 {
        let endpoint = Endpoint::new(&format!("bmc{round}.example.org"), 443).unwrap();
        let barrier = Barrier::new(2);
        let record = |byte: &str| {
            let pins = pins(&directory);
            let seen = byte.repeat(32).parse().unwrap();
            barrier.wait();
            pins.record(&endpoint, &seen).unwrap() == seen
        };
        let accepted = std::thread::scope(|scope| {
            let first = scope.spawn(|| record("aa"));
            let second = scope.spawn(|| record("bb"));
            usize::from(first.join().unwrap()) + usize::from(second.join().unwrap())
        });
        assert_eq!(accepted, 1);
    }
    assert_eq!(pins(&directory).pins().unwrap().len(), 8);
}

#[test]
fn a_rehearsal_remembers_a_first_contact_and_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&["anything"]);
    let file = directory.path().join("bmc-pins");
    let pins = Arc::new(FilePins::read_only(&file));
    let bmc = bmc(server.endpoint(), Trust::Pinned(pins.clone()));
    assert_eq!(bmc.power_state().unwrap(), PowerState::On);
    assert_eq!(pins.first_contacts().len(), 1);
    assert!(pins.forget(&server.endpoint()).unwrap().is_some());
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn a_forgotten_certificate_is_a_first_contact_again() {
    let directory = tempfile::tempdir().unwrap();
    let pins = pins(&directory);
    let endpoint: Endpoint = "bmc.example.org".parse().unwrap();
    assert_eq!(pins.forget(&endpoint).unwrap(), None);
    let pin = "cd".repeat(32).parse().unwrap();
    pins.record(&endpoint, &pin).unwrap();
    assert_eq!(pins.forget(&endpoint).unwrap(), Some(pin));
    assert_eq!(pins.recorded(&endpoint).unwrap(), None);
}

#[test]
fn pins_of_other_programs_are_seen_at_once_and_kept() {
    let directory = tempfile::tempdir().unwrap();
    let (ours, theirs) = (pins(&directory), pins(&directory));
    let [first, second, third] =
        ["a", "b", "c"].map(|name| Endpoint::new(&format!("{name}.example.org"), 443).unwrap());
    let pin = |byte: &str| byte.repeat(32).parse::<redfish::Fingerprint>().unwrap();
    ours.record(&first, &pin("01")).unwrap();
    theirs.record(&second, &pin("02")).unwrap();
    assert_eq!(ours.recorded(&second).unwrap(), Some(pin("02")));
    theirs.forget(&first).unwrap();
    assert_eq!(ours.recorded(&first).unwrap(), None);
    // A line that was typed in by hand, without its end.
    let text = std::fs::read_to_string(ours.path()).unwrap();
    std::fs::write(ours.path(), format!("# ours\n{}", text.trim_end())).unwrap();
    ours.record(&third, &pin("03")).unwrap();
    assert_eq!(theirs.pins().unwrap().into_values().collect::<Vec<_>>(), [pin("02"), pin("03")]);
}

#[test]
fn an_address_of_ip_version_6_is_reached_and_pinned() {
    let Ok(listener) = TcpListener::bind((std::net::Ipv6Addr::LOCALHOST, 0)) else {
        println!("skipped: this machine has no ::1");
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start_on(listener, &["anything"]);
    let endpoint: Endpoint = format!("[::1]:{}", server.port).parse().unwrap();
    let client = Client::new(Trust::Pinned(pins(&directory))).unwrap();
    assert_eq!(
        Bmc::new(endpoint.clone(), account(), client).power_state().unwrap(),
        PowerState::On
    );
    assert!(pins(&directory).recorded(&endpoint).unwrap().is_some());
}

#[test]
fn pins_that_cannot_be_read_refuse_every_certificate() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&["anything"]);
    let file = directory.path().join("bmc-pins");
    std::fs::write(&file, "# pins\nbmc.example.org md5:00\n").unwrap();
    let error = bmc(server.endpoint(), Trust::Pinned(Arc::new(FilePins::new(file))))
        .power_state()
        .unwrap_err();
    assert!(error.to_string().contains("line 2"), "{error}");
    assert_eq!(server.seen.requests(), Vec::<String>::new());
}

#[test]
fn a_bundle_vouches_for_its_own_names_only() {
    let server = Server::start(&["bmc.example.org"]);
    let trust = || Trust::CaBundle(server.certificate.clone().into_bytes());
    assert_eq!(bmc(server.endpoint(), trust()).power_state().unwrap(), PowerState::On);

    let other = Endpoint::new("other.example.org", server.port).unwrap();
    let error = bmc(other, trust()).power_state().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Certificate(CertificateProblem::Untrusted { .. })));
    let unrelated = Server::start(&["bmc.example.org"]);
    let error = bmc(unrelated.endpoint(), trust()).power_state().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Certificate(CertificateProblem::Untrusted { .. })));
    assert_eq!(unrelated.seen.requests(), Vec::<String>::new());
}

#[test]
fn a_bundle_without_a_certificate_is_no_trust() {
    let error = Client::new(Trust::CaBundle(b"nothing".to_vec())).unwrap_err();
    assert!(error.to_string().starts_with("the CA bundle cannot be used"), "{error}");
}

#[test]
fn requests_carry_the_port_and_basic_credentials_and_share_a_connection() {
    let server = Server::start(&["anything"]);
    let bmc = bmc(server.endpoint(), Trust::Insecure);
    bmc.power_state().unwrap();
    bmc.power_state().unwrap();
    let requests = server.seen.requests();
    let head = requests[0].to_ascii_lowercase();
    assert!(head.contains(&format!("host: bmc.example.org:{}", server.port)), "{head}");
    assert!(requests[0].contains("Basic YWRtaW46c2VjcmV0"));
    assert!(head.contains("accept-encoding: identity"), "{head}");
    assert_eq!(server.seen.connections.load(Ordering::SeqCst), 1);
}

#[test]
fn a_client_may_use_a_connection_for_each_request() {
    let server = Server::start(&["anything"]);
    let client = Client::builder(Trust::Insecure).resolver(Arc::new(Loopback)).close_connections();
    let bmc = Bmc::new(server.endpoint(), account(), client.build().unwrap());
    bmc.power_state().unwrap();
    bmc.power_state().unwrap();
    assert_eq!(server.seen.connections.load(Ordering::SeqCst), 2);
    assert!(server.seen.requests()[0].to_ascii_lowercase().contains("connection: close"));
}

#[test]
fn an_address_needs_no_name() {
    let server = Server::start(&["anything"]);
    let directory = tempfile::tempdir().unwrap();
    let endpoint: Endpoint = format!("127.0.0.1:{}", server.port).parse().unwrap();
    let client = Client::new(Trust::Pinned(pins(&directory))).unwrap();
    let bmc = Bmc::new(endpoint, account(), client);
    assert_eq!(bmc.power_state().unwrap(), PowerState::On);
    assert_eq!(pins(&directory).pins().unwrap().len(), 1);
}

#[test]
fn a_lost_connection_after_a_reset_leaves_its_outcome_open_and_nothing_is_sent_again() {
    let server = Server::start(&["anything"]);
    let error =
        bmc(server.endpoint(), Trust::Insecure).reset(&ResetType::ForceRestart).unwrap_err();
    assert_eq!(error.delivery(), Delivery::PerhapsCarriedOut, "{error:?}");
    assert_eq!(*error.kind(), ErrorKind::ConnectionLost, "{error:?}");
    let requests = server.seen.requests();
    assert_eq!(requests.iter().filter(|head| head.starts_with("POST")).count(), 1);
}

#[test]
fn a_refused_connection_sends_nothing_and_says_why() {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let endpoint = Endpoint::new("bmc.example.org", port).unwrap();
    let error = bmc(endpoint, Trust::Insecure).power_state().unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Unreachable, Delivery::NotSent));
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert!(cause.contains("refused"), "{cause}");
}

#[test]
fn a_name_without_an_address_is_told_apart() {
    #[derive(Debug)]
    struct Nobody;
    impl Resolver for Nobody {
        fn resolve(&self, _host: &str) -> std::io::Result<Vec<IpAddr>> {
            Ok(Vec::new())
        }
    }
    let client = Client::builder(Trust::Insecure).resolver(Arc::new(Nobody)).build().unwrap();
    let error =
        Bmc::new("bmc.example.org".parse().unwrap(), account(), client).power_state().unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Unresolved, Delivery::NotSent));
}

#[test]
fn an_old_tls_is_a_failure_of_its_own() {
    let server = Server::start(&["anything"]);
    let client =
        Client::builder(Trust::Insecure).resolver(Arc::new(Loopback)).min_tls(MinTls::V1_3);
    let error =
        Bmc::new(server.endpoint(), account(), client.build().unwrap()).power_state().unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Tls, Delivery::NotSent), "{error:?}");
    assert!("1.1".parse::<MinTls>().is_err());
}

#[test]
fn a_silent_bmc_ends_at_the_deadline_of_the_operation() {
    // Accepts and never says a word.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let endpoint = Endpoint::new("bmc.example.org", listener.local_addr().unwrap().port()).unwrap();
    let bmc = bmc(endpoint, Trust::Insecure)
        .with_limits(Limits { operation: Duration::from_millis(300) });
    let start = std::time::Instant::now();
    let error = bmc.power_state().unwrap_err();
    assert!(error.is_unreachable(), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(3));
}

/// Bytes in place of an answer: anything, or an HTTP answer that is broken somewhere.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let heads = prop_oneof![
        Just("HTTP/1.1 200 OK\r\n"),
        Just("HTTP/1.1 999 \r\n"),
        Just("HTTP/1.1 204 No Content\r\n"),
        Just("HTTP/2 200\r\n"),
        Just("HTTP/1.1 101 Switching Protocols\r\n"),
    ];
    let headers = prop_oneof![
        Just("Content-Length: 40\r\n"),
        Just("Content-Length: -1\r\n"),
        Just("Content-Length: 99999999999999999999\r\n"),
        Just("Transfer-Encoding: chunked\r\n"),
        Just("Location: https://elsewhere/\r\n"),
        Just(""),
    ];
    let bodies = prop_oneof![
        Just(b"\r\n{\"PowerState\": \"On".to_vec()),
        Just(b"\r\n5\r\nabc".to_vec()),
        Just(b"\r\nffffffffffffffff\r\n".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..60),
    ];
    let broken = (heads, headers, bodies)
        .prop_map(|(head, header, body)| [head.as_bytes(), header.as_bytes(), &body].concat());
    prop_oneof![broken, proptest::collection::vec(any::<u8>(), 0..80)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn no_bytes_in_place_of_an_answer_are_a_power_state(bytes in bytes()) {
        let server = Server::start(&["anything"]);
        *server.seen.instead.lock().unwrap() = Some(bytes);
        let limits = Limits { operation: Duration::from_secs(5) };
        let result = bmc(server.endpoint(), Trust::Insecure).with_limits(limits).power_state();
        let is_state = matches!(result, Ok(PowerState::On | PowerState::Off));
        prop_assert!(!is_state, "{:?}", result);
        prop_assert!(server.seen.requests().len() < 20);
    }
}
