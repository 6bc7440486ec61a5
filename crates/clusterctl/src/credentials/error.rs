//! Why a password is not to be had.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::exit::{Classify, ExitClass};

/// Why a password is not to be had. Nothing was sent to anybody.
#[derive(Debug, Error)]
#[error("the credential {name:?} cannot be read")]
pub struct CredentialError {
    pub(crate) name: String,
    #[source]
    pub(crate) source: SourceError,
}

/// What is wrong with the source of a password.
#[derive(Debug, Error)]
pub(crate) enum SourceError {
    #[error("it is not configured")]
    NotConfigured,
    #[error("the variable {0} is not set")]
    Variable(String),
    #[error("{}", .path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{} may be read by others (mode {mode:04o}): make it private with chmod 600", .path.display())]
    NotPrivate { path: PathBuf, mode: u32 },
    #[error("it is empty")]
    Empty,
    #[error("it has more than one line, or a control character")]
    NotOneLine,
    #[error("{program} failed")]
    Program {
        program: String,
        #[source]
        source: io::Error,
    },
    #[error("{program} ended with {status}")]
    ProgramStatus { program: String, status: std::process::ExitStatus },
    #[error("{0}")]
    Decryption(String),
    #[error("there is no terminal to ask at")]
    NoTerminal,
    #[error("no answer was given")]
    NoAnswer,
    #[error("the user name is not usable: {0}")]
    User(String),
}

impl Classify for CredentialError {
    fn exit_class(&self) -> ExitClass {
        match self.source {
            SourceError::NoAnswer => ExitClass::Interrupted,
            _ => ExitClass::Usage,
        }
    }
}
