//! rustfmt, clippy and rustdoc, with warnings as errors.

use crate::program::{Failure, cargo, step};

pub(crate) fn format() -> Result<(), Failure> {
    step("rustfmt", cargo().args(["fmt", "--all", "--check"]))
}

pub(crate) fn clippy() -> Result<(), Failure> {
    let mut clippy = cargo();
    clippy.args(["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"]);
    step("clippy", clippy.args(["--", "-D", "warnings"]))
}

pub(crate) fn rustdoc() -> Result<(), Failure> {
    let mut doc = cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings");
    step("rustdoc", &mut doc)
}
