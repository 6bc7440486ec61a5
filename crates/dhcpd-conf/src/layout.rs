//! The same configuration with its lines in order: only blanks change.
//!
//! The layout follows the line breaks of the writer: what stood on one line stays there, be it a
//! whole host; a block that had several lines has each statement and its `}` on a line of its own.

use std::fmt;

use crate::document::Document;
use crate::edit::newline;
use crate::token::{Token, TokenKind, tokens};
use crate::tree::{Node, StatementKind};

/// How a document is laid out: by default two blanks a level, and the line ends the document has.
///
/// ```
/// use dhcpd_conf::{Document, Layout};
/// let document = Document::parse("group{\nhost a{uid 1 ;}   # first\n\n\n\n   host b {\nuid   2; }}")?;
/// let text = Layout::default().apply(&document).unwrap();
/// assert_eq!(String::from_utf8(text).unwrap(), "\
/// group {
///   host a { uid 1; } # first
///
///   host b {
///     uid 2;
///   }
/// }
/// ");
/// # Ok::<(), dhcpd_conf::ParseErrors>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    indent: Vec<u8>,
}

impl Default for Layout {
    fn default() -> Self {
        Self { indent: b"  ".to_vec() }
    }
}

impl Layout {
    /// So many blanks a level.
    #[must_use]
    pub fn blanks(count: usize) -> Self {
        Self { indent: b" ".repeat(count) }
    }

    /// A tab a level.
    #[must_use]
    pub fn tabs() -> Self {
        Self { indent: b"\t".to_vec() }
    }

    /// As the document indents already.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        Self { indent: crate::edit::step(document) }
    }

    /// The source laid out. Its tokens and comments are those of the document in their order, and a
    /// second time changes nothing. A document that was read in spite of errors is refused.
    pub fn apply(&self, document: &Document) -> Result<Vec<u8>, LayoutError> {
        if document.is_sound() {
            Ok(Writer::new(&self.indent, document).write())
        } else {
            Err(LayoutError)
        }
    }
}

/// A document that has syntax errors, and so no layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LayoutError;

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a file with syntax errors is not laid out: correct them first")
    }
}

impl std::error::Error for LayoutError {}

/// What stands before a token.
enum Separator {
    Nothing,
    Blank,
    Line,
}

struct Writer<'d> {
    indent: &'d [u8],
    source: &'d [u8],
    newline: &'static str,
    nodes: &'d [Node],
    /// The node that begins next.
    next: usize,
    /// For each open block, whether it has several lines.
    open: Vec<bool>,
    /// The statement whose tokens are being written, up to its `;` or `{`.
    head: Option<Node>,
    out: Vec<u8>,
    /// Line ends since the last token.
    newlines: usize,
    blank: bool,
    behind_comment: bool,
    behind_brace: bool,
}

impl<'d> Writer<'d> {
    fn new(indent: &'d [u8], document: &'d Document) -> Self {
        Self {
            indent,
            source: document.source(),
            newline: newline(document.source()),
            nodes: &document.nodes,
            next: 0,
            open: Vec::new(),
            head: None,
            out: Vec::with_capacity(document.source().len()),
            newlines: 0,
            blank: false,
            behind_comment: false,
            behind_brace: false,
        }
    }

    fn write(mut self) -> Vec<u8> {
        let mut at = 0;
        while at < self.source.len() {
            let ignored = self
                .nodes
                .get(self.next)
                .filter(|node| node.kind == StatementKind::Ignored && node.start as usize == at);
            // Nothing is known of what stands in it, so it stays as it is.
            let token = match ignored {
                Some(node) => {
                    Some(Token { kind: TokenKind::Solid, start: at, end: node.end as usize })
                }
                None => tokens(&self.source[at..]).next().map(|token| Token {
                    start: at + token.start,
                    end: at + token.end,
                    ..token
                }),
            };
            let Some(token) = token else { break };
            self.token(token);
            at = token.end;
        }
        if !self.out.is_empty() {
            self.out.extend(self.newline.as_bytes());
        }
        self.out
    }

