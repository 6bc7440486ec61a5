//! The person's browser.

use std::io;
use std::process::{Command, Stdio};

/// Starts it with an address. It outlives this program, and what it says is for nobody.
///
/// # Errors
///
/// When the program cannot be started.
pub fn open(program: &str, url: &str) -> io::Result<()> {
    let mut browser = Command::new(program);
    browser.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    browser.spawn().map(drop)
}
