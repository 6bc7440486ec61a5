//! Where a view looks around: in one document, or in a configuration with its included files.

use std::path::Path;

use crate::config_set::ConfigSet;
use crate::document::Document;
use crate::host::Host;
use crate::indexes::Indexes;
use crate::statement_view::Statement;
use crate::tree::{Node, ROOT, StatementKind};

/// A node of one of the world's files; [`ROOT`] is the file's outermost scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id {
    pub(crate) file: u32,
    pub(crate) node: u32,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum World<'d> {
    /// Includes are not followed.
    Document(&'d Document),
    Set(&'d ConfigSet),
}

impl<'d> World<'d> {
    pub(crate) fn document(self, file: u32) -> &'d Document {
        match self {
            Self::Document(document) => document,
            Self::Set(set) => set.file(file).document(),
        }
    }

    /// Whether both are the same document or configuration.
    pub(crate) fn is(self, other: World<'_>) -> bool {
        match (self, other) {
            (Self::Document(one), World::Document(other)) => std::ptr::eq(one, other),
            (Self::Set(one), World::Set(other)) => std::ptr::eq(one, other),
            _ => false,
        }
    }

    /// The number of the first file with the path of `file`: a file may be included twice.
    pub(crate) fn first_of_same_path(self, file: u32) -> u32 {
        let Self::Set(set) = self else { return file };
        let path = set.file(file).path();
        let same = set.files().position(|other| other.path() == path);
        same.and_then(|position| u32::try_from(position).ok()).unwrap_or(file)
    }

    pub(crate) fn path(self, file: u32) -> Option<&'d Path> {
        match self {
            Self::Document(_) => None,
            Self::Set(set) => Some(set.file(file).path()),
        }
    }

    pub(crate) fn node(self, id: Id) -> &'d Node {
        &self.document(id.file).nodes[id.node as usize]
    }

    /// The file that the `include` statement `id` brings in.
    pub(crate) fn included(self, id: Id) -> Option<u32> {
        match self {
            Self::Document(_) => None,
            Self::Set(set) => set.included(id),
        }
    }

    /// The `include` statement that brings `file` in.
    pub(crate) fn includer(self, file: u32) -> Option<Id> {
        match self {
            Self::Document(_) => None,
            Self::Set(set) => set.file(file).includer(),
        }
    }

    /// The block around `id`, across files: a statement on the outermost level of an included
    /// file stands in the block that includes the file.
    pub(crate) fn parent(self, id: Id) -> Id {
        let mut parent = Id { node: self.node(id).parent, ..id };
        while parent.node == ROOT {
            let Some(include) = self.includer(parent.file) else { break };
            parent = Id { node: self.node(include).parent, ..include };
        }
        parent
    }

    /// The statements right inside `id`, in file order; included files are not entered.
    pub(crate) fn children(self, id: Id) -> impl Iterator<Item = Statement<'d>> {
        let nodes = &self.document(id.file).nodes;
        let (mut next, end) = match id.node {
            ROOT => (0, nodes.len()),
            node => (node as usize + 1, nodes[node as usize].next as usize),
        };
        std::iter::from_fn(move || {
            let node = nodes.get(next).filter(|_| next < end)?;
            let id = Id { node: u32::try_from(next).ok()?, ..id };
            next = node.next as usize;
            Some(Statement::new(self, id))
        })
    }

    /// The statements right inside `id` in the order the server reads them: those of an included
    /// file stand in place of its `include`.
    pub(crate) fn content(self, id: Id) -> Vec<Statement<'d>> {
        let mut statements = Vec::new();
        let mut stack = vec![self.children(id).collect::<Vec<_>>().into_iter()];
        while let Some(block) = stack.last_mut() {
            let Some(statement) = block.next() else {
                stack.pop();
                continue;
            };
            match self.included(statement.id) {
                Some(file) => {
                    let file = self.children(Id { file, node: ROOT });
                    stack.push(file.collect::<Vec<_>>().into_iter());
                }
                None => statements.push(statement),
            }
        }
        statements
    }

    pub(crate) fn all(self, file: u32) -> impl Iterator<Item = Statement<'d>> {
        let count = u32::try_from(self.document(file).nodes.len()).unwrap_or(ROOT);
        (0..count).map(move |node| Statement::new(self, Id { file, node }))
    }

    pub(crate) fn hosts(self, file: u32) -> impl Iterator<Item = Host<'d>> {
        let nodes = (0u32..).zip(&self.document(file).nodes);
        nodes
            .filter(|(_, node)| node.kind == StatementKind::Host)
            .map(move |(node, _)| Host::new(self, Id { file, node }))
    }

    pub(crate) fn indexes(self) -> &'d Indexes {
        match self {
            Self::Document(document) => document.indexes(),
            Self::Set(set) => set.indexes(),
        }
    }
}
