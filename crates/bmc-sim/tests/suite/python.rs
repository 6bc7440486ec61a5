//! The Python that has the judges and peers of PyPI.

use std::ffi::OsString;
use std::process::Command;

/// The Python of `LAB_PYTHON`, to be given a script, where it has this module; `None`, and a word
/// about it, where not. Under `CI` it is an error.
pub(crate) fn python(module: &str) -> Option<Command> {
    let python = std::env::var_os("LAB_PYTHON");
    let has = |python: &OsString| {
        let import = format!("import {module}");
        let output = Command::new(python).args(["-c", &import]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = python.filter(has);
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "LAB_PYTHON names no Python with {module}");
        println!("skipped: LAB_PYTHON names no Python with {module}");
    }
    let mut command = Command::new(found?);
    // `requests` prefers these over a certificate check that is switched off.
    command.env_remove("REQUESTS_CA_BUNDLE").env_remove("CURL_CA_BUNDLE");
    Some(command)
}
