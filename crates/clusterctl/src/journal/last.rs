//! The newest run, for `@last`.

use std::path::Path;

use crate::journal::directory::{self, JournalError, io_error};
use crate::journal::event::{Event, Line, Status};

/// Which nodes of the newest run are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LastGroup {
    /// `@last`: all of them.
    All,
    /// `@last:failed`: those it failed on, unreachable ones included.
    Failed,
    /// `@last:unreachable`: those it could not reach.
    Unreachable,
    /// `@last:not-tried`: those it did nothing to, or was killed before.
    NotTried,
}

impl LastGroup {
    /// The group of that name behind `@last:`.
    pub fn named(name: &str) -> Option<LastGroup> {
        match name {
            "failed" => Some(LastGroup::Failed),
            "unreachable" => Some(LastGroup::Unreachable),
            "not-tried" => Some(LastGroup::NotTried),
            _ => None,
        }
    }
}

/// What the newest run was about, and what became of its nodes.
#[derive(Debug, Clone)]
pub struct Last {
    nodes: Vec<(String, Option<Status>)>,
}

impl Last {
    /// Reads the newest run; `None` when there is none. A line that was cut off by a kill is
    /// passed over.
    pub fn read(state: &Path) -> Result<Option<Last>, JournalError> {
        let Some(path) = directory::newest(state)? else { return Ok(None) };
        let text = std::fs::read_to_string(&path).map_err(|error| io_error(&path, error))?;
        let mut last = Last { nodes: Vec::new() };
        for line in text.lines() {
            let Ok(Line { event, .. }) = serde_json::from_str::<Line>(line) else { continue };
            match event {
                Event::Start { nodes, .. } => {
                    last.nodes = nodes.into_iter().map(|node| (node, None)).collect();
                }
                Event::Node { node, status, .. } => {
                    if let Some(known) = last.nodes.iter_mut().find(|(name, _)| *name == node) {
                        known.1 = Some(status);
                    }
                }
                Event::Step { .. } | Event::End { .. } => {}
            }
        }
        Ok(Some(last))
    }

    /// The nodes of a group, in the order of the run.
    pub fn nodes(&self, group: LastGroup) -> Vec<String> {
        let wanted = |status: Option<Status>| match group {
            LastGroup::All => true,
            LastGroup::Failed => matches!(status, Some(Status::Failed | Status::Unreachable)),
            LastGroup::Unreachable => status == Some(Status::Unreachable),
            LastGroup::NotTried => matches!(status, None | Some(Status::NotTried)),
        };
        let kept = self.nodes.iter().filter(|(_, status)| wanted(*status));
        kept.map(|(node, _)| node.clone()).collect()
    }
}
