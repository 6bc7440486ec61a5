//! Reading a configuration from this machine.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use dhcpd_conf::{ConfigSet, Limits, LoadErrors, Loader};

use crate::exit::Stop;
use crate::output::escape;

/// Reads a file and all it includes. Relative includes count from the working directory, as they do
/// for the server.
pub(super) fn read(
    file: &Path,
    working_directory: &Path,
) -> Result<ConfigSet, LoadErrors<io::Error>> {
    let limits = Limits::default();
    let limit = u64::try_from(limits.source_bytes).unwrap_or(u64::MAX);
    let loader = Loader::new().limits(limits).relative_to(working_directory);
    loader.load(file, |path| bounded(path, limit))
}

/// Reads a file and all it includes; what is wrong ends the command.
pub fn must_read(file: &Path, working_directory: &Path) -> Result<ConfigSet, Stop> {
    read(file, working_directory).map_err(|errors| {
        let reports: Vec<String> = errors.iter().map(|error| error.report().to_string()).collect();
        Stop::failed(escape::lines(reports.join("\n").trim_end()))
    })
}

/// One byte more than the limit is enough to be refused: `/dev/zero` has no end.
fn bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
