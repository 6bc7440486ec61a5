//! The file a node's client is pointed with.

use thiserror::Error;

use crate::assignments::{self, ParseError, quote};
use crate::run_list::{RunList, RunListError};
use crate::url::{ArchiveUrl, ArchiveUrlError};

const RECIPE_URL: &str = "CHEF_RECIPE_URL";
const RUN_LIST: &str = "CHEF_RUN_LIST";

/// The archive a client converges, and the run list if it is not the archive's own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SoloConfig {
    archive: ArchiveUrl,
    run_list: Option<RunList>,
}

/// Why a file is not a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A line is more than a plain assignment.
    #[error("the file does more than assign plain text")]
    Assignments(#[from] ParseError),
    /// `CHEF_RECIPE_URL` is not the address of an archive.
    #[error("{RECIPE_URL} is not usable")]
    Archive(#[from] ArchiveUrlError),
    /// `CHEF_RUN_LIST` is not a run list.
    #[error("{RUN_LIST} is not usable")]
    RunList(#[from] RunListError),
    /// There is a run list and no archive it could belong to.
    #[error("the file sets {RUN_LIST} and no {RECIPE_URL}")]
    NoArchive,
}

impl SoloConfig {
    /// Points at an archive; its own run list is used.
    pub fn new(archive: ArchiveUrl) -> SoloConfig {
        SoloConfig { archive, run_list: None }
    }

    /// Uses this run list in place of the archive's.
    #[must_use]
    pub fn with_run_list(self, run_list: RunList) -> SoloConfig {
        SoloConfig { run_list: Some(run_list), ..self }
    }

    /// Reads a file: `None` if it is plain and names no archive.
    ///
    /// The values are those a shell that sources the file would assign; of several assignments of
    /// one variable the last counts, and an empty value is none. Other variables are ignored.
    /// Every line a shell would expand or run refuses the file, whichever variable it sets.
    pub fn parse(text: &str) -> Result<Option<SoloConfig>, ConfigError> {
        let assignments = assignments::read(text)?;
        let last = |wanted: &str| {
            let values = assignments.iter().rev().filter(|(name, _)| name == wanted);
            values.map(|(_, value)| value.as_str()).next().filter(|value| !value.is_empty())
        };
        let run_list = last(RUN_LIST).map(str::parse).transpose()?;
        match (last(RECIPE_URL), run_list) {
            (Some(archive), run_list) => {
                Ok(Some(SoloConfig { archive: archive.parse()?, run_list }))
            }
            (None, None) => Ok(None),
            (None, Some(_)) => Err(ConfigError::NoArchive),
        }
    }

    /// The whole file, each value in single quotes.
    pub fn render(&self) -> String {
        let archive = format!("{RECIPE_URL}={}\n", quote(self.archive.as_str()));
        let run_list = self.run_list.as_ref();
        let run_list = run_list.map(|list| format!("{RUN_LIST}={}\n", quote(list.as_str())));
        archive + run_list.as_deref().unwrap_or_default()
    }

    /// The archive.
    pub fn archive(&self) -> &ArchiveUrl {
        &self.archive
    }

    /// The run list, if it is not the archive's own.
    pub fn run_list(&self) -> Option<&RunList> {
        self.run_list.as_ref()
    }
}
