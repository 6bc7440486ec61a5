//! What can go wrong around the lab itself.

use std::io;

/// Why a lab could not start or could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Namespaces and mounts need root.
    #[error("the lab needs root")]
    NotRoot,
    /// Programs that are not installed.
    #[error("programs missing: {}; on Debian: apt-get install --no-install-recommends {}", .programs.join(" "), .packages.join(" "))]
    Missing {
        /// The programs, by name.
        programs: Vec<String>,
        /// The Debian packages that bring them.
        packages: Vec<String>,
    },
    /// An operating system call failed.
    #[error("{doing}")]
    Io {
        /// What was being done.
        doing: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A program ended with an error.
    #[error("{program} failed ({status}): {output}")]
    Program {
        /// The command line.
        program: String,
        /// Its exit status.
        status: String,
        /// What it wrote to standard error.
        output: String,
    },
    /// Something did not happen in time.
    #[error("{waiting} did not happen within {seconds} s")]
    Timeout {
        /// What was waited for.
        waiting: String,
        /// For how long.
        seconds: u64,
    },
    /// The running lab refused a request.
    #[error("{0}")]
    Refused(String),
}

/// Adds what was being done to an operating system error.
pub(crate) trait Doing<T> {
    /// Names the action that failed.
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T, Error>;
}

impl<T, E: Into<io::Error>> Doing<T> for Result<T, E> {
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T, Error> {
        self.map_err(|source| Error::Io { doing: doing(), source: source.into() })
    }
}

impl Error {
    /// The error with all its causes, on one line.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }
}
