//! Reads a source into the flat tree, in one pass and without recursion over blocks.
//!
//! After a syntax error reading goes on behind the statement's `;` or block, so one run reports
//! every error.

use crate::error::{ParseError, ParseErrorKind};
use crate::expected::Expected;
use crate::expression::Kind;
use crate::fault::Fault;
use crate::lex::{Input, at, at_keyword, peek_word, trivia, word};
use crate::limits::Limits;
use crate::option_statement::Definitions;
use crate::place::Place;
use crate::recovery::{Recovery, block_of};
use crate::report::parse_error;
use crate::span::line_start;
use crate::statement::{Context, Ends, Head, Text, head, plain};
use crate::token::{TokenKind, tokens};
use crate::tree::{Node, ROOT, StatementKind};

/// What reading a source gives.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) nodes: Vec<Node>,
    pub(crate) errors: Vec<ParseError>,
}

/// Reads `source` as the content of `place`.
pub(crate) fn parse(source: &[u8], place: Place, limits: &Limits) -> Outcome {
    let mut parser = Parser {
        source,
        rest: source,
        limits,
        outermost: place,
        // A host's statements take about 40 bytes each. Memory that is not used is not taken.
        nodes: Vec::with_capacity(source.len().min(limits.source_bytes) / 40),
        open: Vec::new(),
        errors: Vec::new(),
        gave_up: false,
        counted: (0, 1),
        definitions: Definitions::default(),
        recovery: Recovery::default(),
    };
    parser.run();
    Outcome { nodes: parser.nodes, errors: parser.errors }
}

struct Parser<'s> {
    source: &'s [u8],
    rest: Input<'s>,
    limits: &'s Limits,
    outermost: Place,
    nodes: Vec<Node>,
    open: Vec<Open>,
    errors: Vec<ParseError>,
    gave_up: bool,
    /// An offset and the line it is on, so that counting lines for errors stays linear.
    counted: (usize, usize),
    definitions: Definitions,
    recovery: Recovery,
}

/// A block that is not closed yet.
struct Open {
    node: u32,
    place: Place,
    /// Statements a block holds once at most, that it has already: see [`once`].
    seen: u8,
    /// What the labels are, if this is a `switch`.
    labels: Option<Kind>,
}

impl<'s> Parser<'s> {
    fn run(&mut self) {
        if self.source.len() > self.limits.source_bytes.min(u32::MAX as usize - 1) {
            return self.report(Fault::new(self.source, ParseErrorKind::SourceTooLong));
        }
        if let Some(rest) = self.source.strip_prefix(b"\xef\xbb\xbf") {
            self.report(Fault::new(self.source, ParseErrorKind::ByteOrderMark));
            self.rest = rest;
        }
        // For dhcpd this byte is the end of the file, even inside a comment.
        let end = self.source.iter().position(|byte| *byte == 0xff);
        self.skip_trivia();
        while !self.rest.is_empty() {
            if self.errors.len() >= self.limits.errors {
                self.give_up(Fault::new(self.rest, ParseErrorKind::TooManyErrors));
            } else if at(self.rest, b'}') {
                self.close();
            } else if self.nodes.len() >= self.limits.statements.min(ROOT as usize) {
                self.give_up(Fault::new(self.rest, ParseErrorKind::TooManyStatements));
            } else {
                self.statement();
            }
            self.skip_trivia();
        }
        self.finish();
        if let Some(end) = end.filter(|end| self.errors.iter().all(|e| e.span.start() != *end)) {
            self.report(Fault::byte(&self.source[end..]));
            self.errors.sort_by_key(|error| error.span);
        }
    }

    fn skip_trivia(&mut self) {
        if let Ok((rest, ())) = trivia(self.rest) {
            self.rest = rest;
        }
    }

    fn place(&self) -> Place {
        self.open.last().map_or(self.outermost, |open| open.place)
    }

    fn offset(&self, at: Input<'_>) -> usize {
        self.source.len() - at.len()
    }

    /// Reads one statement, or the head of one with a block.
    fn statement(&mut self) {
        let start = self.rest;
        if let [b'%', ..] = start {
            return self.ignored();
        }
        let context = Context {
            place: self.place(),
            labels: self.open.last().and_then(|open| open.labels),
            depth: self.limits.depth,
            definitions: &self.definitions,
        };
        match head(start, context) {
            Ok((rest, head)) => self.finish_head(start, rest, head),
            Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => self.recover(start, fault),
            // The parsers are complete: they never ask for more input.
            Err(nom::Err::Incomplete(_)) => self.rest = &[],
        }
    }

