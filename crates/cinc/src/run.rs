//! How the client is started.

use crate::config::SoloConfig;
use crate::run_list::RunList;

/// A run of the client in local mode. The configuration is handed over as arguments, so that
/// nothing has to be sourced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientRun {
    program: String,
    config: SoloConfig,
}

impl ClientRun {
    /// Runs a program (`cinc-solo`, `chef-solo`, or a path) with this configuration.
    pub fn new(program: &str, config: &SoloConfig) -> ClientRun {
        ClientRun { program: program.to_owned(), config: config.clone() }
    }

    /// Uses another run list this time.
    #[must_use]
    pub fn override_run_list(self, run_list: RunList) -> ClientRun {
        ClientRun { config: self.config.with_run_list(run_list), ..self }
    }

    /// The argument vector: `PROGRAM --minimal-ohai --recipe-url URL [--override-runlist LIST]`.
    pub fn argv(&self) -> Vec<String> {
        let archive = self.config.archive().as_str();
        let mut argv =
            [&self.program, "--minimal-ohai", "--recipe-url", archive].map(str::to_owned).to_vec();
        if let Some(run_list) = self.config.run_list() {
            argv.extend(["--override-runlist".to_owned(), run_list.to_string()]);
        }
        argv
    }
}
