//! Public reports about sessions, connections and time, each by what went wrong.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bmc_sim::Tree;
use http::Method;
use redfish::fake::{FakeBmc, FakeClock, Fault, Rule};
use redfish::https::{Client, Trust};
use redfish::{
    Authentication, Bmc, Concurrency, Delivery, Endpoint, ErrorKind, Limits, PowerState, ResetType,
    Throttle, TimeLeft, Transport, TransportError,
};

use crate::server::{Loopback, Simulated};
use crate::site::{account, client, client_by};

fn by_session(fake: &FakeBmc) -> Bmc<&FakeBmc> {
    client(fake).with_authentication(Authentication::Session)
}

/// badfish issue 447, gofish issue 75.
#[test]
fn repeated_runs_used_up_the_sessions_of_the_bmc() {
    // iDRAC has about eight.
    let fake = FakeBmc::new().with_rule(Rule::SessionLimit(8));
    for run in 0..40 {
        let bmc = by_session(&fake);
        bmc.power_state().unwrap();
        if run % 2 == 0 {
            fake.fail_next(Method::POST, Fault::Silent);
            bmc.reset(&ResetType::ForceRestart).unwrap_err();
        }
        assert!(!bmc.is_out_of_sessions(), "run {run}");
    }
    assert_eq!(fake.open_sessions(), 0);
}

/// `check_redfish` issue 89 and pull request 198.
#[test]
fn a_full_table_of_sessions_was_called_a_wrong_password() {
    let fake = FakeBmc::new().with_account("admin", "secret").with_rule(Rule::SessionLimit(1));
    let first = by_session(&fake);
    first.power_state().unwrap();
    // Somebody else's session is there.
    let second = by_session(&fake);
    assert_eq!(second.power_state().unwrap(), PowerState::On);
    assert!(second.is_out_of_sessions());
    drop(second);
    assert_eq!(fake.open_sessions(), 1, "nobody else is logged out");
    drop(first);

    // After a refused token, after an error and after a silence the session is deleted.
    for fault in
        [Fault::Answer(401, String::new()), Fault::Answer(500, String::new()), Fault::Silent]
    {
        let bmc = by_session(&fake);
        bmc.power_state().unwrap();
        fake.fail_next(Method::POST, fault);
        bmc.reset(&ResetType::ForceRestart).unwrap_err();
        drop(bmc);
        assert_eq!(fake.open_sessions(), 0);
    }
}

/// smart-proxy pull requests 895 and 896.
#[test]
fn a_session_for_each_query_cost_more_than_the_query() {
    let fake = FakeBmc::new();
    client(&fake).power_state().unwrap();
    assert_eq!(fake.requests().len(), 1, "{:?}", fake.lines());
    assert!(fake.requests()[0].headers.contains_key("authorization"));
}

/// gofish issue 349.
#[test]
fn each_request_made_a_connection_of_its_own() {
    let simulated = Simulated::of(Tree::built_in());
    let bmc = simulated.client();
    for _ in 0..5 {
        bmc.power_state().unwrap();
    }
    bmc.sensors(redfish::SensorScope::System).unwrap();
    assert!(simulated.bmc.requests().len() > 7);
    assert_eq!(simulated.bmc.handshakes(), 1);
}

/// powerman issues 185 and 187.
#[test]
fn a_few_absent_machines_held_up_every_run() {
    // It takes connections and never says a word, as a BMC that hangs does.
    let absent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let simulated = Simulated::of(Tree::built_in());
    let client = Client::builder(Trust::Insecure)
        .resolver(Arc::new(Loopback))
        .connect_timeout(Duration::from_secs(2))
        .build()
        .unwrap();
    let ports = [absent.local_addr().unwrap().port(), simulated.running.address().port()];
    let (results, arrived) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for port in ports {
            let (client, results) = (client.clone(), results.clone());
            scope.spawn(move || {
                let endpoint = Endpoint::new("bmc.example.org", port).unwrap();
                let state = Bmc::new(endpoint, account(), client).power_state();
                results.send((port, state)).unwrap();
            });
        }
    });
    let (first, state) = arrived.recv().unwrap();
    assert_eq!(
        (first, state.unwrap()),
        (ports[1], PowerState::On),
        "the answer that is there is first"
    );
    let (_, state) = arrived.recv().unwrap();
    let error = state.unwrap_err();
    // The time to connect ends it, long before the time of the operation.
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Unreachable, Delivery::NotSent));
}

