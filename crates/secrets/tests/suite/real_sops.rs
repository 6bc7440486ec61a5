//! The real sops as judge.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use secrets::sops::{Document, KeyFile, Permitted, Policy, Sops, SopsError, Version};
use tempfile::TempDir;

use crate::programs::{filter, sops, ssh_key, x25519};

const CANARY: &str = "canary-4711";

struct Site {
    directory: TempDir,
    program: PathBuf,
    key: PathBuf,
    recipient: String,
}

fn site() -> Option<Site> {
    let program = sops()?;
    let directory = tempfile::tempdir().unwrap();
    let (key, recipient) = x25519();
    let path = directory.path().join("key.txt");
    fs::write(&path, key).unwrap();
    Some(Site { directory, program, key: path, recipient })
}

impl Site {
    fn encrypt(&self, recipient: &str, plain: &str) -> String {
        let mut command = Command::new(&self.program);
        command.args([
            "encrypt",
            "--age",
            recipient,
            "--input-type",
            "yaml",
            "--output-type",
            "yaml",
        ]);
        command.args(["--encrypted-regex", "^(data|binaryData)$", "/dev/stdin"]);
        String::from_utf8(filter(&mut command, plain.as_bytes())).unwrap()
    }

    fn sops(&self, key: &Path) -> Sops {
        Sops::new(&self.program).with_key_file(KeyFile::Age(key.to_owned()))
    }
}

fn plain() -> String {
    format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: example\n  labels: {{n: 7, t: true}}\n\
         # kept\ndata:\n  text: \"line\\n\\ttab \\\"q\\\" \\\\ \\u2028 ü \\U0001F600 {CANARY}\\n\\n\"\n  empty: \"\"\n  \
         number: \"0600\"\n  lines: \"\\n\\n\"\nbinaryData:\n  bytes: |\n    AAEC\n    Aw==\n"
    )
}

fn permitted(text: &str) -> Permitted {
    Document::inspect(text.as_bytes()).unwrap().permitted_by(&Policy::age_only()).unwrap()
}

#[test]
fn every_value_comes_back_as_it_was() {
    let Some(site) = site() else { return };
    let values = site.sops(&site.key).decrypt(&permitted(&site.encrypt(&site.recipient, &plain())));
    let values = values.unwrap();
    let get = |key| values.get(key).unwrap().expose();
    let text = format!("line\n\ttab \"q\" \\ \u{2028} ü \u{1f600} {CANARY}\n\n");
    assert_eq!(get("text"), text.as_bytes());
    assert_eq!(get("empty"), b"");
    assert_eq!(get("number"), b"0600");
    assert_eq!(get("lines"), b"\n\n");
    assert_eq!(get("bytes"), [0, 1, 2, 3]);
    assert_eq!(values.iter().count(), 5);
    assert!(values.get("name").is_none());
    assert!(!format!("{values:?}").contains(CANARY));
}

#[test]
fn an_ssh_key_opens_what_is_encrypted_to_it() {
    let Some(site) = site() else { return };
    let (file, public) = ssh_key(site.directory.path(), "ed25519", "");
    let recipient: Vec<&str> = public.split(' ').take(2).collect();
    let text = site.encrypt(&recipient.join(" "), &plain());
    let sops = Sops::new(&site.program).with_key_file(KeyFile::Ssh(file));
    assert_eq!(sops.decrypt(&permitted(&text)).unwrap().get("number").unwrap().expose(), b"0600");
}

#[test]
fn a_wrong_or_missing_key_is_named_and_nothing_else() {
    let Some(site) = site() else { return };
    let text = site.encrypt(&site.recipient, &plain());
    let (other, _) = x25519();
    let wrong = site.directory.path().join("wrong.txt");
    fs::write(&wrong, other).unwrap();
    let missing = site.directory.path().join("missing.txt");
    for sops in [site.sops(&wrong), site.sops(&missing), Sops::new(&site.program)] {
        let error = sops.decrypt(&permitted(&text)).unwrap_err();
        assert!(matches!(error, SopsError::NoKey { .. }), "{error}");
        assert!(error.to_string().contains(&site.recipient), "{error}");
        assert!(!error.to_string().contains('\n'));
    }
}

#[test]
fn a_changed_document_gives_nothing_away() {
    let Some(site) = site() else { return };
    let text = site.encrypt(&site.recipient, &plain());
    let (start, end) = {
        let at = text.find("number: ").unwrap() + "number: ".len();
        (at, at + text[at..].find('\n').unwrap())
    };
    let swapped = text.replace("    number:", "    numbr:");
    let renamed = text.replace("name: example", "name: other");
    let plain_empty = text.replace("empty: \"\"", &format!("empty: {}", &text[start..end]));
    for changed in [swapped, renamed, plain_empty] {
        assert_ne!(changed, text);
        let error = site.sops(&site.key).decrypt(&permitted(&changed)).unwrap_err();
        assert!(matches!(error, SopsError::Tampered), "{error:?}");
        assert!(!format!("{error} {error:?}").contains(CANARY));
    }
}

#[test]
fn a_document_of_several_keys_is_opened_by_each() {
    let Some(site) = site() else { return };
    let (key, recipient) = x25519();
    let second = site.directory.path().join("second.txt");
    fs::write(&second, key).unwrap();
    let text = site.encrypt(&format!("{},{recipient}", site.recipient), &plain());
    assert_eq!(permitted(&text).document().recipients().count(), 2);
    for key in [&site.key, &second] {
        site.sops(key).decrypt(&permitted(&text)).unwrap();
    }
}

#[test]
fn what_is_no_string_is_refused_before_any_key_is_used() {
    let Some(site) = site() else { return };
    let text = site.encrypt(&site.recipient, &plain().replace("\"0600\"", "0600"));
    let error = Document::inspect(text.as_bytes()).unwrap_err();
    insta::assert_snapshot!(error, @r#"the value of "number" is not a string; quote it and encrypt it again"#);
}

#[test]
fn the_version_is_read() {
    let Some(site) = site() else { return };
    let version = Sops::new(&site.program).version().unwrap();
    assert!(version >= Version { major: 3, minor: 10, patch: 0 }, "{version}");
}