    fn finish_head(&mut self, start: Input<'s>, rest: Input<'s>, head: Head<'s>) {
        let (byte, also) = match head.ends {
            Ends::Block(place) => return self.open_block(start, rest, &head, place),
            Ends::Semicolon => (b';', None),
            Ends::ListSemicolon(also) => (b';', Some(also)),
            Ends::Colon => (b':', None),
            Ends::OptionalSemicolon if at(rest, b';') => (b';', None),
            Ends::OptionalSemicolon => {
                // It ends with its last word, not with the blanks and comments behind it.
                let words = tokens(&start[..start.len() - rest.len()]);
                let solid = words.filter(|token| token.kind == TokenKind::Solid);
                let length = solid.last().map_or(0, |token| token.end);
                self.push(start, rest, &head, length);
                self.rest = rest;
                return;
            }
        };
        if at(rest, byte) {
            if self.repeats(&head) {
                self.report(Fault::new(start, ParseErrorKind::Repeated));
            }
            self.rest = &rest[1..];
            self.push(start, self.rest, &head, start.len() - self.rest.len());
            if let Some(definition) = head.definition {
                self.definitions.define(definition);
            }
            return;
        }
        let wanted = if byte == b';' { Expected::Semicolon } else { Expected::Colon };
        let mut fault = Fault::expected(rest, wanted);
        if let Some(also) = also {
            fault = fault.or_expected(also);
        }
        self.recover(start, fault);
    }

    /// Whether this statement may stand only once in its block and already does.
    fn repeats(&mut self, head: &Head<'_>) -> bool {
        let place = self.place();
        let Some(open) = self.open.last_mut() else { return false };
        let bit = once(head, place);
        let repeated = open.seen & bit != 0;
        open.seen |= bit;
        repeated
    }

    fn push(&mut self, start: Input<'s>, value_limit: Input<'s>, head: &Head<'s>, length: usize) {
        let at = self.offset(start);
        let end = at + length;
        let name = self.offset(head.name.at);
        let value = self.offset(head.value).min(self.offset(value_limit));
        self.nodes.push(Node {
            kind: head.kind,
            operator: head.operator,
            start: narrow(at),
            end: narrow(end),
            name_start: narrow(name),
            name_end: narrow(name + head.name.length),
            value: narrow(value),
            parent: self.open.last().map_or(ROOT, |open| open.node),
            next: narrow(self.nodes.len() + 1),
        });
    }

    fn open_block(&mut self, start: Input<'s>, rest: Input<'s>, head: &Head<'s>, place: Place) {
        if !at(rest, b'{') {
            return self.recover(start, Fault::expected(rest, Expected::OpenBrace));
        }
        if head.kind == StatementKind::Branch {
            if !self.may_open(start) {
                return;
            }
            let name = Text { at: start, length: 2 };
            let chain = plain(StatementKind::Conditional, name, start, Ends::Block(place));
            self.enter(start, start, &chain, place);
        }
        self.branch(start, rest, head, place);
    }

    /// Opens the block whose `{` stands at `rest`.
    fn branch(&mut self, start: Input<'s>, rest: Input<'s>, head: &Head<'s>, place: Place) {
        if self.may_open(start) {
            let body = &rest[1..];
            self.enter(start, body, head, place);
            self.rest = body;
        }
    }

    fn enter(&mut self, start: Input<'s>, body: Input<'s>, head: &Head<'s>, place: Place) {
        let node = narrow(self.nodes.len());
        let head = Head {
            value: body,
            definition: None,
            name: head.name,
            kind: head.kind,
            operator: head.operator,
            ends: head.ends,
            labels: head.labels,
        };
        self.push(start, body, &head, start.len() - body.len());
        self.open.push(Open { node, place, seen: 0, labels: head.labels });
    }

    /// Whether one more block may open; if not, the rest of the source is given up, for it cannot
    /// be read without going deeper.
    fn may_open(&mut self, start: Input<'s>) -> bool {
        // A chain of branches takes two entries but is one level.
        let chains = self
            .open
            .iter()
            .filter(|open| self.nodes[open.node as usize].kind == StatementKind::Conditional)
            .count();
        if self.open.len() - chains < self.limits.depth {
            return true;
        }
        self.give_up(Fault::new(start, ParseErrorKind::TooDeep));
        false
    }

