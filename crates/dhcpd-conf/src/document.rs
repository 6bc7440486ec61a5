//! A parsed source.

use std::fmt;
use std::sync::OnceLock;

use crate::error::ParseErrors;
use crate::host::Host;
use crate::include::Include;
use crate::indexes::Indexes;
use crate::limits::Limits;
use crate::line_index::LineIndex;
use crate::parser;
use crate::place::Place;
use crate::span::{Position, Span};
use crate::statement_view::Statement;
use crate::tree::{Node, StatementKind};
use crate::value::{is_plain, joined};
use crate::world::{Id, World};

/// One configuration file: its bytes and the tree of its statements.
///
/// The tree only points into the bytes, so nothing of the source is ever lost: blanks, comments,
/// spelling and line ends stay as they were written.
///
/// ```
/// let document = dhcpd_conf::Document::parse(
///     "group { filename \"ipxe.net\"; host exe1 { hardware ethernet 0:1:2:3:4:5; } }",
/// )?;
/// let host = document.hosts().next().unwrap();
/// assert_eq!(host.name(), "exe1");
/// assert_eq!(host.hardware().unwrap().to_string(), "00:01:02:03:04:05");
/// let boot_file = host.effective_parameter("filename").certain().unwrap();
/// assert_eq!(boot_file.text().unwrap(), &b"ipxe.net"[..]);
/// # Ok::<(), dhcpd_conf::ParseErrors>(())
/// ```
pub struct Document {
    source: Vec<u8>,
    /// What it was read as, and within which limits: to be read again after a change.
    place: Place,
    limits: Limits,
    sound: bool,
    pub(crate) nodes: Vec<Node>,
    /// Host names that are written with blanks or comments around their dots.
    spaced_names: Vec<(u32, String)>,
    lines: OnceLock<LineIndex>,
    indexes: Indexes,
}

impl Document {
    /// Parses a whole configuration file, within the default [`Limits`].
    ///
    /// All syntax errors of the source are in the error. `include` statements are kept but not
    /// followed: see [`includes`](Self::includes) and [`ConfigSet`](crate::ConfigSet).
    pub fn parse(source: impl Into<Vec<u8>>) -> Result<Self, ParseErrors> {
        Self::parse_with(source, &Limits::default())
    }

    /// As [`parse`](Self::parse), within `limits`.
    pub fn parse_with(source: impl Into<Vec<u8>>, limits: &Limits) -> Result<Self, ParseErrors> {
        match Self::read(source.into(), Place::Root, limits) {
            (document, None) => Ok(document),
            (_, Some(errors)) => Err(errors),
        }
    }

    /// Everything that can be read of a source with errors, and the errors.
    ///
    /// Statements with errors are in the tree as [`StatementKind::Invalid`], their neighbours as
    /// usual. Good for editors; no ground to act upon.
    pub fn parse_recovering(
        source: impl Into<Vec<u8>>,
        limits: &Limits,
    ) -> (Self, Option<ParseErrors>) {
        Self::read(source.into(), Place::Root, limits)
    }

    pub(crate) fn read(
        source: Vec<u8>,
        place: Place,
        limits: &Limits,
    ) -> (Self, Option<ParseErrors>) {
        let parser::Outcome { nodes, errors } = parser::parse(&source, place, limits);
        let mut document = Self {
            source,
            place,
            limits: *limits,
            sound: errors.is_empty(),
            nodes,
            spaced_names: Vec::new(),
            lines: OnceLock::new(),
            indexes: Indexes::default(),
        };
        document.spaced_names = document.find_spaced_names();
        (document, (!errors.is_empty()).then_some(ParseErrors(errors)))
    }

    /// Another source, read as this one was.
    pub(crate) fn reread(&self, source: Vec<u8>) -> Result<Self, ParseErrors> {
        match Self::read(source, self.place, &self.limits) {
            (document, None) => Ok(document),
            (_, Some(errors)) => Err(errors),
        }
    }

    /// Whether it has no syntax errors.
    pub fn is_sound(&self) -> bool {
        self.sound
    }

    /// The source, byte for byte.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The source, byte for byte.
    pub fn into_source(self) -> Vec<u8> {
        self.source
    }

    /// The statements of the outermost scope, in file order.
    pub fn statements(&self) -> impl Iterator<Item = Statement<'_>> {
        World::Document(self).children(Id { file: 0, node: crate::tree::ROOT })
    }

    /// All statements at any depth, in file order.
    pub fn all_statements(&self) -> impl Iterator<Item = Statement<'_>> {
        World::Document(self).all(0)
    }

    /// Host declarations at any depth, in file order.
    pub fn hosts(&self) -> impl Iterator<Item = Host<'_>> {
        World::Document(self).hosts(0)
    }

    /// The `include` statements at any depth, in file order: the files to read next, which may be
    /// fetched side by side.
    pub fn includes(&self) -> impl Iterator<Item = Include<'_>> {
        self.all_statements().filter_map(Include::of)
    }

    /// Line and column of the first byte of `span`.
    pub fn position(&self, span: Span) -> Position {
        let lines = self.lines.get_or_init(|| LineIndex::new(&self.source));
        lines.position(&self.source, span.start().min(self.source.len()))
    }

    /// The bytes from `start` to `end`.
    pub(crate) fn slice(&self, start: u32, end: u32) -> &[u8] {
        &self.source[start as usize..end as usize]
    }

    pub(crate) fn indexes(&self) -> &Indexes {
        &self.indexes
    }

    /// The name of the host at `node`.
    pub(crate) fn host_name(&self, node: u32) -> &str {
        // Names are ASCII: the lexer takes nothing else.
        std::str::from_utf8(self.host_name_bytes(node)).unwrap_or_default()
    }

    /// As [`host_name`](Self::host_name): bytes sort alike, and need no check.
    pub(crate) fn host_name_bytes(&self, node: u32) -> &[u8] {
        if !self.spaced_names.is_empty()
            && let Ok(found) = self.spaced_names.binary_search_by_key(&node, |(node, _)| *node)
        {
            return self.spaced_names[found].1.as_bytes();
        }
        let Node { name_start, name_end, .. } = self.nodes[node as usize];
        self.slice(name_start, name_end)
    }

    fn find_spaced_names(&self) -> Vec<(u32, String)> {
        let hosts = (0u32..).zip(&self.nodes).filter(|(_, node)| node.kind == StatementKind::Host);
        let name = |node: &Node| self.slice(node.name_start, node.name_end);
        let spaced = hosts.filter(|(_, node)| !is_plain(name(node)));
        spaced.map(|(id, node)| (id, joined(name(node)).into_owned())).collect()
    }
}

/// The source; bytes that are not UTF-8 show as replacement characters. For the exact bytes use
/// [`source`](Document::source).
impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        String::from_utf8_lossy(&self.source).fmt(f)
    }
}

impl std::str::FromStr for Document {
    type Err = ParseErrors;

    fn from_str(source: &str) -> Result<Self, ParseErrors> {
        Self::parse(source)
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("bytes", &self.source.len())
            .field("statements", &self.nodes.len())
            .finish_non_exhaustive()
    }
}
