//! Groups: written down, by attribute, by command, and of the newest run.

use std::collections::BTreeSet;

use nodeset::{BoxError, GroupSource, Members};
use thiserror::Error;

use crate::config::kinds::{CommandSpec, GroupSourceSpec, GroupsSpec};
use crate::exit::{Classify, ExitClass, Stop};
use crate::site::Site;

/// Runs the commands of group sources on the hosts of roles.
pub trait GroupCommands {
    /// What a command printed. An error says how the selection ends.
    fn run(&self, role: &str, argv: &[String]) -> Result<Vec<u8>, Stop>;
}

/// Why a group has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GroupError {
    /// No such source.
    #[error("there is no group source {0:?}")]
    NoSource(String),
    /// The cluster has no group source.
    #[error("there is no group {0:?}: the cluster names no group sources")]
    NoSources(String),
    /// No default source, and the name is in no source.
    #[error("there is no group {name:?} in {}", .searched.join(", "))]
    NoGroup {
        /// The group.
        name: String,
        /// Where it was looked for.
        searched: Vec<String>,
    },
    /// A source lists it and gives no node.
    #[error("the group source {source_name:?} gives no node for {name:?}")]
    NoNodes {
        /// The source.
        source_name: String,
        /// The group.
        name: String,
    },
    /// The source cannot list all nodes.
    #[error("the group source {0:?} cannot list all nodes: it has no \"all\" command")]
    NoAll(String),
    /// The source's command failed.
    #[error("the group source {source_name:?}: {why}")]
    Command {
        /// The source.
        source_name: String,
        /// Why.
        why: String,
        /// How the command ends.
        class: ExitClass,
    },
    /// The source's command would have to run where no host may be asked.
    #[error("the group source {0:?} would have to ask a host, which is not done here")]
    NobodyAsked(String),
    /// `@last` without a run.
    #[error("{0}")]
    Last(String),
}

impl Classify for GroupError {
    fn exit_class(&self) -> ExitClass {
        match self {
            Self::Command { class, .. } => *class,
            Self::NoNodes { .. } => ExitClass::Failed,
            _ => ExitClass::Usage,
        }
    }
}

/// The members of a group of one configured source; `None` is a definite "no such group".
pub(crate) fn members(
    site: &Site,
    commands: Option<&dyn GroupCommands>,
    name: &str,
    spec: &GroupSourceSpec,
    group: &str,
) -> Result<Option<Members>, GroupError> {
    if let Some(fixed) = &spec.fixed {
        return Ok(fixed.get(group).map(|text| Members::Expression(text.clone())));
    }
    if let Some(attribute) = &spec.attribute {
        return Ok(by_attribute(site, attribute, group));
    }
    match (&spec.exec, commands) {
        (Some(exec), Some(commands)) => by_command(commands, name, exec, group),
        (Some(_), None) => Err(GroupError::NobodyAsked(name.to_owned())),
        (None, _) => Ok(None),
    }
}

fn by_attribute(site: &Site, attribute: &str, group: &str) -> Option<Members> {
    let nodes = site.inventory().with_attribute(attribute, group);
    let named: Vec<nodeset::Name> =
        nodes.filter_map(|node| node.name.as_str().parse().ok()).collect();
    if named.is_empty() { None } else { Some(Members::Nodes(named.into_iter().collect())) }
}

fn by_command(
    commands: &dyn GroupCommands,
    name: &str,
    exec: &CommandSpec,
    group: &str,
) -> Result<Option<Members>, GroupError> {
    if !exec.list.is_empty() {
        let listed = words(&run(commands, name, exec, &exec.list)?);
        if !listed.contains(group) {
            return Ok(None);
        }
    }
    let argv: Vec<String> = exec.map.iter().map(|word| replaced(word, "$GROUP", group)).collect();
    let nodes = words(&run(commands, name, exec, &argv)?);
    if nodes.is_empty() {
        if exec.list.is_empty() {
            return Ok(None);
        }
        return Err(GroupError::NoNodes { source_name: name.to_owned(), name: group.to_owned() });
    }
    Ok(Some(Members::Expression(nodes.into_iter().collect::<Vec<_>>().join(","))))
}

