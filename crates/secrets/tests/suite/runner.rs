//! The command's surroundings, seen by a program that plays sops.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use secrets::sops::{Document, KeyFile, Permitted, Policy, Sops, SopsError};
use tempfile::TempDir;

const VALUE: &str = "ENC[AES256_GCM,data:AA==,iv:AA==,tag:AA==,type:str]";

fn permitted() -> Permitted {
    let text = format!(
        "kind: Secret\nmetadata: {{name: x}}\ndata: {{a: '{VALUE}'}}\nsops:\n  mac: '{VALUE}'\n  \
         age:\n  - recipient: age1x\n"
    );
    Document::inspect(text.as_bytes()).unwrap().permitted_by(&Policy::age_only()).unwrap()
}

struct Stub {
    directory: TempDir,
}

impl Stub {
    fn new(script: &str) -> Stub {
        let stub = Stub { directory: tempfile::tempdir().unwrap() };
        // Written under another name and moved: no other thread's child holds it open for writing.
        let program = stub.program();
        let text = format!("#!/bin/sh\n{script}\n");
        let written = std::process::Command::new("sh")
            .args(["-c", "printf %s \"$1\" > \"$2\"", "sh", &text, program.to_str().unwrap()])
            .status();
        assert!(written.unwrap().success());
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        stub
    }

    fn program(&self) -> PathBuf {
        self.directory.path().join("sops")
    }

    fn run(&self) -> Result<Vec<u8>, SopsError> {
        let sops = Sops::new(self.program())
            .with_key_file(KeyFile::Age("/keys/key.txt".into()))
            .with_timeout(Duration::from_secs(5));
        Ok(sops.decrypt(&permitted())?.get("a").unwrap().expose().to_owned())
    }
}

#[test]
fn the_command_sees_an_empty_environment_and_the_document_on_its_input() {
    let stub = Stub::new(
        "d=$(dirname \"$0\"); env > $d/env; echo \"$@\" > $d/argv; pwd > $d/pwd; cat > $d/in; printf '{\"data\":{\"a\":\"x\"}}'",
    );
    assert_eq!(stub.run().unwrap(), b"x");
    let read = |name: &str| fs::read_to_string(stub.directory.path().join(name)).unwrap();
    let env = read("env");
    let mut names: Vec<&str> = env.lines().filter_map(|line| line.split('=').next()).collect();
    names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
    names.sort_unstable();
    assert_eq!(names, ["PATH", "SOPS_AGE_KEY_FILE"]);
    insta::assert_snapshot!(read("argv").trim(), @"decrypt --decryption-order age,pgp --input-type yaml --output-type json /dev/stdin");
    assert_eq!(read("pwd").trim(), "/");
    assert!(read("in").starts_with("kind: Secret"));
}

#[test]
fn an_answer_with_other_values_is_refused() {
    for answer in [
        "",
        "{}",
        "[]",
        "{\"data\":{}}",
        "{\"data\":{\"b\":\"x\"}}",
        "{\"binaryData\":{\"a\":\"\"}}",
        "{\"data\":{\"a\":1}}",
        "{\"data\":{\"a\":\"x\",\"a\":\"y\"}}",
        "{\"data\":{\"a\":\"x\"}} junk",
        "{\"data\":{\"a\":\"x\"}",
        "{\"data\":{\"a\":\"\\ud800\"}}",
        "{\"data\":{\"a\":\"\\q\"}}",
    ] {
        let stub = Stub::new(&format!("cat > /dev/null; printf %s '{answer}'"));
        let error = stub.run().unwrap_err();
        assert!(matches!(error, SopsError::Output), "{answer} {error:?}");
    }
}

#[test]
fn what_a_failing_command_prints_is_kept_back() {
    let stub = Stub::new("cat >/dev/null; echo canary-4711; echo canary-4711 >&2; exit 3");
    let error = stub.run().unwrap_err();
    assert_eq!(error.to_string(), "sops failed with exit status: 3");
    assert!(!format!("{error:?}").contains("canary"));
}

#[test]
fn a_command_that_hangs_is_ended() {
    let stub = Stub::new("echo begun; sleep 30");
    let sops = Sops::new(stub.program()).with_timeout(Duration::from_millis(300));
    let begun = Instant::now();
    let error = sops.decrypt(&permitted()).unwrap_err();
    assert!(matches!(error, SopsError::Timeout { .. }), "{error:?}");
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_command_that_prints_without_end_is_ended() {
    let error = Stub::new("exec yes").run().unwrap_err();
    assert!(matches!(error, SopsError::Output | SopsError::Timeout { .. }), "{error:?}");
}

#[test]
fn a_command_that_is_not_there_is_named() {
    let error = Sops::new("/nowhere/sops").decrypt(&permitted()).unwrap_err();
    assert_eq!(error.to_string(), "cannot run \"/nowhere/sops\"");
}

#[test]
fn a_relative_path_is_taken_from_here() {
    // The tests of a package run in its directory.
    let directory = tempfile::tempdir_in(".").unwrap();
    let name = directory.path().file_name().unwrap().to_str().unwrap().to_owned();
    let program = directory.path().join("sops");
    let written = std::process::Command::new("sh")
        .args([
            "-c",
            "printf '#!/bin/sh\\necho sops 3.12.1 extra\\n' > \"$1\"; chmod +x \"$1\"",
            "sh",
        ])
        .arg(&program)
        .status();
    assert!(written.unwrap().success());
    let version = Sops::new(format!("{name}/sops")).version().unwrap();
    assert_eq!(version.to_string(), "3.12.1");
}
