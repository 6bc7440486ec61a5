//! A configuration that nobody should act on.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::config::problem::Problem;
use crate::config::trust::Distrust;
use crate::exit::{Classify, ExitClass};

/// Why there is no configuration to act on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Mistakes in documents, all of them, by file and line.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Problems(Vec<Problem>),
    /// A file or directory that was asked for cannot be read.
    #[error("{}: cannot be read", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file or directory that others may write.
    #[error(transparent)]
    Distrusted(#[from] Distrust),
    /// No document anywhere.
    #[error("there is no configuration: looked in {}; name one with --config", .0.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))]
    Nothing(Vec<PathBuf>),
}

impl Classify for ConfigError {
    fn exit_class(&self) -> ExitClass {
        ExitClass::Usage
    }
}

impl From<Problem> for ConfigError {
    fn from(problem: Problem) -> ConfigError {
        ConfigError::Problems(vec![problem])
    }
}
