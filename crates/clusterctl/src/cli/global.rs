//! Flags that every command takes.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr as _;

use clap::Args;
use clap::builder::{PathBufValueParser, StringValueParser};

use crate::cli::one_place::OnePlace;
use crate::exit::Stop;

/// Flags that every command takes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Files and directories of configuration, most general first; replaces the usual places.
    #[arg(long, global = true, value_name = "PATH",
        value_parser = OnePlace::new(PathBufValueParser::new()))]
    pub config: Vec<PathBuf>,
    /// The context to act in.
    #[arg(long, global = true, value_name = "NAME", value_parser = OnePlace::new(StringValueParser::new()))]
    pub context: Option<String>,
    /// The nodes, such as 'exe[0001-0003,7]' or @rack:R02.
    #[arg(short = 'n', long, visible_short_alias = 'w', global = true, value_name = "NODESET",
        value_parser = OnePlace::new(StringValueParser::new()))]
    pub nodes: Option<String>,
    /// Nodes that are left out of the set.
    #[arg(short = 'x', long, global = true, value_name = "NODESET",
        value_parser = OnePlace::new(StringValueParser::new()))]
    pub exclude: Option<String>,
    /// A file of node sets, one a line, in place of -n.
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "nodes",
        value_parser = OnePlace::new(PathBufValueParser::new()))]
    pub hostfile: Option<PathBuf>,
    /// table (as without it), wide, json, yaml, nodeset, name or jq=PROGRAM.
    #[arg(short = 'o', long, visible_alias = "format", global = true, value_name = "FORMAT",
        value_parser = OnePlace::new(StringValueParser::new()))]
    pub output: Option<String>,
    /// Look everything up and say what would be done; change nothing.
    #[arg(long, global = true)]
    pub dry_run: bool,
    /// Answer the question beforehand.
    #[arg(short = 'y', long, global = true)]
    pub yes: bool,
    /// Let protected hosts and names that the inventory does not know through.
    #[arg(long, global = true)]
    pub force: bool,
    /// One setting for this command.
    #[arg(long, global = true, value_name = "PATH=VALUE",
        value_parser = OnePlace::new(StringValueParser::new()))]
    pub set: Vec<String>,
    /// How many hosts are reached at a time.
    #[arg(long, global = true, value_name = "N",
        value_parser = OnePlace::new(NonZeroUsize::from_str))]
    pub fanout: Option<NonZeroUsize>,
}

/// Where the node set of a command was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeSet {
    /// The expression; `None` when none was given anywhere.
    pub expression: Option<String>,
    /// The file of `--hostfile`.
    pub hostfile: Option<PathBuf>,
    /// The expression of `-x`.
    pub exclude: Option<String>,
}

impl Global {
    /// Refuses a node set for a command that takes none: it would be ignored.
    pub fn refuse_node_set(&self) -> Result<(), Stop> {
        if self.nodes.is_some() || self.exclude.is_some() || self.hostfile.is_some() {
            return Err(Stop::usage(
                "this command takes no node set: leave out -n, -x and --hostfile",
            ));
        }
        Ok(())
    }

    /// The node set: `-n` or the argument, not both, else `$CLUSTERCTL_NODES`. What is given is
    /// final: an empty one is refused, never replaced by the variable.
    pub fn node_set(
        &self,
        argument: Option<&str>,
        variable: Option<&str>,
    ) -> Result<NodeSet, Stop> {
        let given = match (self.nodes.as_deref(), argument) {
            (Some(_), Some(argument)) => {
                let sentence = format!("the node set is given twice: by -n, and as {argument:?}");
                return Err(Stop::usage(sentence));
            }
            (flag, argument) => flag.or(argument),
        };
        if given.is_some() && self.hostfile.is_some() {
            return Err(Stop::usage(
                "the node set is given twice: by --hostfile, and by -n or as an argument",
            ));
        }
        if given.is_some_and(|text| text.trim().is_empty()) {
            return Err(Stop::usage("the node set is empty: name at least one node"));
        }
        if self.exclude.as_deref().is_some_and(|text| text.trim().is_empty()) {
            return Err(Stop::usage("the node set of -x is empty: name at least one node"));
        }
        let expression = match given {
            None if self.hostfile.is_none() => variable,
            given => given,
        };
        if self.exclude.is_some() && expression.is_none() && self.hostfile.is_none() {
            return Err(Stop::usage("-x leaves nodes out of a set, and none is given"));
        }
        Ok(NodeSet {
            expression: expression.map(str::to_owned),
            hostfile: self.hostfile.clone(),
            exclude: self.exclude.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn global(nodes: Option<&str>) -> Global {
        Global { nodes: nodes.map(str::to_owned), ..Global::default() }
    }

    #[test]
    fn what_is_typed_wins_over_the_variable_and_is_never_dropped() {
        let chosen = |nodes, argument, variable| {
            global(nodes).node_set(argument, variable).map(|set| set.expression)
        };
        assert_eq!(chosen(Some("a"), None, Some("v")).unwrap().as_deref(), Some("a"));
        assert_eq!(chosen(None, Some("b"), Some("v")).unwrap().as_deref(), Some("b"));
        assert_eq!(chosen(None, None, Some("v")).unwrap().as_deref(), Some("v"));
        assert!(chosen(Some("a"), Some("b"), None).is_err());
        assert!(chosen(None, Some(""), Some("v")).is_err());
        assert!(chosen(Some(" "), None, Some("v")).is_err());
    }
}
