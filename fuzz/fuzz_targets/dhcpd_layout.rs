//! Any bytes: a layout changes blanks only, and a second time nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/dhcpd-conf/tests/suite/invariants.rs"]
#[expect(dead_code, reason = "other targets check the rest")]
mod invariants;

fuzz_target!(|source: &[u8]| invariants::layout_changes_blanks_only(source));
