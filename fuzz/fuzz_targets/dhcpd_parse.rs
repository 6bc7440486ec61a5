//! Any bytes: they parse or are refused with places, and print as they were.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/dhcpd-conf/tests/suite/invariants.rs"]
#[expect(dead_code, reason = "other targets check the rest")]
mod invariants;

fuzz_target!(|source: &[u8]| invariants::parses_without_loss(source));
