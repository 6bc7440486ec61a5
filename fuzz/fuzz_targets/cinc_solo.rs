//! Arbitrary files: what is accepted is written and read back, and a line that runs something
//! refuses any file.

#![no_main]

use cinc::SoloConfig;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(config) = SoloConfig::parse(text) else { return };
    assert!(SoloConfig::parse(&format!("{text}\nX=$(id)")).is_err());
    assert!(SoloConfig::parse(&format!("id\n{text}")).is_err());
    if let Some(config) = config {
        assert_eq!(SoloConfig::parse(&config.render()), Ok(Some(config)));
    }
});