    fn token(&mut self, token: Token) {
        let text = &self.source[token.start..token.end];
        match token.kind {
            TokenKind::Blanks => {
                self.blank = true;
                self.newlines += text.split(|byte| *byte == b'\n').count() - 1;
                return;
            }
            TokenKind::Comment => {
                let separator = if self.newlines == 0 { Separator::Blank } else { Separator::Line };
                let depth = self.open.len() + usize::from(self.head.is_some());
                self.put(&separator, depth, text.trim_ascii_end());
            }
            TokenKind::Solid => self.solid(token, text),
        }
        self.newlines = 0;
        self.blank = false;
        self.behind_comment = token.kind == TokenKind::Comment;
    }

    fn solid(&mut self, token: Token, text: &[u8]) {
        let depth = self.open.len();
        let mut opens = false;
        if let Some(chained) = self.begin(token.start) {
            let own_line = if chained { self.behind_comment } else { self.in_lines() };
            self.newlines = if chained { 0 } else { self.newlines };
            let separator = if own_line { Separator::Line } else { Separator::Blank };
            self.put(&separator, depth, text.trim_ascii_end());
        } else if let Some(head) = self.head {
            opens = text == b"{" && is_block(head.kind) && head.value as usize == token.end;
            // A statement has no empty lines.
            self.newlines = self.newlines.min(1);
            let separator = match text {
                _ if self.behind_comment => Separator::Line,
                _ if opens => Separator::Blank,
                b";" if head.end as usize == token.end => Separator::Nothing,
                _ if self.newlines > 0 => Separator::Line,
                _ if self.blank => Separator::Blank,
                _ => Separator::Nothing,
            };
            self.put(&separator, depth + 1, text);
        } else if text == b"}" {
            self.newlines = 0;
            let own_line = self.open.pop().unwrap_or(true);
            let separator = if own_line { Separator::Line } else { Separator::Blank };
            self.put(&separator, self.open.len(), text);
        } else {
            // The `;` that may follow the block of a key.
            let separator = if self.behind_comment { Separator::Line } else { Separator::Nothing };
            self.newlines = 0;
            self.put(&separator, depth, text);
        }
        self.behind_brace = opens;
        let Some(head) = self.head else { return };
        if opens {
            let body = &self.source[token.end..head.end as usize];
            self.open.push(body.contains(&b'\n'));
        }
        if opens || head.end as usize <= token.end {
            self.head = None;
        }
    }

    /// Takes the nodes that begin at `start`; whether the last is a further branch of a chain.
    fn begin(&mut self, start: usize) -> Option<bool> {
        let mut chained = None;
        while let Some(node) = self.nodes.get(self.next).filter(|it| it.start as usize == start) {
            let first = self.nodes.get(node.parent as usize);
            let further = first.is_some_and(|chain| chain.start != node.start);
            chained = Some(node.kind == StatementKind::Branch && further);
            self.head = Some(*node);
            self.next += 1;
        }
        chained
    }

    /// Whether statements here have lines of their own.
    fn in_lines(&self) -> bool {
        self.open.last().copied().unwrap_or(true)
    }

    fn put(&mut self, separator: &Separator, depth: usize, text: &[u8]) {
        if !self.out.is_empty() {
            match separator {
                Separator::Nothing => {}
                Separator::Blank => self.out.push(b' '),
                Separator::Line => {
                    if self.newlines > 1 && !self.behind_brace {
                        self.out.extend(self.newline.as_bytes());
                    }
                    self.out.extend(self.newline.as_bytes());
                    self.out.extend(self.indent.repeat(depth));
                }
            }
        }
        self.out.extend(text);
        self.behind_brace = false;
    }
}

/// Whether such a statement has a `{ … }`; a subclass may do without.
fn is_block(kind: StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::Host
            | StatementKind::Group
            | StatementKind::SharedNetwork
            | StatementKind::Subnet
            | StatementKind::Pool
            | StatementKind::Class
            | StatementKind::Subclass
            | StatementKind::Failover
            | StatementKind::Zone
            | StatementKind::Key
            | StatementKind::Branch
            | StatementKind::Switch
            | StatementKind::On
            | StatementKind::Function
    )
}
