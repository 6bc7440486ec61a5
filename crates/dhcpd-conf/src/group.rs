//! Groups and classes.

use std::borrow::Cow;
use std::fmt;

use crate::host::Host;
use crate::setting::{Scope, Setting};
use crate::statement_view::Statement;
use crate::tree::StatementKind;
use crate::value::Identifier;

/// A `group` declaration. A view, cheap to copy.
#[derive(Clone, Copy)]
pub struct Group<'d>(Statement<'d>);

impl<'d> Group<'d> {
    pub(crate) fn of(statement: Statement<'d>) -> Option<Self> {
        (statement.kind() == StatementKind::Group).then_some(Self(statement))
    }

    /// The declaration as a statement.
    pub fn statement(self) -> Statement<'d> {
        self.0
    }

    /// Its name, without quotes; most groups have none.
    pub fn name(self) -> Option<Cow<'d, [u8]>> {
        Some(self.0.declared_name()).filter(|name| !name.is_empty())
    }

    /// The hosts right in it, those of included files too.
    pub fn hosts(self) -> impl Iterator<Item = Host<'d>> {
        self.0.content().into_iter().filter_map(Host::of)
    }

    /// What is set in it: see [`Scope::settings`].
    pub fn settings(self) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        Scope::of(self.0).settings()
    }
}

impl fmt::Debug for Group<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "group at {}", self.0.position())
    }
}

/// A `class` declaration. A view, cheap to copy.
///
/// Wherever it stands, a class is global; one that is declared twice is one class with all that
/// both blocks say.
#[derive(Clone, Copy)]
pub struct Class<'d>(Statement<'d>);

impl<'d> Class<'d> {
    pub(crate) fn of(statement: Statement<'d>) -> Option<Self> {
        (statement.kind() == StatementKind::Class).then_some(Self(statement))
    }

    /// The declaration as a statement.
    pub fn statement(self) -> Statement<'d> {
        self.0
    }

    /// Its name, without quotes.
    pub fn name(self) -> Cow<'d, [u8]> {
        self.0.declared_name()
    }

    /// What decides who belongs to it, as written: the text behind `match`, with its `if`.
    pub fn matches(self) -> impl Iterator<Item = &'d [u8]> {
        let content = self.0.content().into_iter();
        content.filter(|statement| statement.is_named("match")).map(Statement::value)
    }

    /// What is set in it: see [`Scope::settings`].
    pub fn settings(self) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        Scope::of(self.0).settings()
    }
}

impl fmt::Debug for Class<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "class {} at {}", self.name().escape_ascii(), self.0.position())
    }
}

/// A `subclass` declaration: one value that belongs to a class. A view, cheap to copy.
///
/// `vendor-class` and `user-class` are subclasses too, whose value is the name of their class.
#[derive(Clone, Copy)]
pub struct Subclass<'d>(Statement<'d>);

impl<'d> Subclass<'d> {
    pub(crate) fn of(statement: Statement<'d>) -> Option<Self> {
        (statement.kind() == StatementKind::Subclass).then_some(Self(statement))
    }

    /// The declaration as a statement.
    pub fn statement(self) -> Statement<'d> {
        self.0
    }

    /// The name of its class, without quotes.
    pub fn class(self) -> Cow<'d, [u8]> {
        self.parts().0
    }

    /// The value a client has to have.
    pub fn data(self) -> Identifier<'d> {
        self.parts().1
    }

    fn parts(self) -> (Cow<'d, [u8]>, Identifier<'d>) {
        // With a block both stand in front of its brace, without one behind the keyword.
        let text = if self.0.is_block() { self.0.name() } else { self.0.value() };
        crate::setting::class_and_data(text)
    }

    /// What is set in it: see [`Scope::settings`].
    pub fn settings(self) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        Scope::of(self.0).settings()
    }
}

impl fmt::Debug for Subclass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "subclass of {} at {}", self.class().escape_ascii(), self.0.position())
    }
}
