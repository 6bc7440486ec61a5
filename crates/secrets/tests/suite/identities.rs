use secrets::{Identities, IdentityError, Recipient};

use crate::programs::{ssh_key, x25519};

fn refused(text: &str) -> String {
    Identities::from_bytes("key.txt", text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn an_identity_file_holds_several_keys_and_comments() {
    let ((one, first), (two, second)) = (x25519(), x25519());
    let text =
        format!("# created: today\r\n# -----BEGIN OPENSSH PRIVATE KEY-----\n\n{one}\r\n {two} \n");
    let identities = Identities::from_bytes("key.txt", text.as_bytes()).unwrap();
    let recipients: Vec<String> = identities.recipients().map(|r| r.to_string()).collect();
    assert_eq!(recipients, [first.clone(), second]);
    assert!(identities.opens(&Recipient::new(&first)));
    assert!(!identities.opens(&Recipient::new(&x25519().1)));
}

#[test]
fn an_ssh_key_belongs_to_its_public_line() {
    let directory = tempfile::tempdir().unwrap();
    for kind in ["ed25519", "rsa"] {
        let (file, public) = ssh_key(directory.path(), kind, "");
        let key = std::fs::read(file).unwrap();
        let identities = Identities::from_bytes("id", &key).unwrap();
        assert!(identities.opens(&Recipient::new(&public)), "{public}");
        let (other, _) = x25519();
        let both = identities.join(Identities::from_bytes("k", other.as_bytes()).unwrap());
        assert_eq!(both.recipients().count(), 2);
    }
}

#[test]
fn a_key_with_a_passphrase_is_refused_as_such() {
    let directory = tempfile::tempdir().unwrap();
    let (file, _) = ssh_key(directory.path(), "ed25519", "open sesame");
    let error = Identities::from_bytes("id", &std::fs::read(file).unwrap()).unwrap_err();
    assert_eq!(error, IdentityError::Passphrase { source_name: "id".into() });
    for text in ["age-encryption.org/v1\n-> scrypt", "-----BEGIN AGE ENCRYPTED FILE-----\nabc"] {
        assert_eq!(
            refused(text),
            "key.txt: the key is protected by a passphrase; give one without"
        );
    }
}

#[test]
fn what_is_no_key_is_refused_without_repeating_it() {
    let (key, _) = x25519();
    let almost = key.replace('Q', "B").to_lowercase();
    for (text, message) in [
        ("", "key.txt: there is no private key in the file"),
        ("# only\n", "key.txt: there is no private key in the file"),
        ("# one\nhunter2\n", "key.txt:2: this is not a private key"),
        ("AGE-SECRET-KEY-1QQQQ", "key.txt:1: this is not a private key"),
        ("AGE-PLUGIN-YUBIKEY-1QQ", "key.txt:1: keys of this kind are not supported"),
        ("AGE-SECRET-KEY-PQ-1QQ", "key.txt:1: keys of this kind are not supported"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "key.txt:1: this is not a private key"),
        (almost.as_str(), "key.txt:1: this is not a private key"),
    ] {
        assert_eq!(refused(text), message);
    }
}

#[test]
fn a_key_is_not_printed() {
    let (key, recipient) = x25519();
    let identities = Identities::from_bytes("k", key.as_bytes()).unwrap();
    let printed = format!("{identities:?}");
    assert!(printed.contains(&recipient) && !printed.contains(&key[20..40]), "{printed}");
}