/// ansible issues 45513 and 48296.
#[test]
fn ilo_4_redirected_the_root_without_its_slash() {
    let simulated = Simulated::of(Tree::built_in());
    let client = simulated.client();
    client.ping().unwrap();
    assert_eq!(simulated.bmc.requests()[0].target, "/redfish/v1/", "no redirect is needed");

    let slashed = "/redfish/v1/Systems/1/";
    let redirect = bmc_sim::Fault::new(bmc_sim::Effect::redirect(308, slashed));
    simulated.bmc.add_fault(redirect.on("GET", "/redfish/v1/Systems").times(1));
    assert_eq!(client.power_state().unwrap(), PowerState::On);
}

/// Finds out how many requests are under way.
#[derive(Default)]
struct Counting {
    fake: FakeBmc,
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Transport for Counting {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        std::thread::yield_now();
        let answer = self.fake.send(request);
        self.now.fetch_sub(1, Ordering::SeqCst);
        answer
    }
}

/// infra-controller issue 4751, `idrac_exporter` issue 189.
#[test]
fn one_bmc_was_overloaded_for_nothing_bounded_the_requests_to_it() {
    let throttle = Throttle::new(Counting::default(), Concurrency { total: 64, per_bmc: 1 });
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let bmc = Bmc::new("bmc.example.org".parse().unwrap(), account(), &throttle);
                bmc.power_state().unwrap();
            });
        }
    });
    assert_eq!(throttle.inner().most.load(Ordering::SeqCst), 1);
    assert_eq!(throttle.inner().fake.requests().len(), 16);
}

/// Each request takes its whole time and is answered with "not now".
struct Drowsy {
    clock: Arc<FakeClock>,
    lefts: std::sync::Mutex<Vec<Duration>>,
}

impl Transport for Drowsy {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        let left = request.extensions().get::<TimeLeft>().unwrap().0;
        self.lefts.lock().unwrap().push(left);
        redfish::Clock::sleep(&*self.clock, left.min(Duration::from_secs(30)));
        Ok(http::Response::builder().status(503).body(Vec::new()).unwrap())
    }
}

/// infra-controller issue 5963.
#[test]
fn one_black_holed_bmc_stalled_thousands_for_only_its_requests_had_a_limit() {
    let clock = Arc::new(FakeClock::default());
    let drowsy = Drowsy { clock: clock.clone(), lefts: std::sync::Mutex::default() };
    let limits = Limits { operation: Duration::from_secs(70) };
    let bmc = Bmc::new("bmc.example.org".parse().unwrap(), account(), &drowsy);
    let bmc = bmc.with_clock(clock.clone()).with_limits(limits);
    bmc.sensors(redfish::SensorScope::AllChassis).unwrap_err();
    assert!(clock.waited() <= Duration::from_secs(70), "{:?}", clock.waited());
    drop(bmc);
    let lefts = drowsy.lefts.into_inner().unwrap();
    assert!(lefts.windows(2).all(|pair| pair[1] < pair[0]), "{lefts:?}");
}

/// xcat-core issue 4264 and pull request 7556.
#[test]
fn a_503_of_a_bmc_that_boots_was_a_failure() {
    let fake = FakeBmc::new();
    let wait = |seconds: &str| {
        Fault::AnswerWith(503, vec![("Retry-After", seconds.to_owned())], String::new())
    };
    fake.fail_next(Method::GET, wait("20"));
    fake.fail_next(Method::GET, wait("7"));
    let clock = Arc::new(FakeClock::default());
    assert_eq!(client_by(&fake, clock.clone()).power_state().unwrap(), PowerState::On);
    assert_eq!(clock.waited(), Duration::from_secs(27));

    // A reset is not repeated: the caller is told to.
    fake.fail_next(Method::POST, wait("20"));
    let error = client(&fake).reset(&ResetType::ForceRestart).unwrap_err();
    let retry_after = Some(Duration::from_secs(20));
    assert_eq!(*error.kind(), ErrorKind::Busy { retry_after });
}

/// community.general issue 8555, `idrac_exporter` pull request 205.
#[test]
fn a_bmc_with_old_ciphers_failed_and_nobody_said_why() {
    // Alert 40, handshake failure: what a BMC that knows RSA key exchange alone answers.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let endpoint = Endpoint::new("bmc.example.org", listener.local_addr().unwrap().port()).unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut hello = [0; 5];
        stream.read_exact(&mut hello).unwrap();
        stream.write_all(&[0x15, 3, 3, 0, 2, 2, 40]).unwrap();
        // The rest of the hello is read, so that the alert is not lost to a reset.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let client = Client::builder(Trust::Insecure).resolver(Arc::new(Loopback)).build().unwrap();
    let error = Bmc::new(endpoint, account(), client).power_state().unwrap_err();
    assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Tls, Delivery::NotSent));
    assert!(error.to_string().ends_with("no common TLS version or cipher"), "{error}");
    assert!(error.is_unreachable(), "so that another protocol may be tried");
    server.join().unwrap();
}
