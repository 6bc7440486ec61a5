//! Requests at a time: to one BMC and to all.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use redfish::fake::FakeBmc;
use redfish::{Bmc, Concurrency, Delivery, ErrorKind, Limits, Throttle, Transport, TransportError};

use crate::site::account;

/// Counts how many requests are under way, and holds them until told.
#[derive(Default)]
struct Gate {
    fake: FakeBmc,
    state: Mutex<Seen>,
    opened: Condvar,
}

#[derive(Default)]
struct Seen {
    now: HashMap<String, usize>,
    most_here: usize,
    most: usize,
    arrived: usize,
    is_open: bool,
}

impl Gate {
    fn open(&self) {
        self.state.lock().unwrap().is_open = true;
        self.opened.notify_all();
    }

    /// Waits until so many requests arrived.
    fn wait_for(&self, arrived: usize) {
        let state = self.state.lock().unwrap();
        drop(self.opened.wait_while(state, |seen| seen.arrived < arrived).unwrap());
    }
}

impl Transport for Gate {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        let host = request.uri().host().unwrap().to_owned();
        let mut seen = self.state.lock().unwrap();
        seen.arrived += 1;
        *seen.now.entry(host.clone()).or_default() += 1;
        seen.most_here = seen.most_here.max(seen.now[&host]);
        seen.most = seen.most.max(seen.now.values().sum());
        self.opened.notify_all();
        let mut seen = self.opened.wait_while(seen, |seen| !seen.is_open).unwrap();
        *seen.now.get_mut(&host).unwrap() -= 1;
        drop(seen);
        self.fake.send(request)
    }
}

/// The most requests under way to one BMC and to all, of 12 threads that ask 3 BMCs.
fn most(limits: Concurrency, arrive: usize) -> (usize, usize) {
    let throttle = Throttle::new(Gate::default(), limits);
    let gate = throttle.inner();
    std::thread::scope(|scope| {
        for thread in 0..12 {
            let throttle = &throttle;
            scope.spawn(move || {
                let endpoint = format!("bmc{}.example.org", thread % 3).parse().unwrap();
                Bmc::new(endpoint, account(), throttle).power_state().unwrap();
            });
        }
        gate.wait_for(arrive);
        gate.open();
    });
    let seen = gate.state.lock().unwrap();
    assert_eq!(seen.arrived, 12);
    (seen.most_here, seen.most)
}

#[test]
fn one_bmc_and_all_of_them_are_asked_no_more_than_so_much_at_a_time() {
    assert_eq!(most(Concurrency { total: 256, per_bmc: 2 }, 6), (2, 6));
    assert_eq!(most(Concurrency { total: 256, per_bmc: 1 }, 3), (1, 3));
    let (here, all) = most(Concurrency { total: 2, per_bmc: 2 }, 2);
    assert!(here <= 2 && all == 2, "{here} {all}");
    // Nobody waits for ever for a bound of nothing.
    assert_eq!(most(Concurrency { total: 0, per_bmc: 0 }, 1), (1, 1));
}

#[test]
fn a_request_whose_time_is_up_before_its_turn_is_not_sent() {
    let throttle = Throttle::new(Gate::default(), Concurrency { total: 1, per_bmc: 1 });
    let gate = throttle.inner();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let bmc = Bmc::new("a.example.org".parse().unwrap(), account(), &throttle);
            bmc.power_state().unwrap();
        });
        gate.wait_for(1);
        let limits = Limits { operation: Duration::from_millis(20) };
        let bmc = Bmc::new("b.example.org".parse().unwrap(), account(), &throttle);
        let error = bmc.with_limits(limits).power_state().unwrap_err();
        assert_eq!((error.kind(), error.delivery()), (&ErrorKind::Timeout, Delivery::NotSent));
        gate.open();
    });
    assert_eq!(gate.state.lock().unwrap().arrived, 1);
}

#[test]
fn a_request_that_panics_makes_room_for_the_next() {
    struct Panics;
    impl Transport for Panics {
        fn send(
            &self,
            _request: http::Request<Vec<u8>>,
        ) -> Result<http::Response<Vec<u8>>, TransportError> {
            panic!("on purpose")
        }
    }
    let throttle = Arc::new(Throttle::new(Panics, Concurrency { total: 1, per_bmc: 1 }));
    for _ in 0..3 {
        let bmc = Bmc::new("a.example.org".parse().unwrap(), account(), Arc::clone(&throttle));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| bmc.power_state()));
        assert!(result.is_err());
    }
}
