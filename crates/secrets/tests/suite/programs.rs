//! The real programs, where they are installed.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program of this machine; `None`, with a message, if it is not there.
fn installed(program: &Path, arguments: &[&str]) -> bool {
    let runs = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !runs {
        let required = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!required, "{} is not installed", program.display());
        println!("skipped: {} is not installed", program.display());
    }
    runs
}

/// `SOPS` names the program; else it is looked up in `PATH`.
pub(crate) fn sops() -> Option<PathBuf> {
    let program = PathBuf::from(std::env::var_os("SOPS").unwrap_or_else(|| "sops".into()));
    installed(&program, &["--version", "--disable-version-check"]).then_some(program)
}

pub(crate) fn age() -> bool {
    installed(Path::new("age"), &["--version"])
}

/// Runs a program to its end with an input and returns what it prints.
pub(crate) fn filter(command: &mut Command, input: &[u8]) -> Vec<u8> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    output.stdout
}

/// A fresh X25519 key: the line of the identity file, and the recipient.
pub(crate) fn x25519() -> (String, String) {
    use age::secrecy::ExposeSecret as _;
    let key = age::x25519::Identity::generate();
    (key.to_string().expose_secret().to_owned(), key.to_public().to_string())
}

/// A fresh OpenSSH key in a directory: the private file and the public line.
pub(crate) fn ssh_key(directory: &Path, kind: &str, passphrase: &str) -> (PathBuf, String) {
    let file = directory.join(format!("id_{kind}"));
    let status = Command::new("ssh-keygen")
        .args(["-q", "-t", kind, "-N", passphrase, "-C", "a comment", "-f"])
        .arg(&file)
        .status()
        .unwrap();
    assert!(status.success());
    let public = std::fs::read_to_string(file.with_extension("pub")).unwrap();
    (file, public.trim().to_owned())
}
