//! What can go wrong when a BMC is set up.

use std::io;
use std::path::PathBuf;

/// A BMC could not be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A recording could not be read.
    #[error("cannot read the recording {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A recording is not JSON.
    #[error("the recording {} is not JSON", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Where.
        source: serde_json::Error,
    },
    /// A recording is JSON without `resources: {path: object}`.
    #[error("the recording {} has no resources", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
    },
    /// A certificate or key cannot be used.
    #[error("the certificate cannot be used: {0}")]
    Certificate(String),
    /// The resources have no system of this id that can be reset.
    #[error("no system {0} that can be reset")]
    NoSystem(String),
    /// No row of the table of vendors has this name ([`vendor_rules`](crate::vendor_rules)).
    #[error("no vendor rule {0}")]
    NoRule(String),
    /// The listener cannot be used.
    #[error("cannot serve on the listener")]
    Listen(#[source] io::Error),
}
