//! Arbitrary documents, keys and age files: none panics, and what is a document holds no value
//! that is not encrypted.

#![no_main]

use libfuzzer_sys::fuzz_target;
use secrets::sops::{Document, Policy};
use secrets::{Identities, decrypt_age};

const KEY: &str = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33";

fuzz_target!(|data: &[u8]| {
    if let Ok(document) = Document::inspect(data) {
        assert!(!document.name().is_empty());
        let mut keys: Vec<_> = document.keys().collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), document.keys().count());
        let _ = document.permitted_by(&Policy::age_only());
    }
    let _ = Identities::from_bytes("fuzz", data);
    let identities = Identities::from_bytes("fuzz", KEY.as_bytes()).unwrap();
    assert!(decrypt_age(data, &identities).is_err());
});