    /// At a `}`.
    fn close(&mut self) {
        let brace = self.rest;
        self.rest = &brace[1..];
        let Some(open) = self.open.pop() else {
            return self.report(Fault::new(brace, ParseErrorKind::StrayBrace));
        };
        self.end_node(&open);
        match self.nodes[open.node as usize].kind {
            StatementKind::Branch => self.next_branch(open.node),
            StatementKind::Key => {
                let Ok((next, ())) = trivia(self.rest) else { return };
                if at(next, b';') {
                    self.rest = &next[1..];
                    self.end_node(&open);
                }
            }
            _ => {}
        }
    }

    fn end_node(&mut self, open: &Open) {
        let end = narrow(self.offset(self.rest));
        let next = narrow(self.nodes.len());
        let node = &mut self.nodes[open.node as usize];
        node.end = end;
        node.next = next;
    }

    /// Behind a branch: the next one of its chain, or the chain's end.
    fn next_branch(&mut self, last: u32) {
        let after_else = self.nodes[last as usize].name_start == self.nodes[last as usize].name_end;
        let start = trivia(self.rest).map_or(self.rest, |(next, ())| next);
        let chained = !after_else && (at_keyword(start, "else") || at_keyword(start, "elsif"));
        if !chained {
            if let Some(chain) = self.open.pop() {
                self.end_node(&chain);
            }
            return;
        }
        self.rest = start;
        let Ok((behind, keyword)) = word(start) else { return };
        let condition = if keyword.len() == 5 {
            Some(behind)
        } else if at_keyword(behind, "if") {
            word(behind).ok().map(|(rest, _)| rest)
        } else {
            None
        };
        let parsed = match condition {
            Some(condition) => crate::expression::if_condition(condition, self.limits.depth)
                .map(|(rest, ())| (rest, condition, condition.len() - rest.len())),
            None => Ok((behind, behind, 0)),
        };
        match parsed {
            Ok((rest, at_name, length)) if at(rest, b'{') => {
                let length = at_name[..length].trim_ascii_end().len();
                let name = Text { at: at_name, length };
                let head = plain(StatementKind::Branch, name, rest, Ends::Block(Place::Body));
                self.branch(start, rest, &head, Place::Body);
            }
            Ok((rest, ..)) => self.recover(start, Fault::expected(rest, Expected::OpenBrace)),
            Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => self.recover(start, fault),
            Err(nom::Err::Incomplete(_)) => {}
        }
        // A branch whose head is wrong did not open: its chain ends here.
        let chain = self.open.last().map(|open| self.nodes[open.node as usize].kind);
        if chain == Some(StatementKind::Conditional)
            && let Some(chain) = self.open.pop()
        {
            self.end_node(&chain);
        }
    }

    /// `% … ;`, which the server ignores; it may not reach over the end of its block.
    fn ignored(&mut self) {
        let start = self.rest;
        if !takes_ignored(self.place()) {
            return self.recover(start, Fault::expected(start, Expected::Statement));
        }
        let mut rest = start;
        loop {
            rest = match rest {
                [b';', after @ ..] => {
                    self.rest = after;
                    break;
                }
                // It may also reach to the end of the file.
                [] if self.open.is_empty() => {
                    self.rest = rest;
                    break;
                }
                [] | [b'}', ..] => {
                    return self.recover(start, Fault::expected(rest, Expected::Semicolon));
                }
                [b'{', ..] if !self.open.is_empty() => {
                    return self.recover(start, Fault::expected(rest, Expected::Semicolon));
                }
                _ => self.recovery.next_token(rest),
            }
        }
        let name = Text { at: start, length: 1 };
        let head = plain(StatementKind::Ignored, name, &start[1..], Ends::Semicolon);
        self.push(start, self.rest, &head, start.len() - self.rest.len());
    }

