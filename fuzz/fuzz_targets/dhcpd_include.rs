//! Files `/0`, `/1`, … that include each other, divided by the byte 0xFE: following them ends.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/dhcpd-conf/tests/suite/invariants.rs"]
#[expect(dead_code, reason = "other targets check the rest")]
mod invariants;

fuzz_target!(|data: &[u8]| {
    let files: Vec<&[u8]> = data.split(|byte| *byte == 0xfe).collect();
    invariants::includes_end(&files);
});
