use std::process::Command;

use proptest::prelude::*;
use secrets::{DecryptError, Identities, decrypt_age};

use crate::programs::{age, filter, ssh_key, x25519};

fn own() -> (Identities, age::x25519::Recipient) {
    let (key, recipient) = x25519();
    (Identities::from_bytes("k", key.as_bytes()).unwrap(), recipient.parse().unwrap())
}

#[test]
fn files_of_the_real_age_open() {
    if !age() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let (key, recipient) = x25519();
    let mut keys = vec![(key.into_bytes(), recipient)];
    for kind in ["ed25519", "rsa"] {
        let (file, public) = ssh_key(directory.path(), kind, "");
        keys.push((std::fs::read(file).unwrap(), public));
    }
    let plain: Vec<u8> = (0..200_000u32).map(|n| u8::try_from(n % 251).unwrap()).collect();
    for (key, recipient) in &keys {
        let identities = Identities::from_bytes("k", key).unwrap();
        for arguments in [vec![], vec!["-a"]] {
            let mut command = Command::new("age");
            let file = filter(command.args(arguments).args(["-r", recipient]), &plain);
            assert_eq!(decrypt_age(&file, &identities).unwrap().expose(), plain);
            assert_eq!(decrypt_age(&file, &own().0).unwrap_err(), DecryptError::NoMatchingKey);
        }
    }
}

#[test]
fn bytes_come_back_as_they_were() {
    let (identities, recipient) = own();
    let texts: [&[u8]; 6] =
        [b"", b"\n", b"\n\n\n", "\u{2028}".as_bytes(), b"\t\tx\n\n", b"\0\xff\r\n"];
    for text in texts {
        let file = age::encrypt(&recipient, text).unwrap();
        assert_eq!(decrypt_age(&file, &identities).unwrap().expose(), text);
    }
}

#[test]
fn a_file_with_a_passphrase_is_refused_as_such() {
    let mut recipient = age::scrypt::Recipient::new("open sesame".to_owned().into());
    recipient.set_work_factor(1);
    let file = age::encrypt(&recipient, b"x").unwrap();
    assert_eq!(decrypt_age(&file, &own().0).unwrap_err(), DecryptError::Passphrase);
}

#[test]
fn a_changed_or_shortened_file_gives_nothing() {
    let (identities, recipient) = own();
    let file = age::encrypt(&recipient, &[7; 100]).unwrap();
    for length in 0..file.len() {
        assert!(decrypt_age(&file[..length], &identities).is_err(), "{length}");
    }
    for position in 0..file.len() {
        let mut changed = file.clone();
        changed[position] ^= 1;
        let error = decrypt_age(&changed, &identities).unwrap_err();
        assert!(!error.to_string().contains('\u{7}'));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_are_an_error_and_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (key, _) = x25519();
        let identities = Identities::from_bytes("k", key.as_bytes()).unwrap();
        prop_assert!(decrypt_age(&bytes, &identities).is_err());
        let _ = Identities::from_bytes("k", &bytes);
    }
}
