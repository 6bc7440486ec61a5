//! All group sources of a run, each command asked once.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use nodeset::{BoxError, GroupSource, Members};

use crate::exit::Stop;
use crate::journal::{Last, LastGroup};
use crate::selection::groups::{self, GroupCommands, GroupError};
use crate::site::Site;

/// The name of the source of the newest run.
const LAST: &str = "last";

/// The sources of a site.
pub struct Sources<'a> {
    site: &'a Site,
    commands: Cached<'a>,
}

impl std::fmt::Debug for Sources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sources(..)")
    }
}

/// The answers of this run, by role and exact argument vector. Nothing is kept between runs: an
/// old answer could name another machine.
struct Cached<'a> {
    commands: &'a dyn GroupCommands,
    answers: Mutex<HashMap<Question, Vec<u8>>>,
}

/// A role and an argument vector.
type Question = (String, Vec<String>);

impl GroupCommands for Cached<'_> {
    fn run(&self, role: &str, argv: &[String]) -> Result<Vec<u8>, Stop> {
        let key = (role.to_owned(), argv.to_vec());
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = answers.get(&key) {
            return Ok(answer.clone());
        }
        let answer = self.commands.run(role, argv)?;
        answers.insert(key, answer.clone());
        Ok(answer)
    }
}

impl<'a> Sources<'a> {
    /// The sources of a site, with somebody who runs their commands.
    pub fn new(site: &'a Site, commands: &'a dyn GroupCommands) -> Sources<'a> {
        Sources { site, commands: Cached { commands, answers: Mutex::default() } }
    }

    /// The names of the configured sources.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.site.cluster_spec().groups.sources.keys().map(String::as_str)
    }

    /// The groups of a configured source.
    pub fn list(&self, name: &str) -> Result<BTreeSet<String>, GroupError> {
        let spec = self.site.cluster_spec().groups.sources.get(name);
        let spec = spec.ok_or_else(|| GroupError::NoSource(name.to_owned()))?;
        groups::list(self.site, &self.commands, name, spec)
    }

    fn configured(&self, name: &str, group: &str) -> Result<Option<Members>, GroupError> {
        let spec = self.site.cluster_spec().groups.sources.get(name);
        let spec = spec.ok_or_else(|| GroupError::NoSource(name.to_owned()))?;
        groups::members(self.site, Some(&self.commands), name, spec, group)
    }

    fn last(&self, group: LastGroup) -> Result<Members, GroupError> {
        let state = &self.site.resolved().state_directory;
        let last = Last::read(state).map_err(|error| GroupError::Last(error.to_string()))?;
        let last = last
            .ok_or_else(|| GroupError::Last("there is no run yet to take nodes from".to_owned()))?;
        let nodes = last.nodes(group);
        Ok(Members::Expression(nodes.join(",")))
    }
}

impl GroupSource for Sources<'_> {
    /// `@NAME` is looked for in the default source first, then in the others by name; a source that
    /// fails ends the search, only a definite "no such group" goes on.
    fn group(&self, source: Option<&str>, group: &str) -> Result<Members, BoxError> {
        let spec = &self.site.cluster_spec().groups;
        let is_configured = spec.sources.contains_key(LAST);
        match source {
            Some(LAST) if !is_configured => {
                let which = LastGroup::named(group);
                let which = which.ok_or_else(|| groups::no_group(group, &[LAST]))?;
                return Ok(self.last(which)?);
            }
            None if group == LAST && !is_configured => return Ok(self.last(LastGroup::All)?),
            _ => {}
        }
        let searched = groups::searched(spec, source);
        for name in &searched {
            if let Some(members) = self.configured(name, group)? {
                return Ok(members);
            }
        }
        Err(groups::no_group(group, &searched).into())
    }

    fn all(&self, source: Option<&str>) -> Result<Members, BoxError> {
        let Some(name) = source else { return Ok(groups::everybody(self.site)) };
        let spec = self.site.cluster_spec().groups.sources.get(name);
        let spec = spec.ok_or_else(|| GroupError::NoSource(name.to_owned()))?;
        Ok(groups::all(self.site, Some(&self.commands), name, spec)?)
    }
}
