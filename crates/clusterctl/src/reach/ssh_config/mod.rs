//! ssh_config(5), as far as it says where and as whom to log in.
//!
//! A reader of its own: `ssh -G` would cost a process for every host, and the registry's
//! `ssh2-config` knows neither `Match` nor the second pass of `Match final`, which Red Hat's own
//! configuration uses. The tests ask `ssh -G` whether the two agree.

mod algorithms;
mod file;
mod keyword;
mod resolve;
mod words;

pub(super) use algorithms::adjusted;
pub(super) use file::SshConfig;
pub(super) use file::under_home;
pub(super) use keyword::{Effect, effect};
pub use keyword::{RefusedOption, check_option};
pub(super) use resolve::{Question, Values, expand_host};
pub(super) use words::arguments;
