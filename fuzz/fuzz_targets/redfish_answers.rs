//! Arbitrary answers of a BMC: none panics, none makes the client loop, none has an action sent
//! twice, and none becomes a power state that it does not say.
//!
//! The input is a list of answers, parted by the byte 0xFF: one byte for the status, then the value
//! of the headers up to a line break, then the body.

#![no_main]

use std::sync::{Arc, Mutex};

use libfuzzer_sys::fuzz_target;
use redfish::fake::FakeClock;
use redfish::{
    Account, Authentication, Bmc, BootRequest, BootSource, Delivery, IndicatorAction, MediaRequest,
    Password, PowerAction, PowerState, ResetType, SensorScope, Transport, TransportError,
    TransportErrorKind,
};

const STATUSES: [u16; 16] =
    [200, 201, 202, 204, 301, 308, 400, 401, 403, 404, 405, 409, 412, 428, 500, 503];
/// Every operation is bounded; together they stay below this.
const MOST_REQUESTS: usize = 3_000;

struct Script<'a> {
    answers: Mutex<std::slice::Split<'a, u8, fn(&u8) -> bool>>,
    resets: Mutex<usize>,
    asked: Mutex<usize>,
    /// Power states that the bodies so far said.
    said: Mutex<Vec<String>>,
}

impl Transport for Script<'_> {
    fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        *self.asked.lock().unwrap() += 1;
        // A login is a POST too, wherever a redirect leads it.
        if request.body().starts_with(br#"{"ResetType""#) {
            *self.resets.lock().unwrap() += 1;
        }
        let lost = || TransportError::new(TransportErrorKind::Timeout, Delivery::PerhapsCarriedOut);
        let answer = self.answers.lock().unwrap().next().ok_or_else(lost)?;
        let (status, rest) = answer.split_first().ok_or_else(lost)?;
        let at = rest.iter().position(|byte| *byte == b'\n').unwrap_or(0);
        let (header, body) = rest.split_at(at);
        let document = serde_json::Deserializer::from_slice(body.trim_ascii());
        if let Some(Ok(document)) = document.into_iter::<serde_json::Value>().next()
            && let Some(state) = document.get("PowerState").and_then(|state| state.as_str())
        {
            self.said.lock().unwrap().push(state.to_owned());
        }
        let mut response =
            http::Response::builder().status(STATUSES[usize::from(*status) % STATUSES.len()]);
        for name in ["location", "etag", "x-auth-token", "retry-after"] {
            if let Ok(value) = http::HeaderValue::from_bytes(header) {
                response = response.header(name, value);
            }
        }
        response.body(body.to_vec()).map_err(|_| lost())
    }
}

fuzz_target!(|data: &[u8]| {
    let (by, data) = data.split_first().map_or((0, data), |(first, rest)| (*first, rest));
    let is_end: fn(&u8) -> bool = |byte| *byte == 0xFF;
    let script = Script {
        answers: Mutex::new(data.split(is_end)),
        resets: Mutex::default(),
        asked: Mutex::default(),
        said: Mutex::default(),
    };
    let account = Account::new("a", Password::new("b".to_owned())).unwrap();
    let authentication = if by & 1 == 0 { Authentication::Basic } else { Authentication::Session };
    let bmc = Bmc::new("bmc.example.org".parse().unwrap(), account, &script)
        .with_clock(Arc::new(FakeClock::default()))
        .with_authentication(authentication);

    if let Ok(state @ (PowerState::On | PowerState::Off)) = bmc.power_state() {
        let said = script.said.lock().unwrap();
        assert!(said.contains(&state.to_string()), "{state}, of {said:?}");
    }
    let _ = bmc.set_boot_override(&BootRequest::once(BootSource::PXE));
    let _ = bmc.reset(&ResetType::ForceRestart);
    assert!(*script.resets.lock().unwrap() <= 1, "a reset was sent twice");
    let _ = bmc.clear_boot_override();
    for action in [PowerAction::Cycle, PowerAction::Off, PowerAction::ResetOrOn] {
        let _ = bmc.power(action);
    }
    let _ = bmc.set_indicator(IndicatorAction::On);
    let _ = bmc.insert_media(&MediaRequest::new("http://a/b.iso"));
    let _ = bmc.clear_events();
    let _ = bmc.sensors(SensorScope::System);
    let _ = bmc.firmware();
    let _ = bmc.diagnose();
    drop(bmc);
    assert!(*script.asked.lock().unwrap() < MOST_REQUESTS, "too many requests");
});
