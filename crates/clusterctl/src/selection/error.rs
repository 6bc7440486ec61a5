//! A node set that names nothing, or nothing that may be acted on.

use std::path::PathBuf;

use thiserror::Error;

use crate::exit::{Classify, ExitClass};
use crate::selection::groups::GroupError;
use crate::site::MachineError;

/// Why there is no selection.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SelectError {
    /// The expression is wrong, or a group of it cannot be resolved.
    #[error("the node set {text:?}")]
    Expression {
        /// The expression.
        text: String,
        /// Why.
        #[source]
        source: nodeset::Error,
    },
    /// A name in it is no host name.
    #[error("the node set {text:?}")]
    Name {
        /// The expression.
        text: String,
        /// Why.
        #[source]
        source: MachineError,
    },
    /// It names no node.
    #[error("the node set {0:?} is empty: name at least one node")]
    Empty(String),
    /// A file of node sets cannot be read.
    #[error("{}", .path.display())]
    Hostfile {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

impl Classify for SelectError {
    fn exit_class(&self) -> ExitClass {
        match self {
            // What a group's source says decides, not that it was asked by an expression.
            Self::Expression { source, .. } => {
                source.cause::<GroupError>().map_or(ExitClass::Usage, Classify::exit_class)
            }
            _ => ExitClass::Usage,
        }
    }
}
