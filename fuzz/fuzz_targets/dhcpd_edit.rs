//! Any configuration, a host chosen by the first byte: an edit leaves every other byte.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/dhcpd-conf/tests/suite/invariants.rs"]
#[expect(dead_code, reason = "other targets check the rest")]
mod invariants;

fuzz_target!(|data: &[u8]| {
    if let [which, source @ ..] = data {
        invariants::edits_leave_the_rest(source, usize::from(*which));
    }
});
