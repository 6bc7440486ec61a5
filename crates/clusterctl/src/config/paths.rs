//! Paths of local files, made absolute where they are written.
//!
//! A relative path in a document is relative to the Site document's directory, whichever document
//! it stands in; one in the environment or a flag is relative to the working directory.

use std::path::Path;

use crate::config::place::Layer;
use crate::config::problem::Problem;
use crate::config::yaml::{Node, Value};

/// The settings that are paths of local files; `*` is any key, `[]` any item of a list.
const LOCAL: [&str; 7] = [
    "ssh.knownHostsFile",
    "ssh.include.[]",
    "credentials.*.password.file",
    "credentials.*.password.ageFile",
    "bmc.redfish.caBundle",
    "bmc.redfish.pinStore",
    "services.cinc.secrets.[].source",
];

/// Programs: a bare name is looked up in `PATH`, a relative path with a slash is a path.
const PROGRAMS: [&str; 3] = ["ssh.binary", "ssh.scpBinary", "credentials.*.password.command"];

/// The directories that relative paths begin at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bases<'a> {
    pub(crate) site: &'a Path,
    pub(crate) working: &'a Path,
    pub(crate) home: Option<&'a Path>,
}

/// Makes every local path of the settings absolute.
pub(crate) fn resolve(settings: &mut Node, bases: Bases<'_>) -> Result<(), Vec<Problem>> {
    let mut problems = Vec::new();
    for pattern in LOCAL {
        let words: Vec<&str> = pattern.split('.').collect();
        visit(settings, &words, &mut |node| absolute(node, bases, false, &mut problems));
    }
    for pattern in PROGRAMS {
        let words: Vec<&str> = pattern.split('.').collect();
        visit(settings, &words, &mut |node| {
            let program = match &mut node.value {
                Value::Sequence(items) => items.first_mut(),
                _ => Some(node),
            };
            if let Some(program) = program {
                absolute(program, bases, true, &mut problems);
            }
        });
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Makes one path absolute, for documents that are no settings.
pub(crate) fn absolute(
    node: &mut Node,
    bases: Bases<'_>,
    program: bool,
    problems: &mut Vec<Problem>,
) {
    let Value::Text(text) = &mut node.value else { return };
    if program && !text.contains('/') {
        return;
    }
    let base = match node.place.layer {
        Layer::Environment | Layer::Flag => bases.working,
        _ => bases.site,
    };
    if text == "~" || text.starts_with("~/") {
        match bases.home {
            Some(home) => {
                *text = home.join(text[1..].trim_start_matches('/')).display().to_string();
            }
            None => problems.push(Problem::at(&node.place, "there is no home directory for ~")),
        }
    } else if text.starts_with('~') {
        let message = "homes of other users are not looked up: write the path out";
        problems.push(Problem::at(&node.place, message));
    } else {
        *text = base.join(&*text).display().to_string();
    }
}

fn visit(node: &mut Node, words: &[&str], act: &mut dyn FnMut(&mut Node)) {
    let Some((first, rest)) = words.split_first() else { return act(node) };
    match (&mut node.value, *first) {
        (Value::Sequence(items), "[]") => items.iter_mut().for_each(|item| visit(item, rest, act)),
        (Value::Mapping(entries), "*") => {
            entries.iter_mut().for_each(|(_, node)| visit(node, rest, act));
        }
        (Value::Mapping(entries), word) => {
            for (_, node) in entries.iter_mut().filter(|(key, _)| key.text == word) {
                visit(node, rest, act);
            }
        }
        _ => {}
    }
}
