//! The formats of `-o`.

use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

use crate::exit::{Classify, ExitClass};
use crate::output::jq::{JqError, Program};

/// How a result is rendered.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Format {
    /// Aligned columns or plain lines.
    #[default]
    Table,
    /// As `Table`, with the columns that are usually left out.
    Wide,
    /// One JSON value, indented.
    Json,
    /// The same value as YAML.
    Yaml,
    /// The nodes of the result as one folded set.
    Nodeset,
    /// The nodes of the result, one a line.
    Name,
    /// What a jq program makes of the JSON value.
    Jq(Arc<Program>),
}

/// What is wrong with the text after `-o`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// No format of that name.
    #[error(
        "unknown output format {0:?}: use table, wide, json, yaml, nodeset, name or jq=PROGRAM"
    )]
    Unknown(String),
    /// The jq program cannot be compiled.
    #[error("the jq program is not valid")]
    Program(#[source] JqError),
    /// The result has no nodes to print.
    #[error("this result lists no nodes: use table, wide, json, yaml or jq=PROGRAM")]
    NoNodes,
    /// The jq program failed on the result.
    #[error("the jq program failed")]
    Run(#[source] JqError),
}

impl Classify for FormatError {
    fn exit_class(&self) -> ExitClass {
        match self {
            Self::Run(_) => ExitClass::Failed,
            _ => ExitClass::Usage,
        }
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Format, FormatError> {
        match text {
            "table" => Ok(Format::Table),
            "wide" => Ok(Format::Wide),
            "json" => Ok(Format::Json),
            "yaml" => Ok(Format::Yaml),
            "nodeset" => Ok(Format::Nodeset),
            "name" => Ok(Format::Name),
            other => match other.strip_prefix("jq=") {
                Some(program) => {
                    let program = Program::compile(program).map_err(FormatError::Program)?;
                    Ok(Format::Jq(Arc::new(program)))
                }
                None => Err(FormatError::Unknown(other.to_owned())),
            },
        }
    }
}