/// Where a group is looked for: its source, or without one the default source first, then the others
/// by name.
pub(crate) fn searched<'g>(groups: &'g GroupsSpec, source: Option<&'g str>) -> Vec<&'g str> {
    if let Some(name) = source {
        return vec![name];
    }
    let default = groups.default_source.as_deref();
    let others = groups.sources.keys().map(String::as_str).filter(|name| Some(*name) != default);
    default.into_iter().chain(others).collect()
}

/// No source that was searched has the group.
pub(crate) fn no_group(name: &str, searched: &[&str]) -> GroupError {
    if searched.is_empty() {
        return GroupError::NoSources(name.to_owned());
    }
    let searched = searched.iter().map(|&source| source.to_owned()).collect();
    GroupError::NoGroup { name: name.to_owned(), searched }
}

/// Every node of a source.
pub(crate) fn all(
    site: &Site,
    commands: Option<&dyn GroupCommands>,
    name: &str,
    spec: &GroupSourceSpec,
) -> Result<Members, GroupError> {
    if let Some(fixed) = &spec.fixed {
        let texts: Vec<&str> = fixed.values().map(String::as_str).collect();
        return Ok(Members::Expression(texts.join(",")));
    }
    match (&spec.exec, commands) {
        (Some(exec), Some(commands)) if !exec.all.is_empty() => {
            let nodes = words(&run(commands, name, exec, &exec.all)?);
            Ok(Members::Expression(nodes.into_iter().collect::<Vec<_>>().join(",")))
        }
        (Some(_), _) => Err(GroupError::NoAll(name.to_owned())),
        (None, _) => Ok(everybody(site)),
    }
}

/// Every node of the inventory.
pub(crate) fn everybody(site: &Site) -> Members {
    let nodes = site.inventory().nodes().iter();
    let names: Vec<nodeset::Name> =
        nodes.filter_map(|node| node.name.as_str().parse().ok()).collect();
    Members::Nodes(names.into_iter().collect())
}

/// The groups a source has.
pub(crate) fn list(
    site: &Site,
    commands: &dyn GroupCommands,
    name: &str,
    spec: &GroupSourceSpec,
) -> Result<BTreeSet<String>, GroupError> {
    if let Some(fixed) = &spec.fixed {
        return Ok(fixed.keys().cloned().collect());
    }
    if let Some(attribute) = &spec.attribute {
        let nodes = site.inventory().nodes().iter();
        let values = nodes.filter_map(|node| node.attributes.get(attribute));
        return Ok(values.map(str::to_owned).collect());
    }
    match &spec.exec {
        Some(exec) if !exec.list.is_empty() => Ok(words(&run(commands, name, exec, &exec.list)?)),
        _ => Ok(BTreeSet::new()),
    }
}

fn run(
    commands: &dyn GroupCommands,
    name: &str,
    exec: &CommandSpec,
    argv: &[String],
) -> Result<Vec<u8>, GroupError> {
    commands.run(&exec.role, argv).map_err(|stop| GroupError::Command {
        source_name: name.to_owned(),
        why: crate::diagnostics::chain(stop.error()),
        class: stop.class(),
    })
}

fn words(output: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(output);
    text.split_whitespace().map(str::to_owned).collect()
}

/// A whole argument, never a part of one: a name cannot become syntax.
fn replaced(word: &str, variable: &str, value: &str) -> String {
    if word == variable { value.to_owned() } else { word.to_owned() }
}

/// Groups where nobody may be asked: reading the configuration itself.
#[derive(Debug)]
pub struct NoGroupsYet<'a> {
    site: &'a Site,
}

impl<'a> NoGroupsYet<'a> {
    /// The groups that the inventory and the documents themselves know.
    pub fn new(site: &'a Site) -> NoGroupsYet<'a> {
        NoGroupsYet { site }
    }
}

impl GroupSource for NoGroupsYet<'_> {
    fn group(&self, source: Option<&str>, group: &str) -> Result<Members, BoxError> {
        let groups = &self.site.cluster_spec().groups;
        let searched = searched(groups, source);
        for name in &searched {
            let spec = groups.sources.get(*name);
            let spec = spec.ok_or_else(|| GroupError::NoSource((*name).to_owned()))?;
            if let Some(members) = members(self.site, None, name, spec, group)? {
                return Ok(members);
            }
        }
        Err(no_group(group, &searched).into())
    }

    fn all(&self, _source: Option<&str>) -> Result<Members, BoxError> {
        Ok(everybody(self.site))
    }
}
