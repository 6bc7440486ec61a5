//! Finding the `lab` program that supervises.

use crate::error::Error;
use std::path::PathBuf;

/// The program: `LAB_PROGRAM`, else `lab` beside this executable or one directory up, where cargo
/// puts it for test binaries.
pub(super) fn locate() -> Result<PathBuf, Error> {
    if let Some(path) = std::env::var_os("LAB_PROGRAM") {
        return Ok(path.into());
    }
    let this = std::env::current_exe().unwrap_or_default();
    let candidates = this.ancestors().skip(1).take(2).map(|directory| directory.join("lab"));
    candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        Error::Refused("no lab program beside this one; build it: cargo build -p lab".to_owned())
    })
}
