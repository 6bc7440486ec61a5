//! Commands on files of this machine: they need no site.

use nodeset::NodeSet as Names;

use crate::cli::{Command, DhcpCommand, NodeSet};
use crate::config::{ConfigError, Inputs};
use crate::exit::Stop;
use crate::ops::dhcp;
use crate::output::Outcome;

/// Carries a command out that needs nothing but files; `None` for all others.
pub(super) fn carry_out(
    command: &Command,
    nodes: &NodeSet,
    inputs: &Inputs,
) -> Option<Result<Outcome, Stop>> {
    let Command::Dhcp(command) = command else { return None };
    let here = &inputs.working_directory;
    match command {
        DhcpCommand::Check { files } if !files.is_empty() => {
            Some(Ok(dhcp::check_files(files, here)))
        }
        DhcpCommand::Config { schema: true, .. } => Some(Ok(dhcp::schema())),
        DhcpCommand::Config { file: Some(file), .. } => {
            Some(dhcp::read_file(file, here).map(|set| dhcp::config(&set)))
        }
        DhcpCommand::Hosts { file: Some(file), .. } if !has_documents(inputs) => {
            Some(named(nodes).and_then(|names| {
                let set = dhcp::read_file(file, here)?;
                Ok(dhcp::hosts(&set, &dhcp::Wanted::named(names)))
            }))
        }
        _ => None,
    }
}

/// Whether there is a configuration, right or wrong. Where there is one, node sets mean what it
/// says they mean.
fn has_documents(inputs: &Inputs) -> bool {
    !matches!(inputs.files(), Err(ConfigError::Nothing(_)))
}

/// Names as they are written: without a site there are no groups and no other spellings.
fn named(nodes: &NodeSet) -> Result<Vec<String>, Stop> {
    let NodeSet { expression: Some(text), exclude, hostfile: None } = nodes else {
        let sentence = "no nodes are named: give a node set with -n; dhcp config lists all";
        return Err(Stop::usage(sentence));
    };
    let parse = |text: &str| {
        text.parse::<Names>().map_err(|error| {
            let why = crate::diagnostics::chain(&error);
            Stop::usage(format!("{text:?}: {why}; there is no configuration of a site"))
        })
    };
    let out = exclude.as_deref().map(parse).transpose()?;
    let out: Vec<String> = out.iter().flat_map(Names::iter).map(ToString::to_string).collect();
    let names = parse(text)?;
    let names = names.iter().map(ToString::to_string).filter(|name| !out.contains(name));
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return Err(Stop::usage(format!("{text:?} names no node that -x leaves in")));
    }
    Ok(names)
}