    /// Reports `fault` and finds the place to read on: behind the statement's `;`, before the `}` of
    /// its block, inside its own block if its keyword says what that is, or at a word that begins
    /// a line where only a `;` was missing.
    fn recover(&mut self, start: Input<'s>, fault: Fault<'s>) {
        if fault.kind == ParseErrorKind::TooDeep {
            return self.give_up(fault);
        }
        self.report(fault);
        let missing_semicolon = fault.expected[0] == Some(Expected::Semicolon);
        if missing_semicolon && self.begins_line(fault.at) && peek_word(fault.at).is_some() {
            return self.skip_to(start, fault.at);
        }
        let mut rest = fault.at;
        // The braces of a record type are part of the statement.
        if self.recovery.opens_brace(start, rest) {
            rest = self.recovery.skip_block(rest);
        }
        loop {
            match rest {
                [] | [b'}', ..] => return self.skip_to(start, rest),
                [b';', after @ ..] => return self.skip_to(start, after),
                [b'{', after @ ..] => {
                    let Some((kind, place)) = block_of(start, self.place()) else {
                        let rest = self.recovery.skip_block(after);
                        // The `;` behind a record type or another list in braces.
                        let rest = rest.strip_prefix(b";").unwrap_or(rest);
                        return self.skip_to(start, rest);
                    };
                    let name = Text { at: start, length: 0 };
                    let head = plain(kind, name, rest, Ends::Block(place));
                    return self.branch(start, rest, &head, place);
                }
                _ => rest = self.recovery.next_token(rest),
            }
        }
    }

    /// Whether only blanks stand before `at` on its line.
    fn begins_line(&self, at: Input<'_>) -> bool {
        let before = &self.source[..self.offset(at)];
        before[line_start(before)..].trim_ascii().is_empty()
    }

    /// Leaves what stands between `start` and `rest` as an invalid statement.
    fn skip_to(&mut self, start: Input<'s>, rest: Input<'s>) {
        let skipped = &start[..start.len() - rest.len()];
        // At a byte no token begins with, at least that byte goes.
        let length = skipped.trim_ascii_end().len().max(usize::from(!at(start, b'}')));
        self.rest = if rest.len() == start.len() && !at(rest, b'}') {
            &start[1.min(start.len())..]
        } else {
            rest
        };
        if length > 0 {
            let name = Text { at: start, length: 0 };
            let head = plain(StatementKind::Invalid, name, start, Ends::Semicolon);
            self.push(start, start, &head, length.min(start.len()));
        }
    }

    /// Reports `fault` and reads no further.
    fn give_up(&mut self, fault: Fault<'_>) {
        self.report(fault);
        self.gave_up = true;
        self.rest = &[];
    }

    /// At the end of the source.
    fn finish(&mut self) {
        let innermost = self.open.last().filter(|_| !self.gave_up);
        let unclosed = innermost.map(|open| self.nodes[open.node as usize].start as usize);
        while let Some(open) = self.open.pop() {
            self.end_node(&open);
        }
        if let Some(start) = unclosed {
            self.report(Fault::new(&self.source[start..], ParseErrorKind::UnclosedBlock));
        }
    }

    fn report(&mut self, fault: Fault<'_>) {
        let line = self.line_of(self.offset(fault.at));
        self.errors.push(parse_error(self.source, fault, self.place(), line));
    }

    /// The line of `offset`; errors come nearly in file order, so lines are counted once.
    fn line_of(&mut self, offset: usize) -> usize {
        let (from, line) = if self.counted.0 <= offset { self.counted } else { (0, 1) };
        let newlines = self.source[from..offset].split(|byte| *byte == b'\n').count() - 1;
        self.counted = (offset, line + newlines);
        line + newlines
    }
}

/// A bit for each statement that `place` holds once at most; none for the others.
fn once(head: &Head<'_>, place: Place) -> u8 {
    let among = |words: &[&str], word: &[u8]| {
        let found = words.iter().position(|known| word.eq_ignore_ascii_case(known.as_bytes()));
        found.map_or(0, |index| 1 << index)
    };
    let name = head.name.bytes();
    match (place, head.kind) {
        (_, StatementKind::Hardware) => 1,
        (_, StatementKind::FixedAddress) => 2,
        (_, StatementKind::Uid) => 4,
        (_, StatementKind::HostIdentifier) => 8,
        (Place::Key, _) => among(&["algorithm", "secret"], name),
        (Place::Zone, _) => among(&["primary", "secondary", "primary6", "secondary6", "key"], name),
        (Place::Class, StatementKind::Other) if at_keyword(head.value, "if") => {
            among(&["match"], name)
        }
        // `match` without a condition and `spawn` say the same thing.
        (Place::Class, StatementKind::Other) => 2 * u8::from(among(&["match", "spawn"], name) != 0),
        (Place::Pool | Place::Pool6, StatementKind::Permit) if at_keyword(head.value, "after") => 1,
        _ => 0,
    }
}

/// Whether the server skips `% … ;` in such a block.
fn takes_ignored(place: Place) -> bool {
    !matches!(place, Place::Body | Place::Failover | Place::Zone | Place::Key)
}

/// Offsets fit: a source is shorter than 4 GiB, and nodes are fewer than its bytes.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
