//! Arbitrary output of a host: one outcome for each change, and what is cut off never lies.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pxe_links::{BootPath, Changes, Layout, Outcome, Reading};

fuzz_target!(|data: &[u8]| {
    let layout = Layout::directories(&"/srv".parse().unwrap());
    let clients = ["10.0.0.1".parse().unwrap(), "fe80::1".parse().unwrap()];
    let changes = Changes::disarm(&layout, clients);

    // As it comes, and behind a head that makes it a record's text.
    assert_eq!(changes.parse_report(data).len(), 4);
    let mut report = format!("pxe-links 1 replaced {}:", data.len()).into_bytes();
    report.extend(data);
    report.extend(b"\npxe-links 2 done 0:\n");
    let whole = changes.parse_report(&report);
    let target = String::from_utf8_lossy(data).into_owned();
    assert_eq!(
        whole,
        [Outcome::Unknown, Outcome::Replaced { target }, Outcome::Done, Outcome::Unknown]
    );
    let cut = data.first().map_or(0, |byte| report.len() * usize::from(*byte) / 256);
    for (partial, whole) in changes.parse_report(&report[..cut]).iter().zip(&whole) {
        assert!(partial == whole || *partial == Outcome::Unknown);
    }

    let path: BootPath = "/srv/boot".parse().unwrap();
    for reading in [Reading::of(&layout, clients).with_targets([path]), Reading::all(&layout)] {
        let _ = reading.parse(data);
    }
    if let Ok(text) = str::from_utf8(data)
        && let Ok(path) = text.parse::<BootPath>()
    {
        assert_eq!(path.to_string().parse::<BootPath>(), Ok(path));
    }
});
