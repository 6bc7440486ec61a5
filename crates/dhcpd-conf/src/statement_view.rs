//! A statement seen from outside.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use crate::document::Document;
use crate::lex::{Quoted, string};
use crate::span::{Position, Span};
use crate::text::unescape;
use crate::tree::{Node, Operator, ROOT, StatementKind};
use crate::value::joined;
use crate::world::{Id, World};

/// One statement of a document. A view, cheap to copy: what its methods return outlives it.
#[derive(Clone, Copy)]
pub struct Statement<'d> {
    pub(crate) world: World<'d>,
    pub(crate) id: Id,
}

impl<'d> Statement<'d> {
    pub(crate) fn new(world: World<'d>, id: Id) -> Self {
        Self { world, id }
    }

    pub(crate) fn node(self) -> &'d Node {
        self.world.node(self.id)
    }

    /// What it is.
    pub fn kind(self) -> StatementKind {
        self.node().kind
    }

    /// How an option statement treats a value set further out.
    pub fn operator(self) -> Operator {
        self.node().operator
    }

    /// The document it is in.
    pub fn document(self) -> &'d Document {
        self.world.document(self.id.file)
    }

    /// The file it is in, if it was reached through a [`ConfigSet`](crate::ConfigSet).
    pub fn file(self) -> Option<&'d Path> {
        self.world.path(self.id.file)
    }

    /// Its bytes, from the first byte of its keyword to its `;` or `}`.
    pub fn span(self) -> Span {
        let Node { start, end, .. } = *self.node();
        Span::new(start as usize, end as usize)
    }

    /// Where it begins.
    pub fn position(self) -> Position {
        self.document().position(self.span())
    }

    /// Its text as written.
    pub fn source(self) -> &'d [u8] {
        let Node { start, end, .. } = *self.node();
        self.document().slice(start, end)
    }

    /// The name of an option or parameter, or what stands between a block's keyword and its `{`;
    /// for other statements the keyword. As written.
    pub fn name(self) -> &'d [u8] {
        let Node { name_start, name_end, .. } = *self.node();
        self.document().slice(name_start, name_end)
    }

    /// The name a group, class, shared-network, key or zone declares, without quotes.
    pub fn declared_name(self) -> Cow<'d, [u8]> {
        unquoted(self.name())
    }

    /// What follows the name, without the closing `;`, as written; empty for blocks.
    pub fn value(self) -> &'d [u8] {
        let node = self.node();
        if self.is_block() {
            return &[];
        }
        let text = self.document().slice(node.value.min(node.end), node.end);
        text.strip_suffix(b";").unwrap_or(text).trim_ascii_end()
    }

    /// Whether it has a `{ … }`.
    pub fn is_block(self) -> bool {
        self.source().ends_with(b"}") || self.kind() == StatementKind::Key
    }

    /// The block it stands in; none on the outermost level. For a statement of an included file
    /// that is the block around the `include`.
    pub fn parent(self) -> Option<Self> {
        let id = self.world.parent(self.id);
        (id.node != ROOT).then(|| Self::new(self.world, id))
    }

    /// The statements right inside its block, in file order.
    pub fn children(self) -> impl Iterator<Item = Self> {
        self.world.children(self.id)
    }

    /// The blocks around it, innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |block| block.parent())
    }

    /// The statements right inside its block in the order the server reads them: those of an
    /// included file stand in place of its `include`, if the files were read together.
    pub fn content(self) -> Vec<Self> {
        self.world.content(self.id)
    }

    /// As [`content`](Self::content), with what groups inside the block hold in their place.
    pub(crate) fn within_groups(self) -> Vec<Self> {
        let mut statements = Vec::new();
        let mut stack = self.content();
        stack.reverse();
        while let Some(statement) = stack.pop() {
            if statement.kind() == StatementKind::Group {
                stack.extend(statement.content().into_iter().rev());
            } else {
                statements.push(statement);
            }
        }
        statements
    }

    /// What a statement names whose value is a quoted string or a dotted name.
    pub(crate) fn named(self) -> Cow<'d, [u8]> {
        unquoted(self.value())
    }

    /// Whether its name, or else its keyword, is `word` in any case.
    pub(crate) fn is_named(self, word: &str) -> bool {
        self.name().eq_ignore_ascii_case(word.as_bytes())
    }

    /// The comment lines directly above it, first line first, each without its `#` and the blanks
    /// around it. An empty line, or anything else before it on its own line, cuts.
    pub fn comments(self) -> impl Iterator<Item = &'d [u8]> {
        let source = self.document().source();
        let from = self.preceding_end();
        let lines = comment_lines(&source[from..self.span().start()], from == 0);
        lines.into_iter().rev()
    }

    /// Where the token before this statement ends.
    pub(crate) fn preceding_end(self) -> usize {
        let nodes = &self.document().nodes;
        let parent = self.node().parent;
        let Some(mut before) = (self.id.node as usize).checked_sub(1) else { return 0 };
        while before != parent as usize {
            if nodes[before].parent == parent {
                return nodes[before].end as usize;
            }
            before = nodes[before].parent as usize;
        }
        nodes[before].value as usize
    }
}

/// A name without quotes, or without blanks around its dots.
pub(crate) fn unquoted(name: &[u8]) -> Cow<'_, [u8]> {
    match string(name) {
        Ok((_, Quoted(text))) => unescape(text),
        Err(_) => match joined(name) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        },
    }
}

/// The lines at the end of `gap` that hold a comment and nothing else, last first. `gap` is what
/// stands between two tokens; with `whole` it begins at the start of a line.
fn comment_lines(gap: &[u8], whole: bool) -> Vec<&[u8]> {
    let mut lines = gap.rsplit(|byte| *byte == b'\n');
    // The line of the statement itself: only its indentation may stand there.
    if !lines.next().is_some_and(|indent| indent.trim_ascii().is_empty()) {
        return Vec::new();
    }
    let mut lines: Vec<_> = lines.collect();
    if !whole {
        // What follows the last statement on its line belongs to that one.
        lines.pop();
    }
    let comments = lines.into_iter().map_while(|line| line.trim_ascii().strip_prefix(b"#"));
    comments.map(<[u8]>::trim_ascii_start).collect()
}

impl fmt::Debug for Statement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {}", self.kind(), self.position())
    }
}
