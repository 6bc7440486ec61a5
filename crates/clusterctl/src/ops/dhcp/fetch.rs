//! Reading the configuration from the DHCP host, includes followed.

use std::path::{Path, PathBuf};

use dhcpd_conf::{ConfigSet, LoadErrorKind, LoadErrors, Loader};
use thiserror::Error;

use crate::exit::{Classify, ExitClass, Stop};
use crate::pool;
use crate::reach::{ReachError, Request, Target};
use crate::session::Session;

/// How many files are read at a time.
const SIDE_BY_SIDE: usize = 4;

/// Why one file could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The host was not reached.
    #[error("{host}")]
    Reach {
        /// The host.
        host: String,
        /// Why.
        #[source]
        source: ReachError,
    },
    /// The host answered and did not give the file.
    #[error("{host}: {why}")]
    Refused {
        /// The host.
        host: String,
        /// Its words.
        why: String,
    },
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Classify for FetchError {
    fn exit_class(&self) -> ExitClass {
        match self {
            Self::Reach { source, .. } => source.exit_class(),
            Self::Refused { .. } => ExitClass::Failed,
            Self::Interrupted => ExitClass::Interrupted,
        }
    }
}

/// The configuration of the DHCP host: read once a command, include files side by side. A relative
/// include is refused: it is relative to a directory that only the running server knows.
pub fn fetch(session: &Session) -> Result<ConfigSet, Stop> {
    let settings = &session.site().settings().services.dhcp;
    let target = session.role("services.dhcp.role", settings.role.as_deref())?;
    let main = PathBuf::from(&settings.config_path);
    let width = std::num::NonZeroUsize::new(SIDE_BY_SIDE).unwrap_or(std::num::NonZeroUsize::MIN);
    let read = |paths: &[PathBuf]| {
        let files =
            pool::run(paths, width, session.interrupt(), |path| file(session, &target, path));
        files.into_iter().map(|file| file.unwrap_or(Err(FetchError::Interrupted))).collect()
    };
    Loader::new().load_batches(main, read).map_err(|errors| stop(&errors))
}

fn file(session: &Session, target: &Target, path: &Path) -> Result<Vec<u8>, FetchError> {
    let name = path.display().to_string();
    let host = target.name.clone();
    match session.ask(target, Request::argv(["cat", "--", name.as_str()])) {
        Err(source) => Err(FetchError::Reach { host, source }),
        Ok(answer) => match crate::cause::Cause::of_answer(&answer) {
            None => Ok(answer.stdout),
            Some(cause) => Err(FetchError::Refused { host, why: cause.detail }),
        },
    }
}

/// Every problem of every file; a host that was not reached decides the exit code.
fn stop(errors: &LoadErrors<FetchError>) -> Stop {
    let classes = errors.iter().map(|error| match error.kind() {
        LoadErrorKind::Read(error) => error.exit_class(),
        LoadErrorKind::Relative => ExitClass::Usage,
        _ => ExitClass::Failed,
    });
    let class = ExitClass::worst(classes);
    let reports: Vec<String> = errors.iter().map(|error| error.report().to_string()).collect();
    let text = format!("the DHCP configuration cannot be read:\n{}", reports.join("\n"));
    Stop::with_class(class, crate::output::escape::lines(&text))
}
